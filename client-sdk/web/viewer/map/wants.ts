/** Which bundles the tiles in view are painted from, and in which order they are wanted. Pure. */
import { bundleChunks, keyOf } from './bundle.js';
import type { BundleKey } from './bundle.js';
import type { Want } from './bundles.js';
import type { Legend } from './legend.js';
import { bundlesOf, levelFor, reliefApron, tilePixels } from './level.js';

/** A tile of the map: its zoom, at most 0, and its place in tiles. */
export interface TilePlace {
  zoom: number;
  x: number;
  y: number;
}

/** A tile in view. */
export interface SeenTile extends TilePlace {
  /** From the middle, in tiles. */
  distance: number;
  /** Nothing is painted on it yet. */
  isBlank: boolean;
}

/** Levels above at which land is shown first, while the finer comes. */
const previewLevels = 3;
const far = 1e4; // beyond any distance

/** The bundles of a tile. @param withApron  those that only shade it, too */
export function bundlesOfTile(legend: Legend, tile: TilePlace, withApron: boolean): BundleKey[] {
  const apron = withApron ? reliefApron : 0;
  const width = tilePixels + 2 * apron;
  const level = levelFor(legend.world, tile.zoom);
  return bundlesOf(level, tile.x * tilePixels - apron, tile.y * tilePixels - apron, width);
}

/**
 * First coarse land for tiles that are blank, then what is seen, the nearest to the middle first,
 * then what shades its edges and is seen next.
 * @param has  whether a bundle is at hand
 */
export function wantsOf(
  legend: Legend,
  tiles: readonly SeenTile[],
  has: (key: BundleKey) => boolean,
): Want[] {
  const wants = new Map<string, Want>();
  const add = (key: BundleKey, rank: number): void => {
    const text = keyOf(key);
    const old = wants.get(text);
    if (old && old.rank <= rank) return;
    if (isInWorld(key, legend)) wants.set(text, { ...key, rank });
  };
  for (const tile of tiles) {
    const { distance } = tile;
    for (const key of bundlesOfTile(legend, tile, false)) {
      add(key, distance);
      const coarse = coarser(key, legend);
      if (coarse && tile.isBlank && !has(key)) add(coarse, distance - far);
    }
    // beyond the coarsest level a screen takes a hundred bundles: no more than those
    if (levelFor(legend.world, tile.zoom).stride > 1) continue;
    for (const key of bundlesOfTile(legend, tile, true)) add(key, distance + far);
  }
  return [...wants.values()];
}

/** The bundle that is shown before another one; undefined where there is no coarser. */
function coarser(key: BundleKey, { world }: Legend): BundleKey | undefined {
  const lod = Math.min(key.lod + previewLevels, world.maxLod);
  if (key.stride > 1 || lod === key.lod) return undefined;
  const scale = 2 ** (lod - key.lod);
  return { lod, x: Math.floor(key.x / scale), y: Math.floor(key.y / scale), stride: 1 };
}

/** Whether any block of a bundle lies in the world. */
function isInWorld(key: BundleKey, { world }: Legend): boolean {
  const reach = bundleChunks * world.chunkSize * 2 ** key.lod;
  const low = Number(world.minBlockCoordinate);
  const high = Number(world.maxBlockCoordinate);
  const isWithin = (at: number): boolean => at * reach <= high && (at + 1) * reach > low;
  return isWithin(key.x) && isWithin(key.y);
}
