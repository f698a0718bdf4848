/** Land as a printed atlas draws it: ground under a north-western sun, water darker with depth. */
import { fromRgb, printed, rampIndex, rampTable, seaStops } from './color.js';
import type { PaintJob } from './job.js';
import { hillshade, litPart, rock, rockShare, slopesOfRow, smoothed } from './shading.js';
import type { HeightGrid } from './shading.js';

const formExaggeration = 1.8; // of the large forms, on top
const formShare = 0.45; // of the light that follows the large forms
const formRadius = 6; // samples
// of the deepest sea: rivers are drawn as if so much deeper, or they would be pale
const inlandDepth = 0.2;
const seabedLight = 0.22; // how much of the seabed's relief shows through water

const sea = rampTable(seaStops);

const trees = fromRgb(0x2c4a22);
const maxTreeShade = 0.3;
const speckShade = 0.3;

/** How much of its colour a wooded sample gives to the trees'. */
function treeShare(density: number, specks: boolean, x: number, y: number): number {
  const shade = (maxTreeShade * density) / 100;
  if (!specks || density === 0) return shade;
  let random = (Math.imul(x | 0, 0x9e3779b9) + (y | 0)) | 0;
  // mixed well, or specks would line up
  random = Math.imul(random ^ (random >>> 16), 0x7feb352d);
  random = Math.imul(random ^ (random >>> 15), 0x846ca68b);
  random ^= random >>> 16;
  return shade + ((random >>> 0) % 100 < density ? speckShade : 0);
}

/** Ground colours of all samples, red, green and blue in turn, before light. */
function groundColors(job: PaintJob): Float32Array {
  const palette = Array.from(job.palette, fromRgb);
  const ground = new Float32Array(job.width * job.width * 3);
  const { biome, forest, width } = job;
  for (let i = 0, at = 0; i < width * width; i += 1, at += 3) {
    const color = palette[biome ? biome[i]! : 0] ?? trees;
    const density = forest ? forest[i]! : 0;
    const share =
      density > 0
        ? treeShare(density, job.specks, job.x + (i % width), job.y + Math.floor(i / width))
        : 0;
    for (let part = 0; part < 3; part += 1) {
      ground[at + part] = color[part]! + (trees[part]! - color[part]!) * share;
    }
  }
  return ground;
}

const blended = new Float32Array(3);

/** Ground averaged with its neighbours on land, into `blended`: biomes end without steps. */
function blendGround(job: PaintJob, ground: Float32Array, i: number): void {
  const { width } = job;
  const height = job.height!;
  let r = 0;
  let g = 0;
  let b = 0;
  let total = 0;
  // never at the edge: the apron is wider than one sample
  for (let dy = -1; dy <= 1; dy += 1) {
    for (let dx = -1; dx <= 1; dx += 1) {
      const near = i + dy * width + dx;
      if (!(height[near]! > 0)) continue;
      const weight = (2 - Math.abs(dx)) * (2 - Math.abs(dy));
      r += ground[near * 3]! * weight;
      g += ground[near * 3 + 1]! * weight;
      b += ground[near * 3 + 2]! * weight;
      total += weight;
    }
  }
  const scale = total > 0 ? 1 / total : 1;
  blended[0] = total > 0 ? r * scale : ground[i * 3]!;
  blended[1] = total > 0 ? g * scale : ground[i * 3 + 1]!;
  blended[2] = total > 0 ? b * scale : ground[i * 3 + 2]!;
}

/** How much of a sample's square is dry, taking the ground for a plane. */
function dryShare(aboveWater: number, rise: number): number {
  if (rise === 0) return aboveWater > 0 ? 1 : 0;
  return Math.min(Math.max(0.5 + aboveWater / rise, 0), 1);
}

/** Water of one sample: how much of it is dry, and how deep the rest is. */
function dryOf(job: PaintJob, i: number, rise: number): number {
  const aboveSea = job.height![i]!;
  const spread = rise * job.spacing;
  if (!job.depth) return dryShare(aboveSea, spread);
  const depth = job.depth[i]!;
  if (depth > 0) return dryShare(-depth, spread);
  return aboveSea > 0 ? dryShare(aboveSea, spread) : 1;
}

function depthOf(job: PaintJob, i: number): number {
  const depth = job.depth ? job.depth[i]! : -job.height![i]!;
  return depth > 0 ? depth : 0;
}

/** Paints all samples but the apron. @param out  RGBA of the inner square */
export function paintRelief(job: PaintJob, out: Uint8ClampedArray): void {
  const { width, apron } = job;
  const grid: HeightGrid = { width, spacing: job.spacing, blocks: job.height! };
  const forms = smoothed(grid, formRadius);
  const ground = groundColors(job);
  const east = new Float32Array(width);
  const south = new Float32Array(width);
  const formEast = new Float32Array(width);
  const formSouth = new Float32Array(width);
  const near = job.exaggeration;
  const far = near * formExaggeration;
  const deepest = -job.deepest;
  let at = 0;
  for (let y = apron; y < width - apron; y += 1) {
    slopesOfRow(grid, y, east, south);
    slopesOfRow(forms, y, formEast, formSouth);
    for (let x = apron; x < width - apron; x += 1, at += 4) {
      const i = y * width + x;
      const rise = Math.hypot(east[x]!, south[x]!);
      const shade =
        (1 - formShare) * hillshade(east[x]! * near, south[x]! * near) +
        formShare * hillshade(formEast[x]! * far, formSouth[x]! * far);
      paintSample(job, ground, i, rise, shade, deepest, out, at);
    }
  }
}

/** Lights one sample's ground and water, and mixes them. */
function paintSample(
  job: PaintJob,
  ground: Float32Array,
  i: number,
  rise: number,
  shade: number,
  deepest: number,
  out: Uint8ClampedArray,
  at: number,
): void {
  const dry = dryOf(job, i, rise);
  let r = 0;
  let g = 0;
  let b = 0;
  if (dry > 0) {
    blendGround(job, ground, i);
    const [pr, pg, pb] = printed([blended[0]!, blended[1]!, blended[2]!]);
    const stone = rockShare(rise);
    r = litPart(0, pr + (rock[0] - pr) * stone, shade);
    g = litPart(1, pg + (rock[1] - pg) * stone, shade);
    b = litPart(2, pb + (rock[2] - pb) * stone, shade);
  }
  if (dry < 1) {
    const depth = depthOf(job, i) + (job.height![i]! > 0 ? inlandDepth * deepest : 0);
    const color = rampIndex(sea, deepest > 0 ? depth / deepest : 0);
    const light = 1 + (shade - 1) * seabedLight;
    r += (litPart(0, sea.colors[color]!, light) - r) * (1 - dry);
    g += (litPart(1, sea.colors[color + 1]!, light) - g) * (1 - dry);
    b += (litPart(2, sea.colors[color + 2]!, light) - b) * (1 - dry);
  }
  out[at] = r * 255;
  out[at + 1] = g * 255;
  out[at + 2] = b * 255;
  out[at + 3] = 255;
}
