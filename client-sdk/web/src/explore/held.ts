/** The chunks that a viewer has. */
import type { Tile } from '../chunk.js';
import { keyOf, type ViewRange } from './view.js';

/** A chunk with its encoded bytes. */
export interface HeldChunk {
  tile: Tile;
  bytes: Uint8Array;
}

/**
 * The chunks that a viewer holds, which are those that the server takes it to hold, and those kept
 * out of range should the viewer come back. Knows which of this the page has been told: a tile that
 * left and came back between two polls is no news.
 */
export class HeldChunks {
  private readonly held = new Map<string, HeldChunk>();
  /** Out of range: the first to leave first. */
  private readonly kept = new Map<string, HeldChunk>();
  /** Held, and the page does not know: in the order of their coming. */
  private readonly fresh = new Map<string, HeldChunk>();
  /** Not held, but the page believes so. */
  private readonly dropped = new Map<string, Tile>();

  /** @param maxKept  chunks to keep out of range: those that left longest ago go first */
  constructor(private readonly maxKept: number) {}

  holds(tile: Tile): boolean {
    return this.held.has(keyOf(tile));
  }

  keeps(tile: Tile): boolean {
    return this.kept.has(keyOf(tile));
  }

  /** How many are held. */
  get size(): number {
    return this.held.size;
  }

  /** How many the page has not been told of. */
  get waiting(): number {
    return this.fresh.size;
  }

  get hasNews(): boolean {
    return this.fresh.size > 0 || this.dropped.size > 0;
  }

  all(): Tile[] {
    return [...this.held.values()].map(({ tile }) => tile);
  }

  /** From now on this one is held. @param chunk  of a tile that is not */
  add(chunk: HeldChunk): void {
    const key = keyOf(chunk.tile);
    this.held.set(key, chunk);
    if (this.dropped.delete(key)) return; // chunks never change: the page still has this one
    this.fresh.set(key, chunk);
  }

  /** A kept tile is held again. @returns false if it is not kept */
  bringBack(tile: Tile): boolean {
    const key = keyOf(tile);
    const chunk = this.kept.get(key);
    if (chunk === undefined) return false;
    this.kept.delete(key);
    this.add(chunk);
    return true;
  }

  /** Brings back all that are in view, the last to leave first. @returns which */
  bringBackInView(range: ViewRange): Tile[] {
    const inView = [...this.kept.values()].map(({ tile }) => tile).filter((t) => range.isInView(t));
    inView.reverse();
    for (const tile of inView) this.bringBack(tile);
    return inView;
  }

  /** A tile is held no longer, but kept. */
  drop(tile: Tile): void {
    const key = keyOf(tile);
    const chunk = this.held.get(key);
    if (chunk === undefined) return;
    this.held.delete(key);
    if (!this.fresh.delete(key)) this.dropped.set(key, tile);
    this.kept.delete(key);
    this.kept.set(key, chunk);
    if (this.kept.size > this.maxKept) {
      const [oldest] = this.kept.keys();
      this.kept.delete(oldest);
    }
  }

  /** Drops all that are not in range. */
  dropOutOfRange(range: ViewRange): void {
    for (const tile of this.all()) if (!range.isInRange(tile)) this.drop(tile);
  }

  /** What the page is to be told; then it has been. Those dropped come by lod, x and y. */
  takeNews(): { arrived: HeldChunk[]; outOfRange: Tile[] } {
    const arrived = [...this.fresh.values()];
    const outOfRange = [...this.dropped.values()];
    outOfRange.sort((a, b) => a.lod - b.lod || a.x - b.x || a.y - b.y);
    this.fresh.clear();
    this.dropped.clear();
    return { arrived, outOfRange };
  }
}
