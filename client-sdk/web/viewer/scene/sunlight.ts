import { pad } from './grid.js';
import type { Surface, SurfaceInput } from './surface.js';

/** A tree that casts a shadow: blocks from the tile's first one, at lod 0. */
export interface Caster {
  x: number;
  y: number;
  radius: number;
  height: number;
}

const softness = 0.09; // tangent of the angle within which the sun goes from full to none
const near = [1.5, 2.5, 3.5]; // samples, of the tile's own grid
const far = [6, 9, 13, 19, 28, 41, 60, 88, 128];

function bilinear(field: Int32Array, side: number, u: number, v: number): number {
  const i = Math.floor(u);
  const j = Math.floor(v);
  if (i < 0 || j < 0 || i >= side - 1 || j >= side - 1) return -(1 << 19);
  const k = j * side + i;
  const top = field[k] + (field[k + 1] - field[k]) * (u - i);
  const bottom = field[k + side] + (field[k + side + 1] - field[k + side]) * (u - i);
  return top + (bottom - top) * (v - j);
}

/** Fills in how much of the sun each sample sees, past the land around it and past trees. */
export function sunlight(input: SurfaceInput, out: Surface): void {
  const { size, lod, grid, far: context, sun } = input;
  const flat = Math.hypot(sun[0], sun[1]);
  const spacing = 2 ** lod;
  const dirX = flat > 0 ? sun[0] / flat : 0;
  const dirY = flat > 0 ? sun[1] / flat : 0;
  const climb = sun[2] / Math.max(flat, 1e-3);
  for (let j = 0, k = 0; j <= size; ++j) {
    for (let i = 0; i <= size; ++i, ++k) {
      // Light that falls on water is the surface's, for the bed as well.
      const surface = Math.max(out.height[k], out.water ? out.water[k] : -Infinity);
      const here = surface * 16 + 4 * spacing;
      let above = -1; // tangent of the highest thing towards the sun, less the sun's
      for (const d of near) {
        const h = bilinear(grid.height, grid.side, i + pad + dirX * d, j + pad + dirY * d);
        above = Math.max(above, (h - here) / (16 * d * spacing) - climb);
      }
      for (const d of far) {
        const u = (i + dirX * d - context.first) / context.step;
        const v = (j + dirY * d - context.first) / context.step;
        const h = bilinear(context.height, context.side, u, v);
        above = Math.max(above, (h - here) / (16 * d * spacing) - climb);
      }
      const light = Math.min(Math.max(0.5 - above / softness, 0), 1);
      out.color[4 * k + 3] = Math.round(255 * light * light * (3 - 2 * light));
    }
  }
  if (lod === 0) for (const tree of input.casters) shadeUnder(tree, size, dirX, dirY, climb, out);
}

/** A soft ellipse from the tree's foot away from the sun, and a darker spot right under it. */
function shadeUnder(
  tree: Caster,
  size: number,
  dirX: number,
  dirY: number,
  climb: number,
  out: Surface,
): void {
  const reach = Math.min(tree.height / Math.max(climb, 0.25), 3 * tree.height);
  const middle = 0.55 * reach;
  const long = 0.4 * reach + tree.radius;
  const wide = tree.radius * 0.95 + 0.4;
  const centerX = tree.x + 0.5 - dirX * middle;
  const centerY = tree.y + 0.5 - dirY * middle;
  const box = Math.max(long, wide);
  for (let j = Math.max(0, Math.floor(centerY - box)); j <= Math.min(size, centerY + box); ++j) {
    for (let i = Math.max(0, Math.floor(centerX - box)); i <= Math.min(size, centerX + box); ++i) {
      const x = i - centerX;
      const y = j - centerY;
      const along = (x * dirX + y * dirY) / long;
      const across = (x * dirY - y * dirX) / wide;
      const inside = 1 - Math.min(along * along + across * across, 1);
      const k = 4 * (j * (size + 1) + i);
      out.color[k + 3] = Math.round(out.color[k + 3] * (1 - 0.75 * Math.min(1.6 * inside, 1)));
    }
  }
}
