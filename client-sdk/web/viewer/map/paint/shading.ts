/** Light on terrain, as in a printed atlas: the sun stands in the north-west. y grows south. */

/** Heights in blocks above the sea, row by row, `width` squared, `spacing` blocks apart. */
export interface HeightGrid {
  width: number;
  spacing: number;
  blocks: Float32Array;
}

const halfRoot = Math.SQRT1_2;
/** Towards each light: east, south, up; and its share. */
const lights = [
  [-0.5, -0.5, halfRoot, 0.6],
  [-halfRoot, 0, halfRoot, 0.13],
  [0, -halfRoot, halfRoot, 0.13],
  [0, 0, 1, 0.14],
] as const;

function lightOn(east: number, south: number): number {
  let sum = 0;
  for (const light of lights) {
    const part = light[2] - east * light[0] - south * light[1];
    if (part > 0) sum += light[3] * part;
  }
  return sum / Math.sqrt(east * east + south * south + 1);
}

const flat = lightOn(0, 0);

/** Light on a slope: 1 on flat ground, more where it faces the sun, less where it faces away. */
export function hillshade(east: number, south: number): number {
  return lightOn(east, south) / flat;
}

/** One line of a grid: a running mean over 2 * radius + 1 values; the ends count on as they are. */
function smoothLine(
  from: Float32Array,
  to: Float32Array,
  first: number,
  count: number,
  step: number,
  radius: number,
): void {
  const last = count - 1;
  let sum = 0;
  for (let i = -radius; i <= radius; i += 1) {
    sum += from[first + Math.min(Math.max(i, 0), last) * step]!;
  }
  const share = 1 / (2 * radius + 1);
  for (let i = 0; i < count; i += 1) {
    to[first + i * step] = sum * share;
    const next = i + radius + 1 > last ? last : i + radius + 1;
    const gone = i - radius < 0 ? 0 : i - radius;
    sum += from[first + next * step]! - from[first + gone * step]!;
  }
}

/** Heights averaged over about (2 * radius + 1)^2 samples: the large forms without the small. */
export function smoothed(grid: HeightGrid, radius: number): HeightGrid {
  const { width } = grid;
  const blocks = grid.blocks.slice();
  const between = new Float32Array(blocks.length);
  for (let pass = 0; pass < 2; pass += 1) {
    // twice a box is nearly a bell: no streaks
    for (let y = 0; y < width; y += 1) smoothLine(blocks, between, y * width, width, 1, radius);
    for (let x = 0; x < width; x += 1) smoothLine(between, blocks, x, width, width, radius);
  }
  return { ...grid, blocks };
}

/**
 * Slopes of a grid's row in blocks per block, from each sample's 8 neighbours, weighted after Horn
 * (1981). Outside of the grid the nearest sample counts.
 */
export function slopesOfRow(
  grid: HeightGrid,
  y: number,
  east: Float32Array,
  south: Float32Array,
): void {
  const { width, blocks } = grid;
  const above = Math.max(y - 1, 0) * width;
  const here = y * width;
  const below = Math.min(y + 1, width - 1) * width;
  const scale = 1 / (8 * grid.spacing);
  for (let x = 0; x < width; x += 1) {
    const west = x > 0 ? x - 1 : 0;
    const next = x < width - 1 ? x + 1 : x;
    const northWest = blocks[above + west]!;
    const northEast = blocks[above + next]!;
    const southWest = blocks[below + west]!;
    const southEast = blocks[below + next]!;
    east[x] =
      (northEast +
        2 * blocks[here + next]! +
        southEast -
        northWest -
        2 * blocks[here + west]! -
        southWest) *
      scale;
    south[x] =
      (southWest +
        2 * blocks[below + x]! +
        southEast -
        northWest -
        2 * blocks[above + x]! -
        northEast) *
      scale;
  }
}

// Lit ground is mixed towards sunlight, ground in shadow towards a cool dark of its own colour.
const sunlight = [1.0, 0.98, 0.9] as const;
const shadow = [0.16, 0.18, 0.3] as const;
const deepestShadow = 0.8; // some of the ground always shows

/** One part (0 red, 1 green, 2 blue) of a colour under light `shade`. */
export function litPart(part: 0 | 1 | 2, value: number, shade: number): number {
  if (shade >= 1) {
    const share = Math.min((shade - 1) * 0.9, 1);
    return value + (sunlight[part] - value) * share;
  }
  const dark = value * shadow[part];
  const goal = dark + (shadow[part] - dark) * 0.5;
  return value + (goal - value) * Math.min((1 - shade) * deepestShadow, 1);
}

/** Bare rock: its colour, 0 to 1. */
export const rock = [0.55, 0.51, 0.47] as const;
const rockBegins = 0.6; // rise per block at which soil gives way to rock …
const rockEnds = 1.6; // … and where it has
const maxRock = 0.55;

/** How much rock shows on a slope that rises so many blocks per block. */
export function rockShare(rise: number): number {
  return Math.min(Math.max((rise - rockBegins) / (rockEnds - rockBegins), 0), 1) * maxRock;
}
