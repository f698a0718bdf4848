const span = 2000; // milliseconds that rates are taken over
const slowFrame = 80; // milliseconds
const fastFrame = 24;
const bluntest = 0.65;
const roughest = 3; // pixels
const patience = 1500; // milliseconds between two changes of the picture's size

/** Counts what happens in the last seconds, and how far frames are from being smooth. */
export class Rates {
  readonly #chunks: { at: number; bytes: number }[] = [];
  readonly #frames: number[] = [];
  #mean = 50;
  #tolerance: number;
  #sharpness: number;
  #judged = performance.now();

  /** @param slow whether frames are slow from the start, as far as one knows */
  constructor(slow: boolean) {
    this.#tolerance = slow ? roughest : 1.6;
    this.#sharpness = slow ? bluntest : 1;
  }

  /** A frame has come, so many milliseconds after the one before. */
  frame(milliseconds: number): void {
    const now = performance.now();
    this.#frames.push(now);
    while (this.#frames.length > 0 && now - this.#frames[0] > span) this.#frames.shift();
    this.#mean += (Math.min(milliseconds, 400) - this.#mean) * 0.08;
    if (this.#mean > slowFrame) this.#tolerance = Math.min(this.#tolerance * 1.03, roughest);
    if (this.#mean < fastFrame) this.#tolerance = Math.max(this.#tolerance / 1.03, 1);
    if (now - this.#judged < patience) return;
    this.#judged = now;
    if (this.#mean > slowFrame) this.#sharpness = Math.max(this.#sharpness - 0.1, bluntest);
    if (this.#mean < fastFrame) this.#sharpness = Math.min(this.#sharpness + 0.1, 1);
  }

  /** Pixels drawn for each of the screen's, along an edge: fewer where frames are slow. */
  get sharpness(): number {
    return Math.round(this.#sharpness * 20) / 20;
  }

  chunk(bytes: number): void {
    this.#chunks.push({ at: performance.now(), bytes });
  }

  /** Pixels by which meshes may miss the land: more where frames are slow. */
  tolerance(): number {
    return this.#tolerance;
  }

  /** Per second. */
  read(): { frames: number; chunks: number; bytes: number } {
    const now = performance.now();
    while (this.#chunks.length > 0 && now - this.#chunks[0].at > span) this.#chunks.shift();
    const bytes = this.#chunks.reduce((sum, chunk) => sum + chunk.bytes, 0);
    const seconds = span / 1000;
    return {
      frames: this.#frames.length / seconds,
      chunks: this.#chunks.length / seconds,
      bytes: bytes / seconds,
    };
  }
}
