/** Workers that paint tiles. */
import type { PaintedTile, PaintJob } from './job.js';

declare const TERRANE_PAINT_WORKER_URL: string;

/** A few painting workers. */
export class Painters {
  private readonly idle: Worker[] = [];
  private readonly all: Worker[] = [];
  private readonly waiting = new Map<number, (pixels: PaintedTile | undefined) => void>();
  private nextId = 1;

  constructor(count: number) {
    for (let i = 0; i < count; i += 1) this.add();
  }

  get isIdle(): boolean {
    return this.waiting.size === 0;
  }

  get hasRoom(): boolean {
    return this.idle.length > 0;
  }

  /** Only while `hasRoom`. @returns undefined where the worker broke */
  paint(job: PaintJob): Promise<PaintedTile | undefined> {
    const worker = this.idle.pop();
    if (!worker) return Promise.resolve(undefined);
    const id = this.nextId;
    this.nextId += 1;
    return new Promise((resolve) => {
      const finish = (pixels: PaintedTile | undefined): void => {
        this.waiting.delete(id);
        this.idle.push(worker);
        resolve(pixels);
      };
      this.waiting.set(id, finish);
      worker.onmessage = (event: MessageEvent<{ pixels: PaintedTile }>) =>
        finish(event.data.pixels);
      worker.onerror = () => finish(undefined);
      worker.postMessage({ id, job }, transferable(job));
    });
  }

  close(): void {
    for (const worker of this.all) worker.terminate();
  }

  private add(): void {
    const worker = new Worker(new URL(TERRANE_PAINT_WORKER_URL, document.baseURI), {
      type: 'module',
    });
    this.all.push(worker);
    this.idle.push(worker);
  }
}

function transferable(job: PaintJob): Transferable[] {
  const arrays = [job.known, job.height, job.depth, job.biome, job.values, job.forest];
  return arrays.flatMap((array) => (array ? [array.buffer] : []));
}
