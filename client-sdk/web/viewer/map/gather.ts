/** Bundles -> the samples that a tile of the map is painted from. Pure. */
import { noWater } from '../../src/index.js';
import type { LayerName, World } from '../../src/index.js';
import { bundleChunks, spacingOf } from './bundle.js';
import type { Bundle, BundleKey } from './bundle.js';
import type { Legend, Look } from './legend.js';
import { bundlesOf, reliefApron, tilePixels } from './level.js';
import type { Level, Square } from './level.js';
import type { PaintJob } from './paint/job.js';
import { marksOf } from './things.js';

/** Slopes are exaggerated the same all over a level, as the server does, or tiles would not fit. */
export function exaggerationAt(spacing: number): number {
  return Math.min(1.2 * 1.35 ** Math.log2(spacing), 10);
}

/**
 * Gathers what is needed to paint a tile.
 * @param find      a bundle at hand
 * @param tx, ty    tiles from the origin
 * @returns undefined where nothing is known yet; `isFinal`: all that it depends on was at hand
 */
export function gather(
  legend: Legend,
  level: Level,
  look: Look,
  tx: number,
  ty: number,
  find: (key: BundleKey) => Bundle | undefined,
): { job: PaintJob; isFinal: boolean } | undefined {
  const apron = look.style === 'relief' ? reliefApron : 0;
  const width = tilePixels + 2 * apron;
  const square = { x: tx * tilePixels - apron, y: ty * tilePixels - apron, width, level };
  const job = emptyJob(legend, look, square, apron);
  const fill = filler(legend, look, job);
  const keys = bundlesOf(level, square.x, square.y, width);
  let isFinal = true;
  for (const key of keys) {
    const bundle = find(key);
    const span = { x: key.x * level.bundleSize, y: key.y * level.bundleSize };
    if (bundle) {
      fill(bundle, square, span, level.bundleSize);
    } else {
      isFinal = false;
      const coarser = coarserThan(legend.world, key, find);
      if (coarser) fill(coarser, square, span, level.bundleSize);
    }
  }
  if (!job.known.includes(1)) return undefined;
  if (job.height && job.known.includes(0)) spread(job.height, width, job.known);
  if (level.spacing === 1) {
    job.marks = marksOf(
      legend,
      look,
      square,
      keys.flatMap((key) => find(key) ?? []),
    );
  }
  return { job, isFinal };
}

/** A bundle of a coarser level that covers another one. */
function coarserThan(
  world: World,
  key: BundleKey,
  find: (key: BundleKey) => Bundle | undefined,
): Bundle | undefined {
  if (key.stride > 1) return undefined;
  for (let up = 1; key.lod + up <= world.maxLod; up += 1) {
    const scale = 2 ** up;
    const coarser = find({
      lod: key.lod + up,
      x: Math.floor(key.x / scale),
      y: Math.floor(key.y / scale),
      stride: 1,
    });
    if (coarser) return coarser;
  }
  return undefined;
}

function emptyJob(legend: Legend, look: Look, square: Square, apron: number): PaintJob {
  const samples = square.width * square.width;
  const { style } = look;
  const has = (name: LayerName): boolean => legend.layers.has(name);
  const wet = style === 'relief' || style === 'water';
  const { level } = square;
  return {
    ...{ style, apron, width: square.width, x: square.x, y: square.y, spacing: level.spacing },
    exaggeration: exaggerationAt(level.spacing),
    known: new Uint8Array(samples),
    specks: level.spacing > 1,
    ...{ palette: legend.palette, deepest: legend.deepest, highest: legend.highest, marks: [] },
    ...((wet || style === 'height') && { height: new Float32Array(samples) }),
    ...(wet && has('water') && { depth: new Float32Array(samples) }),
    ...((style === 'relief' || style === 'biome' || look.highlight !== undefined) &&
      has('biome') && { biome: new Uint8Array(samples) }),
    ...(style === 'relief' && has('forest') && { forest: new Uint8Array(samples) }),
    ...(['temperature', 'humidity', 'forest', 'rocks'].includes(style) && {
      values: new Float32Array(samples),
    }),
    ...(look.highlight !== undefined && flagsOf(legend, look.highlight)),
  };
}

