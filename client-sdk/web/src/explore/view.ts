/** What a viewer has in view: explore.proto says what that means. */
import { type Tile, tileAt } from '../chunk.js';
import type { Pose } from './pose.js';

/** Levels of detail that there can be. */
export const maxLod = 16;
/** Tiles, of each level. */
export const maxViewDistance = 64;
const margin = 2; // tiles that a tile may be out of view and still in range
const maxChunkCoordinate = 2 ** 40; // at lod 0

/** A tile as a key of maps and sets. */
export function keyOf(tile: Tile): string {
  return `${tile.lod}/${tile.x},${tile.y}`;
}

/** The largest chunk coordinate of a level, on either axis and of either sign. */
export function maxCoordinate(lod: number): number {
  return maxChunkCoordinate / 2 ** lod;
}

/** The view of a viewer who moves. */
export class ViewRange {
  /** Samples along one edge of a chunk; 0: not known yet, and nothing is in view. */
  chunkSize = 0;
  pose: Required<Pose> | undefined;

  /** @param distances  by lod: radius in tiles; 0: nothing of that level */
  constructor(private readonly distances: readonly number[]) {}

  /** Whether a tile is of a level in view, and in the world. */
  exists(tile: Tile): boolean {
    const most = maxCoordinate(tile.lod);
    return (
      (this.distances[tile.lod] ?? 0) > 0 && Math.abs(tile.x) <= most && Math.abs(tile.y) <= most
    );
  }

  isInView(tile: Tile): boolean {
    return this.isWithin(tile, 0);
  }

  isInRange(tile: Tile): boolean {
    return this.isWithin(tile, margin);
  }

  /** The tile of the finest level that holds the viewer. */
  underfoot(): Tile | undefined {
    const lod = this.distances.findIndex((distance) => distance > 0);
    if (this.chunkSize === 0 || this.pose === undefined || lod < 0) return undefined;
    return tileAt(this.pose.x, this.pose.y, lod, this.chunkSize);
  }

  /** An upper bound of how many tiles are in range at once. */
  maxTiles(): number {
    return this.distances
      .filter((distance) => distance > 0)
      .reduce((sum, distance) => sum + (2 * (distance + margin) + 1) ** 2, 0);
  }

  private isWithin(tile: Tile, more: number): boolean {
    if (this.chunkSize === 0 || this.pose === undefined || !this.exists(tile)) return false;
    const here = tileAt(this.pose.x, this.pose.y, tile.lod, this.chunkSize);
    const reach = this.distances[tile.lod] + more;
    return (tile.x - here.x) ** 2 + (tile.y - here.y) ** 2 <= reach ** 2;
  }
}
