/** What stands on the land, drawn onto a painted square. */
import { fromRgb, mix } from './color.js';
import type { Color } from './color.js';
import type { Mark, PaintJob } from './job.js';

const crownStrength = 0.85;
const shadeStrength = 0.3;
const shade = fromRgb(0x14200f);
const outline = fromRgb(0x2a2622);

/** Draws a job's marks: crowns as discs, rooms as the blocks that they cover. */
export function drawMarks(job: PaintJob, out: Uint8ClampedArray): void {
  const size = job.width - 2 * job.apron;
  const dot = (x: number, y: number, color: Color, strength: number): void => {
    const column = x - job.apron;
    const row = y - job.apron;
    if (column < 0 || row < 0 || column >= size || row >= size) return;
    const at = (row * size + column) * 4;
    for (let part = 0; part < 3; part += 1) {
      const below = out[at + part]!;
      out[at + part] = below + (color[part]! * 255 - below) * strength;
    }
  };
  for (const mark of job.marks) {
    if (mark.width > 0) {
      drawRoom(mark, dot);
    } else {
      drawCrown(mark, dot);
    }
  }
}

type Dot = (x: number, y: number, color: Color, strength: number) => void;

/** A crown, or whatever it is, from above: shaded away from the north-west. */
function drawCrown(mark: Mark, dot: Dot): void {
  const reach = Math.floor(mark.radius);
  const color = fromRgb(mark.color);
  const dark = mix(color, shade, shadeStrength);
  for (let dy = -reach; dy <= reach; dy += 1) {
    for (let dx = -reach; dx <= reach; dx += 1) {
      if (dx * dx + dy * dy > mark.radius * mark.radius) continue;
      const shaded = dx + dy > 0.7 * mark.radius && reach > 0;
      dot(mark.x + dx, mark.y + dy, shaded ? dark : color, crownStrength);
    }
  }
}

function drawRoom(mark: Mark, dot: Dot): void {
  const color = fromRgb(mark.color);
  for (let y = 0; y < mark.height; y += 1) {
    for (let x = 0; x < mark.width; x += 1) {
      const edge = x === 0 || y === 0 || x === mark.width - 1 || y === mark.height - 1;
      dot(mark.x + x, mark.y + y, edge ? outline : color, 1);
    }
  }
}
