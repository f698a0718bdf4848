const span = 2000; // milliseconds that rates are taken over

/** Counts what has happened in the last seconds. */
export class Rates {
  readonly #chunks: { at: number; bytes: number }[] = [];
  readonly #frames: number[] = [];

  /** A frame has been drawn. */
  frame(): void {
    const now = performance.now();
    this.#frames.push(now);
    while (this.#frames.length > 0 && now - this.#frames[0] > span) this.#frames.shift();
  }

  /** A chunk has come. */
  chunk(bytes: number): void {
    this.#chunks.push({ at: performance.now(), bytes });
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
