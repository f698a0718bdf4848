/** Decoding beside the page's own thread. */
import type { DecodedChunk, LayerName, ListName } from './chunk.js';
import { FormatError, TerraneError } from './errors.js';
import type { WorkerAnswer, WorkerRequest } from './worker_messages.js';

/** What a pool needs of a Web Worker. */
export interface WorkerLike {
  onmessage: ((event: MessageEvent) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
  onmessageerror: ((event: MessageEvent) => void) | null;
  postMessage(message: unknown, transfer: Transferable[]): void;
  terminate(): void;
}

/** Starts a worker that runs the script of src/worker.ts. */
export type StartWorker = (url: string | URL) => WorkerLike;

const startWebWorker: StartWorker = (url) => new Worker(url, { type: 'module' });

const maxInHand = 2; // jobs of one worker: it need not wait for the next
const maxTries = 2; // of a job, whose workers have broken
const maxStarts = 3; // of workers that break before they have answered anything

interface Job {
  readonly id: number;
  readonly bytes: Uint8Array;
  readonly wanted?: readonly (LayerName | ListName)[];
  tries: number;
  readonly resolve: (chunk: DecodedChunk) => void;
  readonly reject: (reason: unknown) => void;
}

interface Hand {
  readonly worker: WorkerLike;
  readonly jobs: Map<number, Job>;
}

/** Decodes chunks in Web Workers. Jobs are begun in the order of the calls. */
export class DecoderPool {
  private readonly waiting = new Map<number, Job>();
  private readonly hands: Hand[] = [];
  private nextId = 0;
  private failedStarts = 0;
  private closed = false;

  /**
   * @param workerUrl  of the script `worker.js`, of the page's own origin
   * @param workers  how many; as many as there are processors but one, at most 4
   */
  constructor(
    private readonly workerUrl: string | URL,
    private readonly workers = defaultWorkers(),
    private readonly startWorker: StartWorker = startWebWorker,
  ) {}

  /**
   * Decodes a chunk. `bytes` is copied, and remains the caller's.
   * @param wanted  which layers to decode; none: all that there are
   * @throws FormatError for damaged bytes, the signal's reason, or TerraneError CANCELLED after
   *     close() and INTERNAL when workers do not run
   */
  decode(
    bytes: Uint8Array,
    signal?: AbortSignal,
    wanted?: readonly (LayerName | ListName)[],
  ): Promise<DecodedChunk> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      if (this.closed) return reject(closedError());
      const id = this.nextId++;
      const abort = () => this.drop(id, signal?.reason);
      const done = () => signal?.removeEventListener('abort', abort);
      signal?.addEventListener('abort', abort, { once: true });
      this.waiting.set(id, {
        id,
        bytes,
        wanted,
        tries: 0,
        resolve: (chunk) => (done(), resolve(chunk)),
        reject: (reason) => (done(), reject(reason)),
      });
      this.handOut();
    });
  }

  /** Stops the workers; whatever is not done is rejected. */
  close(): void {
    this.closed = true;
    this.rejectAll(closedError());
    for (const hand of this.hands.splice(0)) hand.worker.terminate();
  }

  /** Gives waiting jobs to workers that have room. */
  private handOut(): void {
    for (const job of this.waiting.values()) {
      const hand = this.findHand();
      if (hand === undefined) return;
      this.waiting.delete(job.id);
      hand.jobs.set(job.id, job);
      ++job.tries;
      const bytes = job.bytes.slice(); // else all of the buffer that it is a part of is sent
      const request: WorkerRequest = { id: job.id, bytes, wanted: job.wanted };
      hand.worker.postMessage(request, [bytes.buffer as ArrayBuffer]);
    }
  }

  /** The worker to give the next job to: the one with the least to do. */
  private findHand(): Hand | undefined {
    const idlest = this.hands.reduce<Hand | undefined>(
      (best, hand) => (best === undefined || hand.jobs.size < best.jobs.size ? hand : best),
      undefined,
    );
    if (idlest?.jobs.size === 0) return idlest;
    if (this.hands.length < this.workers) return this.start();
    return idlest !== undefined && idlest.jobs.size < maxInHand ? idlest : undefined;
  }

  /** @returns undefined if the page may not start workers: then all jobs have been rejected */
  private start(): Hand | undefined {
    try {
      const hand: Hand = { worker: this.startWorker(this.workerUrl), jobs: new Map() };
      hand.worker.onmessage = (event) => this.answer(hand, event.data as WorkerAnswer);
      hand.worker.onerror = (event) => this.replace(hand, event.message);
      hand.worker.onmessageerror = () => this.replace(hand, 'an answer could not be read');
      this.hands.push(hand);
      return hand;
    } catch (cause) {
      this.rejectAll(workerError(String(cause)));
      return undefined;
    }
  }

  private answer(hand: Hand, answer: WorkerAnswer): void {
    this.failedStarts = 0;
    const job = hand.jobs.get(answer.id);
    hand.jobs.delete(answer.id);
    if (job !== undefined) {
      if ('chunk' in answer) job.resolve(answer.chunk);
      else job.reject(new FormatError(answer.damage));
    }
    this.handOut();
  }

  /** Takes a broken worker out: its jobs go to others, unless they may be what broke it. */
  private replace(hand: Hand, message: string | undefined): void {
    const at = this.hands.indexOf(hand);
    if (at < 0) return;
    this.hands.splice(at, 1);
    hand.worker.terminate();
    const error = workerError(message || 'its script could not be loaded');
    if (++this.failedStarts >= maxStarts) {
      this.failedStarts = 0;
      for (const job of hand.jobs.values()) job.reject(error);
      return this.rejectAll(error);
    }
    const again = [...hand.jobs.values()].filter((job) => job.tries < maxTries);
    for (const job of hand.jobs.values()) if (job.tries >= maxTries) job.reject(error);
    const others = [...this.waiting.values()];
    this.waiting.clear();
    for (const job of [...again, ...others]) this.waiting.set(job.id, job);
    this.handOut();
  }

  private drop(id: number, reason: unknown): void {
    const job = this.waiting.get(id) ?? this.inHand(id);
    this.waiting.delete(id);
    job?.reject(reason); // what a worker has begun it ends: the answer is then nobody's
  }

  private inHand(id: number): Job | undefined {
    return this.hands.find((hand) => hand.jobs.has(id))?.jobs.get(id);
  }

  private rejectAll(reason: unknown): void {
    const jobs = [
      ...this.waiting.values(),
      ...this.hands.flatMap((hand) => [...hand.jobs.values()]),
    ];
    this.waiting.clear();
    for (const job of jobs) job.reject(reason);
  }
}

function defaultWorkers(): number {
  const processors = globalThis.navigator?.hardwareConcurrency ?? 2;
  return Math.min(4, Math.max(1, processors - 1));
}

function workerError(what: string): TerraneError {
  return new TerraneError({
    status: 'INTERNAL',
    message: `the decoder's worker has failed: ${what}`,
  });
}

function closedError(): TerraneError {
  return new TerraneError({ status: 'CANCELLED', message: 'the DecoderPool is closed' });
}
