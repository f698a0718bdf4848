/** Which samples and bundles a zoom of the map is painted from. */
import type { World } from '../../src/index.js';
import { bundleChunks, spacingOf } from './bundle.js';
import type { BundleKey } from './bundle.js';

/** Pixels along an edge of a tile. */
export const tilePixels = 256;
/** Samples around a tile of relief that its light depends on. */
export const reliefApron = 16;

/** How a map's zoom is served: a sample a pixel. */
export interface Level {
  lod: number;
  stride: number;
  /** Blocks between the samples that are shown. */
  spacing: number;
  /** Samples along an edge of a bundle. */
  bundleSize: number;
}

/** @param zoom  whole, at most 0: pixels are 2^-zoom blocks */
export function levelFor(world: World, zoom: number): Level {
  const lod = Math.min(-zoom, world.maxLod);
  const stride = 2 ** (-zoom - lod);
  const bundleSize = (bundleChunks * world.chunkSize) / stride;
  return { lod, stride, spacing: spacingOf({ lod, stride }), bundleSize };
}

/** The bundles that hold a square of samples. */
export function bundlesOf(level: Level, x: number, y: number, width: number): BundleKey[] {
  const { lod, stride, bundleSize } = level;
  const keys: BundleKey[] = [];
  const last = (first: number): number => Math.floor((first + width - 1) / bundleSize);
  for (let by = Math.floor(y / bundleSize); by <= last(y); by += 1) {
    for (let bx = Math.floor(x / bundleSize); bx <= last(x); bx += 1) {
      keys.push({ lod, x: bx, y: by, stride });
    }
  }
  return keys;
}

/** A square of samples of a level. */
export interface Square {
  /** The first one, in samples of the level from the origin. */
  x: number;
  y: number;
  /** Samples along an edge. */
  width: number;
  level: Level;
}
