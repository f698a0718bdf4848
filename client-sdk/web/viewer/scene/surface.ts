import { noWater } from '../../src/index.js';
import { pad, type FarHeights, type PaddedGrid } from './grid.js';
import { paintGround, type GroundColors } from './ground_paint.js';
import { sunlight, type Caster } from './sunlight.js';

/** Where the sun stands: a unit vector towards it, z up, as x, y, z of the world. */
export type Sun = readonly [number, number, number];

/** What a tile's surface is made from. Plain values and arrays: it travels to a worker. */
export interface SurfaceInput {
  size: number;
  lod: number;
  grid: PaddedGrid;
  far: FarHeights;
  /** What casts shadows besides the land: trees. */
  casters: Caster[];
  sun: Sun;
  /** Whether water is part of this surface, as it is far away, or another one above it. */
  merged: boolean;
}

/** What is drawn of a tile. Arrays have (size + 1)² samples: the far edge is the neighbour's. */
export interface Surface {
  /** Blocks: ground, or water's surface where it is above and `merged`. */
  height: Float32Array;
  /** Of land and water, blocks. */
  lowest: number;
  highest: number;
  /** How far the land is from meshes of every second, fourth and eighth sample, blocks. */
  errors: [number, number, number];
  /** How far the lines that meshes end at are from the land at the worst, blocks. */
  edgeError: number;
  /** RGBA: colour of the ground (square roots of linear values), share of sunlight. */
  color: Uint8Array;
  /** RGBA: slope's normal x and y (128: 0), openness to the sky, depth of water (`depthByte`). */
  shape: Uint8Array;
  /** Surface of the water, blocks, a little way on over the land beside it; if any stands here. */
  water?: Float32Array;
  /** Whether that is level, as the sea is. */
  calm: boolean;
}

/** Depth of water as it is kept in a byte: 128 at the shore, 0 where none is near. */
export function depthByte(blocks: number): number {
  return Math.round(128 + (127 * blocks) / (8 + Math.abs(blocks)));
}

/**
 * Water's surface, 1/16 block, for each sample of the grid: where it stands, and `reach` samples
 * on over dry land, so that the shore is where the two surfaces meet. Elsewhere `noWater`.
 */
function waterLevels(grid: PaddedGrid, reach: number): { level: Int32Array; wet: boolean } {
  const { side, height, water } = grid;
  let level = new Int32Array(side * side).fill(noWater);
  let wet = false;
  for (let k = 0; k < level.length; ++k) {
    if (water[k] > height[k]) {
      level[k] = water[k];
      wet = true;
    }
  }
  for (let pass = 0; wet && pass < reach; ++pass) {
    const next = level.slice();
    for (let j = 1; j < side - 1; ++j) {
      for (let k = j * side + 1; k < j * side + side - 1; ++k) {
        if (level[k] !== noWater) continue;
        next[k] = Math.max(level[k - 1], level[k + 1], level[k - side], level[k + side]);
      }
    }
    level = next;
  }
  return { level, wet };
}

/** What is frozen over is land as high as the ice. */
function freeze(grid: PaddedGrid, frozen: Uint8Array): void {
  const { height, water, biome } = grid;
  for (let k = 0; k < height.length; ++k) {
    if (water[k] > height[k] && frozen[biome[k]]) {
      height[k] = water[k];
      water[k] = noWater;
    }
  }
}

/** How far samples are from the middle of those `step / 2` away, blocks: a mean for the worst. */
function flatness(height: Float32Array, edge: number, step: number): number {
  const half = step / 2;
  let sum = 0;
  let count = 0;
  for (let j = 0; j < edge; j += half) {
    for (let i = half; i < edge - half; i += step) {
      const k = j * edge + i;
      const l = i * edge + j;
      const along = height[k] - (height[k - half] + height[k + half]) / 2;
      const down = height[l] - (height[l - half * edge] + height[l + half * edge]) / 2;
      sum += along ** 4 + down ** 4;
      count += 2;
    }
  }
  return 1.4 * (sum / count) ** 0.25;
}

/** The same along the edges and the middle lines, for every eighth sample: the worst. */
function edgeError(height: Float32Array, edge: number): number {
  const step = 8;
  let worst = 0;
  const look = (first: number, next: number): void => {
    for (let at = 0; at + 1 < edge; ++at) {
      const into = at % step;
      const low = height[first + (at - into) * next];
      const high = height[first + (at - into + step) * next];
      const drawn = low + ((high - low) * into) / step;
      worst = Math.max(worst, Math.abs(height[first + at * next] - drawn));
    }
  };
  for (const line of [0, (edge - 1) / 2, edge - 1]) {
    look(line * edge, 1);
    look(line, edge);
  }
  return worst;
}

/** Makes what is drawn of a tile. `input.grid` is changed. */
export function buildSurface(input: SurfaceInput, colors: GroundColors): Surface {
  const { grid, size, merged } = input;
  freeze(grid, colors.frozen);
  const edge = size + 1;
  const { level, wet } = waterLevels(grid, pad - 1);
  const out: Surface = {
    height: new Float32Array(edge * edge),
    lowest: Infinity,
    highest: -Infinity,
    errors: [0, 0, 0],
    edgeError: 0,
    calm: true,
    color: new Uint8Array(4 * edge * edge),
    shape: new Uint8Array(4 * edge * edge),
  };
  let stands = false;
  let surface: number | undefined;
  const water = new Float32Array(wet ? edge * edge : 0);
  for (let j = 0, k = 0; j < edge; ++j) {
    for (let i = 0; i < edge; ++i, ++k) {
      const g = (j + pad) * grid.side + i + pad;
      const ground = grid.height[g];
      const under = level[g] > ground;
      stands ||= under;
      if (under) {
        surface ??= level[g];
        out.calm &&= surface === level[g];
      }
      const height = (merged && under ? level[g] : ground) / 16;
      out.height[k] = height;
      out.lowest = Math.min(out.lowest, height);
      out.highest = Math.max(out.highest, under ? level[g] / 16 : height);
      if (wet) water[k] = level[g] === noWater ? noWater : level[g] / 16;
      out.shape[4 * k + 3] = level[g] === noWater ? 0 : depthByte((level[g] - ground) / 16);
    }
  }
  if (stands && !merged) out.water = water;
  // Level water is drawn with few triangles: right through the land, which hides it.
  if (surface !== undefined && out.calm) water.fill(surface / 16);
  const error = (step: number): number => flatness(out.height, edge, step);
  out.errors = [error(2), error(4), error(8)];
  out.errors[2] = Math.max(out.errors[2], out.errors[1]);
  out.edgeError = edgeError(out.height, edge);
  paintGround(input, level, colors, out);
  sunlight(input, out);
  return out;
}
