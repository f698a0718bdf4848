/** How long a viewer waits for the chunk that it stands on. */
import type { Tile } from '../chunk.js';
import type { HeldChunks } from './held.js';

/** Measures from a jump to the chunk underfoot. Times are the caller's, in milliseconds. */
export class Underfoot {
  /** Milliseconds that it took after the latest jump; 0: it hasn't come. */
  took = 0;
  private jumped: number | undefined; // while it has not come

  /**
   * The viewer has moved. A jump is a move to where neither the chunk underfoot nor one beside it
   * is at hand; walking on while that has not come is none.
   */
  moved(
    from: Tile | undefined,
    to: Tile | undefined,
    held: HeldChunks,
    now: number,
    isFirst: boolean,
  ): void {
    if (isFirst) this.jumped = now;
    if (to === undefined || from === undefined || (to.x === from.x && to.y === from.y)) return;
    const isStep = Math.abs(to.x - from.x) <= 1 && Math.abs(to.y - from.y) <= 1;
    if (this.jumped !== undefined && isStep) return;
    for (const y of [-1, 0, 1]) {
      for (const x of [-1, 0, 1]) {
        const beside = { lod: to.lod, x: to.x + x, y: to.y + y };
        if (held.holds(beside) || held.keeps(beside)) return;
      }
    }
    this.jumped = now;
    this.took = 0;
  }

  /** Looks whether the chunk has come. */
  look(at: Tile | undefined, held: HeldChunks, now: number): void {
    if (this.jumped === undefined || at === undefined || !held.holds(at)) return;
    this.took = Math.max(now - this.jumped, 0.001);
    this.jumped = undefined;
  }
}