/** Nothing is paler where the world has no such biome. */
function flagsOf(legend: Legend, name: string): { highlight?: Uint8Array } {
  const highlight = new Uint8Array(256);
  for (const biome of legend.world.biomes) if (biome.name === name) highlight[biome.id] = 1;
  return highlight.includes(1) ? { highlight } : {};
}

type Fill = (bundle: Bundle, square: Square, from: { x: number; y: number }, size: number) => void;

/** Copies what a square shows of a bundle, own level or coarser, within [from, from + size). */
function filler(legend: Legend, look: Look, job: PaintJob): Fill {
  const valueScale = look.style === 'temperature' || look.style === 'humidity' ? 0.1 : 1;
  return (bundle, square, from, size) => {
    const { level, width } = square;
    const ratio = spacingOf(bundle) / level.spacing;
    const sea = legend.world.seaLevel;
    const { height, water, biome, forest } = bundle.layers;
    const values = job.values && bundle.layers[look.style as LayerName];
    const firstX = Math.max(from.x - square.x, 0);
    const pastX = Math.min(from.x + size - square.x, width);
    const firstY = Math.max(from.y - square.y, 0);
    const pastY = Math.min(from.y + size - square.y, width);
    const chunk = bundle.size / bundleChunks;
    for (let row = firstY; row < pastY; row += 1) {
      const v = (square.y + row) / ratio - bundle.y * bundle.size;
      const j = Math.floor(v);
      const knownRow = Math.floor(j / chunk) * bundleChunks;
      for (let column = firstX; column < pastX; column += 1) {
        const u = (square.x + column) / ratio - bundle.x * bundle.size;
        const i = Math.floor(u);
        if (!bundle.known[knownRow + Math.floor(i / chunk)]) continue;
        const at = row * width + column;
        const source = j * bundle.size + i;
        job.known[at] = 1;
        if (job.height && height) {
          const ground =
            ratio === 1 ? height[source]! : between(height, bundle.size, u - i, v - j, i, j);
          job.height[at] = (ground - sea) / 16;
          if (job.depth) job.depth[at] = ((water ? water[source]! : noWater) - ground) / 16;
        }
        if (job.biome && biome) job.biome[at] = biome[source]!;
        if (job.forest && forest) job.forest[at] = forest[source]!;
        if (job.values && values) job.values[at] = values[source]! * valueScale;
      }
    }
  };
}

/** A height between four samples of a coarser level: the nearest would make a staircase. */
function between(
  height: Int32Array,
  size: number,
  u: number,
  v: number,
  i: number,
  j: number,
): number {
  const right = i < size - 1 ? i + 1 : i;
  const below = (j < size - 1 ? j + 1 : j) * size;
  const here = j * size;
  const north = height[here + i]! + (height[here + right]! - height[here + i]!) * u;
  const south = height[below + i]! + (height[below + right]! - height[below + i]!) * u;
  return north + (south - north) * v;
}

/** Gives what is not known the nearest known height of its row or column: no cliffs at its edge. */
function spread(height: Float32Array, width: number, knownSamples: Uint8Array): void {
  const known = knownSamples.slice();
  const along = (first: number, step: number): void => {
    for (let i = 1, at = first; i < width; i += 1, at += step) {
      if (known[at + step] || !known[at]) continue;
      height[at + step] = height[at]!;
      known[at + step] = 1;
    }
  };
  for (let y = 0; y < width; y += 1) {
    along(y * width, 1);
    along(y * width + width - 1, -1);
  }
  for (let x = 0; x < width; x += 1) {
    along(x, width);
    along((width - 1) * width + x, -width);
  }
}
