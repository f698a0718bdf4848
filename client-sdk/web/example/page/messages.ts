/** What the page and its worker say to each other. Plain values: they are posted. */
import type { Tile } from '@terrane/client';

/** Samples along one edge of a tile of the map; a multiple of every world's chunks. */
export const tilePixels = 256;

/** A tile of the map, which counts tiles of its level; and the block that the pointer is on. */
export type Request =
  | { type: 'open'; core: Uint8Array; file: Uint8Array }
  | { type: 'paint'; seed: string; tile: Tile }
  | { type: 'tell'; seed: string; x: number; y: number };

export type Answer =
  | { type: 'opened'; title: string; maxLod: number }
  | { type: 'painted'; seed: string; tile: Tile; pixels: Uint8ClampedArray<ArrayBuffer> }
  | { type: 'told'; text: string }
  | { type: 'failed'; message: string };
