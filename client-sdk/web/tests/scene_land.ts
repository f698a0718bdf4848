// A made-up land for tests of the scene: chunks of any level, and surfaces of them.
import type { DecodedChunk } from '../src/index.js';
import { SampleReader, farHeights, paddedGrid } from '../viewer/scene/grid.js';
import type { GroundColors } from '../viewer/scene/ground_paint.js';
import { buildSurface, type Surface } from '../viewer/scene/surface.js';
import { TileSet } from '../viewer/scene/tiles.js';

export const size = 64;
export const maxLod = 3;
const seaLevel = 0;

/** Hills, ridges and a rough ground, 1/16 block. */
export function heightOf(x: number, y: number): number {
  const hills = 60 * Math.sin(x / 90) * Math.cos(y / 70) + 18 * Math.sin((x + 2 * y) / 23);
  const rough = 2 * Math.sin(x * 1.7 + y * 0.6) + 1.5 * Math.cos(y * 2.3 - x);
  return Math.round(16 * (100 + hills + rough));
}

/** A chunk of that land. */
export function chunkAt(lod: number, x: number, y: number): DecodedChunk {
  const spacing = 2 ** lod;
  const height = new Int32Array(size * size);
  for (let j = 0, k = 0; j < size; ++j) {
    for (let i = 0; i < size; ++i, ++k) {
      height[k] = heightOf((x * size + i) * spacing, (y * size + j) * spacing);
    }
  }
  return { size, lod, layers: { height }, placements: [], structures: [], rooms: [] };
}

/** Tiles of that land, by lod, x, y. */
export function tilesOf(all: readonly (readonly [number, number, number])[]): TileSet {
  const tiles = new TileSet(maxLod + 1);
  for (const [lod, x, y] of all) tiles.add({ lod, x, y }, chunkAt(lod, x, y));
  return tiles;
}

export function readerOf(tiles: TileSet): SampleReader {
  return new SampleReader((lod, x, y) => tiles.get(lod, x, y)?.chunk, size, { level: seaLevel });
}

const colors: GroundColors = {
  ground: new Uint8Array(3 * 256).fill(90),
  canopy: new Uint8Array(3 * 256).fill(60),
  frozen: new Uint8Array(256),
};

/** What is drawn of one of the tiles. */
export function surfaceOf(tiles: TileSet, lod: number, x: number, y: number): Surface {
  const chunk = tiles.get(lod, x, y)?.chunk;
  if (!chunk) throw new Error(`no tile ${lod}/${x}/${y}`);
  const reader = readerOf(tiles);
  const grid = paddedGrid(reader, chunk, x, y);
  const far = farHeights(reader, size, lod, x, y);
  const input = { size, lod, grid, far, casters: [], sun: [0.5, 0.5, 0.7] as const, merged: false };
  return buildSurface(input, colors);
}
