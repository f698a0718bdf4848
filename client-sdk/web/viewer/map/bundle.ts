/** A bundle of 8 x 8 decoded chunks as one square of samples: what the map keeps and paints. */
import { firstBlock } from '../../src/index.js';
import type { DecodedChunk, Layers, Placement, Room, Structure, Tile } from '../../src/index.js';

/** Chunks along an edge of a bundle. */
export const bundleChunks = 8;

/** Which bundle, and how it is kept. */
export interface BundleKey {
  lod: number;
  /** Bundles of this level from the origin. */
  x: number;
  y: number;
  /** Every how many samples one is kept: 1, or more where land is seen from beyond maxLod. */
  stride: number;
}

/** As text: equal for equal keys. */
export function keyOf(key: BundleKey): string {
  return `${key.lod}/${key.x}/${key.y}/${key.stride}`;
}

/** What stands in a bundle, in blocks of the world. */
export interface Objects {
  placements: Placement[];
  structures: Structure[];
  rooms: Room[];
}

/** A decoded bundle. */
export interface Bundle extends BundleKey, Objects {
  /** Samples along an edge that are kept. */
  size: number;
  layers: Layers;
  /** 64 flags, row by row: 1 where the chunk has come. */
  known: Uint8Array;
  /** How many of them there are: fewer at the world's edge. */
  chunks: number;
  /** About what it takes of memory. */
  bytes: number;
}

const arrays = {
  height: Int32Array,
  temperature: Int16Array,
  humidity: Int16Array,
  biome: Uint8Array,
  water: Int32Array,
  forest: Uint8Array,
  rocks: Uint8Array,
} as const;
const names = Object.keys(arrays) as (keyof typeof arrays)[];

/**
 * An empty bundle, to add chunks to.
 * @param chunkSize  samples along an edge of a chunk
 * @param farthest   the largest chunk coordinate of lod 0
 */
export function emptyBundle(key: BundleKey, chunkSize: number, farthest: number): Bundle {
  const { lod, x, y, stride } = key;
  const last = Math.floor(farthest / 2 ** lod);
  const along = (first: number): number =>
    Math.min(first + bundleChunks - 1, last) - Math.max(first, -last) + 1;
  return {
    ...{ lod, x, y, stride },
    size: (bundleChunks * chunkSize) / stride,
    layers: {},
    known: new Uint8Array(bundleChunks * bundleChunks),
    chunks: along(x * bundleChunks) * along(y * bundleChunks),
    ...{ placements: [], structures: [], rooms: [] },
    bytes: 0,
  };
}

/** Copies a chunk into its place. Tiles that are not of the bundle are left out. */
export function addChunk(bundle: Bundle, tile: Tile, chunk: DecodedChunk): void {
  const column = tile.x - bundle.x * bundleChunks;
  const row = tile.y - bundle.y * bundleChunks;
  const size = bundle.size / bundleChunks;
  const isOurs = column >= 0 && row >= 0 && column < bundleChunks && row < bundleChunks;
  if (!isOurs || chunk.size !== size * bundle.stride) return;
  for (const name of names) {
    const from = chunk.layers[name];
    if (!from) continue;
    let to = bundle.layers[name];
    if (!to) {
      to = new arrays[name](bundle.size * bundle.size);
      bundle.layers = { ...bundle.layers, [name]: to };
      bundle.bytes += to.byteLength;
    }
    copyInto(to, row * size * bundle.size + column * size, bundle, from, chunk.size);
  }
  addObjects(bundle, firstBlock(tile, chunk.size), chunk);
  bundle.known[row * bundleChunks + column] = 1;
}

function copyInto(
  to: NonNullable<Layers[keyof Layers]>,
  first: number,
  bundle: Bundle,
  from: NonNullable<Layers[keyof Layers]>,
  chunkSize: number,
): void {
  const { stride } = bundle;
  const size = chunkSize / stride;
  for (let row = 0; row < size; row += 1) {
    const start = row * stride * chunkSize;
    const at = first + row * bundle.size;
    if (stride === 1) {
      to.set(from.subarray(start, start + size), at);
    } else {
      for (let i = 0; i < size; i += 1) to[at + i] = from[start + i * stride]!;
    }
  }
}

function addObjects(to: Bundle, origin: { x: number; y: number }, chunk: DecodedChunk): void {
  const { x, y } = origin;
  for (const placement of chunk.placements) {
    to.placements.push({ ...placement, x: placement.x + x, y: placement.y + y });
  }
  for (const one of chunk.structures) {
    to.structures.push({
      ...one,
      ...{ x: one.x + x, y: one.y + y, fromX: one.fromX + x, fromY: one.fromY + y },
      ...{ toX: one.toX + x, toY: one.toY + y },
    });
  }
  for (const room of chunk.rooms) {
    to.rooms.push({
      ...room,
      ...{ x: room.x + x, y: room.y + y },
      ...{ structureX: room.structureX + x, structureY: room.structureY + y },
    });
  }
  to.bytes += 96 * (chunk.placements.length + chunk.structures.length + chunk.rooms.length);
}

/** Whether all its chunks have come. */
export function isComplete(bundle: Bundle): boolean {
  return bundle.known.reduce((sum, flag) => sum + flag, 0) === bundle.chunks;
}

/** Blocks between kept samples. */
export function spacingOf(key: { lod: number; stride: number }): number {
  return 2 ** key.lod * key.stride;
}
