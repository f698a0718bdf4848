import { noWater, type DecodedChunk } from '../../src/index.js';

/** How many samples a grid goes on beyond each edge of its tile: what blurs and normals need. */
export const pad = 4;

/**
 * The samples of one tile and those around it, rows of growing x, `side` a row. The tile's sample
 * (i, j) is at ((j + pad) * side + i + pad); the tile's far edge, i = size, is there as well.
 */
export interface PaddedGrid {
  side: number;
  /** 1/16 block. */
  height: Int32Array;
  /** 1/16 block; `noWater` where none stands. */
  water: Int32Array;
  biome: Uint8Array;
  /** Percent. */
  forest: Uint8Array;
  /** Whether all of it is exact. */
  complete: boolean;
}

/** Finds the chunk of a level of detail, in chunks of that level; undefined: it isn't loaded. */
export type ChunkLookup = (lod: number, x: number, y: number) => DecodedChunk | undefined;

/** What a world without a layer `water` has: a sea alone. */
export interface Sea {
  /** 1/16 block. */
  level: number;
}

/** One sample of a chunk; units as in PaddedGrid. */
export interface Sample {
  height: number;
  water: number;
  biome: number;
  forest: number;
}

const coarsest = 16;

/** The chunks of one level that were looked up, by how far they are from the first. */
interface Seen {
  x: number;
  y: number;
  chunks: Map<number, DecodedChunk | undefined>;
  /** The latest: samples come in rows. */
  last: { x: number; y: number; chunk: DecodedChunk | undefined };
}

const reach = 4096; // chunks that lookups of one level lie apart, at most

/** Reads the samples of loaded chunks by their number along each axis of a level. Short-lived. */
export class SampleReader {
  readonly #seen: Seen[] = [];

  constructor(
    private readonly find: ChunkLookup,
    private readonly size: number,
    private readonly sea: Sea,
  ) {}

  /** The sample (i, j) of a level exactly, from that level's chunk. */
  exact(lod: number, i: number, j: number, out: Sample): boolean {
    const x = Math.floor(i / this.size);
    const y = Math.floor(j / this.size);
    const chunk = this.#chunk(lod, x, y);
    if (!chunk) return false;
    this.take(chunk, (j - y * this.size) * this.size + (i - x * this.size), out);
    return true;
  }

  #chunk(lod: number, x: number, y: number): DecodedChunk | undefined {
    let seen = this.#seen[lod];
    if (seen && seen.last.x === x && seen.last.y === y) return seen.last.chunk;
    if (!seen) {
      const last = { x, y, chunk: this.find(lod, x, y) };
      seen = this.#seen[lod] = { x, y, chunks: new Map([[0, last.chunk]]), last };
      return last.chunk;
    }
    const key = (x - seen.x) * 2 * reach + (y - seen.y);
    let chunk = seen.chunks.get(key);
    if (!chunk && !seen.chunks.has(key)) seen.chunks.set(key, (chunk = this.find(lod, x, y)));
    seen.last.x = x;
    seen.last.y = y;
    seen.last.chunk = chunk;
    return chunk;
  }

  /**
   * The same, where the level's chunk is missing from others. Levels nest: finer chunks have it
   * exactly, coarser ones those with even numbers, and the rest lies between two or four of them.
   * Undefined: nothing is loaded there.
   */
  nested(lod: number, i: number, j: number, out: Sample): 'exact' | 'between' | undefined {
    if (this.exact(lod, i, j, out)) return 'exact';
    for (let level = lod - 1, times = 2; level >= 0; --level, times *= 2) {
      if (this.exact(level, i * times, j * times, out)) return 'exact';
    }
    for (let level = lod + 1, spacing = 2; level <= coarsest; ++level, spacing *= 2) {
      const a = Math.floor(i / spacing);
      const b = Math.floor(j / spacing);
      if (!this.exact(level, a, b, out)) continue;
      const u = i / spacing - a;
      const v = j / spacing - b;
      if (u === 0 && v === 0) return 'exact';
      out.height = this.between(level, a, b, u, v, out.height);
      return 'between';
    }
    return undefined;
  }

  /** Height of the chunk's sample, as it is drawn: ground, or water's surface above it. */
  private between(lod: number, a: number, b: number, u: number, v: number, first: number): number {
    const other = { height: first, water: 0, biome: 0, forest: 0 };
    const corner = (x: number, y: number): number =>
      this.exact(lod, x, y, other) ? other.height : first;
    const top = u > 0 ? first + (corner(a + 1, b) - first) * u : first;
    if (v === 0) return Math.round(top);
    const left = corner(a, b + 1);
    const bottom = u > 0 ? left + (corner(a + 1, b + 1) - left) * u : left;
    return Math.round(top + (bottom - top) * v);
  }

  take(chunk: DecodedChunk, at: number, out: Sample): void {
    const { height, water, biome, forest } = chunk.layers;
    out.height = height ? height[at] : 0;
    out.water = water ? water[at] : out.height < this.sea.level ? this.sea.level : noWater;
    out.biome = biome ? biome[at] : 0;
    out.forest = forest ? forest[at] : 0;
  }
}

