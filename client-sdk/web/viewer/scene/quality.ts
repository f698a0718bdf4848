const slowFrame = 70; // milliseconds
const fastFrame = 24;
const longestFrame = 400; // what took longer was no drawing
const bluntest = 0.5;
const roughest = 4; // pixels
const patience = 700; // milliseconds between two changes of the picture's size
const atRest = 0.8; // of a slow machine's picture, for ten frames a second still
const rest = 500; // milliseconds that the eye stands still before the picture is made sharp

/** How a frame came about. */
export interface FrameReport {
  /** When it was begun, milliseconds. */
  now: number;
  /** Since the one before. */
  took: number;
  /** Whether the eye has moved. */
  moves: boolean;
  /** Whether more of the land is still to come. */
  waits: boolean;
}

/**
 * Gives up some of the picture while frames are slow. Where a graphics card draws them in time,
 * nothing is given up; and once the eye stands still the picture has nearly all pixels.
 */
export class Quality {
  /** Pixels by which meshes may miss the land. */
  tolerance: number;
  #mean = 40;
  #moving: number;
  #sharpness: number;
  #judged = -Infinity;
  #lastMove = -Infinity;

  /** @param slow whether frames are slow from the start, as far as one knows */
  constructor(slow: boolean) {
    this.tolerance = slow ? roughest : 1.6;
    this.#moving = slow ? bluntest : 1;
    this.#sharpness = this.#moving;
  }

  /** Pixels drawn for each of the screen's, along an edge. */
  get sharpness(): number {
    return this.#sharpness;
  }

  /** Takes note of a frame. */
  frame({ now, took, moves, waits }: FrameReport): void {
    if (moves) this.#lastMove = now;
    const stands = now - this.#lastMove > rest && !waits;
    // A sharp picture of a land that stands still may take its time: that says nothing.
    const isTelling = !stands || this.#sharpness === this.#moving;
    if (isTelling) this.#judge(now, Math.min(took, longestFrame));
    const calm = this.#moving < 1 ? Math.max(atRest, this.#moving) : 1;
    this.#sharpness = stands ? calm : this.#moving;
  }

  #judge(now: number, took: number): void {
    this.#mean += (took - this.#mean) * 0.12;
    if (this.#mean > slowFrame) this.tolerance = Math.min(this.tolerance * 1.03, roughest);
    if (this.#mean < fastFrame) this.tolerance = Math.max(this.tolerance / 1.03, 1);
    if (now - this.#judged < patience) return;
    this.#judged = now;
    const step = this.#mean > slowFrame ? -0.1 : this.#mean < fastFrame ? 0.1 : 0;
    const next = Math.min(Math.max(this.#moving + step, bluntest), 1);
    this.#moving = Math.round(next * 20) / 20;
  }
}
