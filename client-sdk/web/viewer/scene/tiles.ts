import type { DecodedChunk, Tile } from '../../src/index.js';
import type { Surface } from './surface.js';
import { allQuarters, type Quarters } from './patch_grid.js';

/**
 * Which tiles there are around one, bit by bit: of its level (see `TileSet.around`), and of the two
 * levels after it, 5 × 5 each, which stand in where those of its own are missing.
 */
export type Context = readonly [number, number, number];

const nothing: Context = [0, 0, 0];
const allAround = 0x1ff;

/** Whether tiles have come since. */
export function hasGrown(now: Context, before: Context): boolean {
  return now.some((bits, k) => (bits & ~before[k]) !== 0);
}

/** A tile as the scene holds it. */
export interface SceneTile {
  readonly tile: Tile;
  readonly chunk: DecodedChunk;
  /** What is drawn of it; undefined until it has been made once. */
  surface?: Surface;
  /** What its surface was made with, as `TileSet.context` says. */
  context: Context;
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

  /** Takes a chunk. Tiles beside it that now have all of theirs around them become stale. */
  add(tile: Tile, chunk: DecodedChunk): SceneTile {
    const added: SceneTile = {
      tile,
      chunk,
      context: nothing,
      complete: false,
      stale: true,
      busy: false,
      quarters: 0,
    };
    const { lod, x, y } = tile;
    this.tiles.set(tileKey(lod, x, y), added);
    for (let bit = 0; bit < 9; ++bit) {
      const other = this.get(lod, x + (bit % 3) - 1, y + Math.floor(bit / 3) - 1);
      if (!other || other.context[0] === allAround) continue;
      if (this.around(other.tile) === allAround) other.stale = true;
    }
    return added;
  }

  /** Those whose surfaces could do better with what has come since become stale. */
  revise(): void {
    for (const one of this.tiles.values()) {
      if (one.complete || one.stale) continue;
      one.stale = hasGrown(this.context(one.tile), one.context);
    }
  }

  remove(tile: Tile): SceneTile | undefined {
    const key = tileKey(tile.lod, tile.x, tile.y);
    const removed = this.tiles.get(key);
    this.tiles.delete(key);
    return removed;
  }

  /** Which of the tiles around this one are loaded: bit (dx + 1) + 3 * (dy + 1). */
  around({ lod, x, y }: Tile): number {
    return this.#near(lod, x, y, 1);
  }

  /** What a surface of this tile would be made with now. */
  context({ lod, x, y }: Tile): Context {
    return [
      this.#near(lod, x, y, 1),
      this.#near(lod + 1, Math.floor(x / 2), Math.floor(y / 2), 2),
      this.#near(lod + 2, Math.floor(x / 4), Math.floor(y / 4), 2),
    ];
  }

  #near(lod: number, x: number, y: number, reach: number): number {
    if (lod >= this.levels) return 0;
    let bits = 0;
    let bit = 1;
    for (let dy = -reach; dy <= reach; ++dy) {
      for (let dx = -reach; dx <= reach; ++dx, bit *= 2) {
        if (this.tiles.has(tileKey(lod, x + dx, y + dy))) bits |= bit;
      }
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
