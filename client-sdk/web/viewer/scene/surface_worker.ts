import type { GroundColors } from './ground_paint.js';
import type { Surface, SurfaceInput } from './surface.js';

declare const TERRANE_SCENE_WORKER_URL: string;

/** What the worker answers with. */
export interface SurfaceAnswer {
  id: number;
  surface: Surface;
}

/** Makes surfaces in a Web Worker, one after the other. */
export class SurfaceWorker {
  readonly #worker: Worker;
  readonly #waiting = new Map<number, (surface: Surface) => void>();
  #next = 0;

  constructor(colors: GroundColors) {
    const url = new URL(TERRANE_SCENE_WORKER_URL, document.baseURI);
    this.#worker = new Worker(url, { type: 'module' });
    this.#worker.postMessage(colors);
    this.#worker.onmessage = ({ data }: MessageEvent<SurfaceAnswer>) => {
      const done = this.#waiting.get(data.id);
      this.#waiting.delete(data.id);
      done?.(data.surface);
    };
  }

  /** How many have been asked for and not made yet. */
  get busy(): number {
    return this.#waiting.size;
  }

  /** Asks for a surface. `input`'s arrays move to the worker. */
  build(input: SurfaceInput, done: (surface: Surface) => void): void {
    const id = this.#next++;
    this.#waiting.set(id, done);
    const { grid, far } = input;
    const arrays = [grid.height, grid.water, grid.biome, grid.forest, far.height];
    this.#worker.postMessage(
      { id, input },
      arrays.map((array) => array.buffer),
    );
  }

  /** Ends it: nothing that was asked for is answered any more. */
  close(): void {
    this.#waiting.clear();
    this.#worker.terminate();
  }
}
