import { noWater } from '../../src/index.js';
import { pad } from './grid.js';
import type { Surface, SurfaceInput } from './surface.js';

/** Colours of a world's biomes, three bytes each: square roots of linear values. */
export interface GroundColors {
  /** Of the bare ground. */
  ground: Uint8Array;
  /** Of the crowns of its forests. */
  canopy: Uint8Array;
  /** Whether its water is ice: 1 by biome. */
  frozen: Uint8Array;
}

const sand = [186, 166, 124];
const silt = [92, 92, 74];
const rock = [143, 134, 124];
const rockBegins = 0.62; // rise per block at which soil gives way to rock …
const rockEnds = 1.35; // … and where it has
const blur = [1, 4, 6, 4, 1];

/** A number between 0 and 1 that looks random, the same for the same place. */
export function hash(x: number, y: number): number {
  let h = Math.imul(x | 0, 0x27d4eb2d) ^ Math.imul(y | 0, 0x165667b1);
  h = Math.imul(h ^ (h >>> 15), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return ((h ^ (h >>> 16)) >>> 0) / 4294967296;
}

/** Colour of the ground by biome, of the bed under water, before anything is blended. */
function rawColors(input: SurfaceInput, level: Int32Array, colors: GroundColors): Float32Array {
  const { height, biome } = input.grid;
  const out = new Float32Array(3 * height.length);
  for (let k = 0; k < height.length; ++k) {
    const depth = level[k] === noWater ? -1 : (level[k] - height[k]) / 16;
    const b = 3 * biome[k];
    for (let c = 0; c < 3; ++c) {
      const bed = silt[c] + (sand[c] - silt[c]) * Math.exp(-Math.max(depth, 0) / 3);
      out[3 * k + c] = depth > 0 ? bed : colors.ground[b + c];
    }
  }
  return out;
}

/** Blends along one axis over five samples. `step` is the way to the next sample of that axis. */
function blurred(from: Float32Array, side: number, step: number): Float32Array {
  const out = from.slice();
  for (let j = 0; j < side; ++j) {
    for (let i = 0; i < side; ++i) {
      const along = step === 3 ? i : j;
      if (along < 2 || along >= side - 2) continue;
      const k = 3 * (j * side + i);
      for (let c = k; c < k + 3; ++c) {
        out[c] =
          (blur[0] * (from[c - 2 * step] + from[c + 2 * step]) +
            blur[1] * (from[c - step] + from[c + step]) +
            blur[2] * from[c]) /
          16;
      }
    }
  }
  return out;
}

/** How much of the sky a place sees, from the heights two and four samples around it. */
function openness(height: Int32Array, k: number, side: number, spacing: number): number {
  let sum = 0;
  for (const r of [2, 4]) {
    const d = Math.round(r * 0.7);
    const ring =
      height[k - r] + height[k + r] + height[k - r * side] + height[k + r * side] +
      height[k - d - d * side] + height[k + d - d * side] +
      height[k - d + d * side] + height[k + d + d * side];
    sum += (ring / 8 - height[k]) / (16 * r * spacing);
  }
  return Math.min(Math.max(1 - 0.8 * sum, 0.45), 1.12);
}

/** Fills in colours, normals and openness. `level`: the water's surface by grid sample. */
export function paintGround(
  input: SurfaceInput,
  level: Int32Array,
  colors: GroundColors,
  out: Surface,
): void {
  const { grid, size, lod } = input;
  const { side, height } = grid;
  const spacing = 2 ** lod;
  const soft = blurred(blurred(rawColors(input, level, colors), side, 3), side, 3 * side);
  for (let j = 0, k = 0; j <= size; ++j) {
    for (let i = 0; i <= size; ++i, k += 4) {
      const g = (j + pad) * side + i + pad;
      const slopeX = (height[g + 1] - height[g - 1]) / (32 * spacing);
      const slopeY = (height[g + side] - height[g - side]) / (32 * spacing);
      const length = Math.sqrt(slopeX * slopeX + slopeY * slopeY + 1);
      const open = openness(height, g, side, spacing);
      out.shape[k] = Math.round(128 - (127 * slopeX) / length);
      out.shape[k + 1] = Math.round(128 - (127 * slopeY) / length);
      out.shape[k + 2] = Math.round(Math.min(open / 1.12, 1) * 255);
      paintSample(input, colors, soft, g, i, j, Math.hypot(slopeX, slopeY), out.color, k);
    }
  }
}

function paintSample(
  input: SurfaceInput,
  colors: GroundColors,
  soft: Float32Array,
  g: number,
  i: number,
  j: number,
  rise: number,
  color: Uint8Array,
  k: number,
): void {
  const { forest, biome } = input.grid;
  const speckle = hash(i, j) - 0.5;
  const stone = Math.min(
    Math.max((rise + 0.12 * speckle - rockBegins) / (rockEnds - rockBegins), 0),
    1,
  );
  const trees = (forest[g] / 100) * (1 - stone);
  // Far away crowns close up; near, real trees stand there and the ground between them shows.
  const cover = input.lod === 0 ? 0.55 * trees : Math.min(1.1 * trees, 0.95);
  const shade = 1 + speckle * (input.lod === 0 ? 0.05 : 0.05 + 0.28 * cover);
  for (let c = 0; c < 3; ++c) {
    const bare = soft[3 * g + c];
    const crown = colors.canopy[3 * biome[g] + c] * (input.lod === 0 ? 1.1 : 1);
    const leafy = bare + (crown - bare) * cover;
    // Rock takes something of the hue around it.
    const stony = leafy + ((rock[c] * 0.72 + bare * 0.28) - leafy) * stone * 0.9;
    color[k + c] = Math.max(0, Math.min(255, Math.round(stony * shade)));
  }
}
