import type { DecodedChunk, Tile } from '../../src/index.js';
import type { Surface } from './surface.js';
import { allQuarters, type Quarters } from './patch_grid.js';

/** A tile as the scene holds it. */
export interface SceneTile {
  readonly tile: Tile;
  readonly chunk: DecodedChunk;
  /** What is drawn of it; undefined until it has been made once. */
  surface?: Surface;
  /** Which of the tiles around it its surface was made with, as `TileSet.around` says. */
  around: number;
  /** Whether all land was known that its surface depends on. */
  complete: boolean;
  /** Its surface is to be made, or made anew. */
  stale: boolean;
  /** Its surface is being made. */
  busy: boolean;
  /** Quarters that no finer tile shows. */
  quarters: Quarters;
}

/** A tile's name among all tiles. */
export function tileKey(lod: number, x: number, y: number): string {
  return `${lod}/${x}/${y}`;
}

/** The tiles that are loaded, and which of them shows what. */
export class TileSet {
  readonly tiles = new Map<string, SceneTile>();

  constructor(private readonly levels: number) {}

  get(lod: number, x: number, y: number): SceneTile | undefined {
    return this.tiles.get(tileKey(lod, x, y));
  }

  /** Takes a chunk; those around it that could do better with it become stale. */
  add(tile: Tile, chunk: DecodedChunk): SceneTile {
    const added: SceneTile = {
      tile,
      chunk,
      around: 0,
      complete: false,
      stale: true,
      busy: false,
      quarters: 0,
    };
    this.tiles.set(tileKey(tile.lod, tile.x, tile.y), added);
    for (let bit = 0; bit < 9; ++bit) {
      const other = this.get(tile.lod, tile.x + (bit % 3) - 1, tile.y + Math.floor(bit / 3) - 1);
      if (other && !(other.around & (1 << (8 - bit)))) other.stale = true;
    }
    return added;
  }

  remove(tile: Tile): SceneTile | undefined {
    const key = tileKey(tile.lod, tile.x, tile.y);
    const removed = this.tiles.get(key);
    this.tiles.delete(key);
    return removed;
  }

  /** Which of the tiles around this one are loaded: bit (dx + 1) + 3 * (dy + 1). */
  around(tile: Tile): number {
    let bits = 0;
    for (let bit = 0; bit < 9; ++bit) {
      const dx = (bit % 3) - 1;
      const dy = Math.floor(bit / 3) - 1;
      if (this.get(tile.lod, tile.x + dx, tile.y + dy)) bits |= 1 << bit;
    }
    return bits;
  }

  /** Decides anew which quarters of which tiles are drawn. */
  share(): void {
    for (const one of this.tiles.values()) {
      one.quarters = one.surface ? this.#uncovered(one.tile) : 0;
    }
  }

  #uncovered({ lod, x, y }: Tile): Quarters {
    if (lod === 0) return allQuarters;
    let quarters = 0;
    for (let quarter = 0; quarter < 4; ++quarter) {
      if (!this.#covered(lod - 1, 2 * x + (quarter & 1), 2 * y + (quarter >> 1))) {
        quarters |= 1 << quarter;
      }
    }
    return quarters;
  }

  #covered(lod: number, x: number, y: number): boolean {
    if (this.get(lod, x, y)?.surface) return true;
    if (lod === 0) return false;
    for (let quarter = 0; quarter < 4; ++quarter) {
      if (!this.#covered(lod - 1, 2 * x + (quarter & 1), 2 * y + (quarter >> 1))) return false;
    }
    return true;
  }

  /** The loaded chunk of the finest level that covers a block; undefined: none does. */
  finest(x: number, y: number, size: number): SceneTile | undefined {
    for (let lod = 0; lod < this.levels; ++lod) {
      const width = size * 2 ** lod;
      const found = this.get(lod, Math.floor(x / width), Math.floor(y / width));
      if (found) return found;
    }
    return undefined;
  }
}