/**
 * The grid of a loaded tile. Beyond the edges it has the neighbours' samples, those of coarser
 * tiles where neighbours are missing, and else goes on as the tile ends.
 */
export function paddedGrid(
  reader: SampleReader,
  chunk: DecodedChunk,
  x: number,
  y: number,
): PaddedGrid {
  const size = chunk.size;
  const side = size + 1 + 2 * pad;
  const grid: PaddedGrid = {
    side,
    height: new Int32Array(side * side),
    water: new Int32Array(side * side),
    biome: new Uint8Array(side * side),
    forest: new Uint8Array(side * side),
    complete: true,
  };
  const sample: Sample = { height: 0, water: 0, biome: 0, forest: 0 };
  for (let b = -pad, k = 0; b <= size + pad; ++b) {
    const inRow = b >= 0 && b < size;
    for (let a = -pad; a <= size + pad; ++a, ++k) {
      if (inRow && a >= 0 && a < size) {
        reader.take(chunk, b * size + a, sample);
      } else {
        const known = reader.nested(chunk.lod, x * size + a, y * size + b, sample);
        if (!known) extrapolate(reader, chunk, a, b, sample);
        grid.complete &&= known === 'exact';
      }
      grid.height[k] = sample.height;
      grid.water[k] = sample.water;
      grid.biome[k] = sample.biome;
      grid.forest[k] = sample.forest;
    }
  }
  return grid;
}

/** Goes on from the tile's edge as the last two samples do. */
function extrapolate(
  reader: SampleReader,
  chunk: DecodedChunk,
  a: number,
  b: number,
  out: Sample,
): void {
  const last = chunk.size - 1;
  const i = Math.min(Math.max(a, 0), last);
  const j = Math.min(Math.max(b, 0), last);
  const inner =
    Math.min(Math.max(j + Math.sign(j - b), 0), last) * chunk.size +
    Math.min(Math.max(i + Math.sign(i - a), 0), last);
  reader.take(chunk, inner, out);
  const before = out.height;
  reader.take(chunk, j * chunk.size + i, out);
  const steps = Math.max(Math.abs(a - i), Math.abs(b - j));
  out.height += Math.min(steps, 1) * (out.height - before);
}

/** Heights far around a tile, every eighth sample: where mountains that cast shadows stand. */
export interface FarHeights {
  /** Samples along an edge. */
  side: number;
  /** Number of the first one, in the tile's samples: negative. */
  first: number;
  /** Samples of the tile between two of these. */
  step: number;
  /** 1/16 block; very low where nothing is known. */
  height: Int32Array;
  /** Whether all of them are known. */
  complete: boolean;
}

const farStep = 8;
const farReach = 20; // steps beyond each edge

/** Reads the heights around the tile (x, y) of a level. */
export function farHeights(
  reader: SampleReader,
  size: number,
  lod: number,
  x: number,
  y: number,
): FarHeights {
  const side = size / farStep + 1 + 2 * farReach;
  const first = -farReach * farStep;
  const height = new Int32Array(side * side);
  const sample: Sample = { height: 0, water: 0, biome: 0, forest: 0 };
  let complete = true;
  for (let b = 0, k = 0; b < side; ++b) {
    for (let a = 0; a < side; ++a, ++k) {
      const i = x * size + first + a * farStep;
      const j = y * size + first + b * farStep;
      const known = reader.nested(lod, i, j, sample);
      height[k] = known ? sample.height : noWater;
      complete &&= known !== undefined;
    }
  }
  return { side, first, step: farStep, height, complete };
}
