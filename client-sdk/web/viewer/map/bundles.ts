/** Asks for bundles, a handful at once and the nearest first, and keeps those used lately. */
import { TerraneError } from '../../src/index.js';
import type { DecodedChunk, Tile, Variant } from '../../src/index.js';
import type { App } from '../app.js';
import { addChunk, emptyBundle, isComplete, keyOf } from './bundle.js';
import type { Bundle, BundleKey } from './bundle.js';

/** A bundle that is asked for. */
export interface Want extends BundleKey {
  /** Smaller ones first. */
  rank: number;
}

interface Request {
  abort: AbortController;
}

const requestsAtOnce = 5;
const retryAfterMs = 1000;
const mostRetryMs = 8000;
const mostTries = 3; // of bytes that are damaged

/** The bundles of one variant. */
export class Bundles {
  /** Called when one has come, or has been completed. */
  onBundle: (bundle: Bundle) => void = () => {};
  /** Requests that were sent since the start: tests look at it. */
  requests = 0;
  private readonly kept = new Map<string, Bundle>(); // used longest ago first
  private readonly running = new Map<string, Request>();
  /** When a failed one may be asked for again, and how often it has failed. */
  private readonly failed = new Map<string, { at: number; times: number; forGood: boolean }>();
  /** By key, the most wanted first. */
  private wants = new Map<string, Want>();
  private bytes = 0;
  private timer = 0;
  private isClosed = false;
  private isRefused = false;
  private readonly stopListening: () => void;

  /** @param budget  bytes of decoded bundles that are kept at most, and what is in view */
  constructor(
    private readonly app: App,
    readonly variant: Variant,
    readonly chunkSize: number,
    private readonly budget: number,
  ) {
    this.stopListening = app.on('server', (isThere) => {
      if (!isThere) return;
      this.failed.clear();
      this.isRefused = false;
      this.pump();
    });
  }

  /** One that is at hand. */
  get(key: BundleKey): Bundle | undefined {
    return this.kept.get(keyOf(key));
  }

  /** All that are at hand. */
  all(): IterableIterator<Bundle> {
    return this.kept.values();
  }

  /** Says what is wanted from now on. What is under way and is no longer wanted is given up. */
  want(wants: Want[]): void {
    wants.sort((a, b) => a.rank - b.rank);
    this.wants = new Map(wants.map((want) => [keyOf(want), want]));
    for (const [key, request] of this.running) {
      if (!this.wants.has(key)) request.abort.abort();
    }
    for (const key of [...this.wants.keys()].reverse()) this.touch(key);
    this.evict();
    this.pump();
  }

  /** Whether a wanted bundle may still come. */
  isPending(key: BundleKey): boolean {
    const text = keyOf(key);
    return !this.isRefused && this.wants.has(text) && this.isMissing(text);
  }

  close(): void {
    this.isClosed = true;
    this.stopListening();
    window.clearTimeout(this.timer);
    for (const request of this.running.values()) request.abort.abort();
    this.kept.clear();
  }

  private touch(key: string): void {
    const bundle = this.kept.get(key);
    if (!bundle) return;
    this.kept.delete(key);
    this.kept.set(key, bundle);
  }

  private isMissing(key: string): boolean {
    const bundle = this.kept.get(key);
    return !(bundle && isComplete(bundle)) && !this.failed.get(key)?.forGood;
  }

  private pump(): void {
    if (this.isClosed || this.isRefused) return;
    const now = performance.now();
    let soonest = Infinity;
    for (const [key, want] of this.wants) {
      if (this.running.size >= requestsAtOnce) return;
      if (this.running.has(key) || !this.isMissing(key)) continue;
      const notBefore = this.failed.get(key)?.at ?? 0;
      if (notBefore > now) {
        soonest = Math.min(soonest, notBefore);
      } else {
        void this.fetch(want, key);
      }
    }
    window.clearTimeout(this.timer);
    if (soonest < Infinity) this.timer = window.setTimeout(() => this.pump(), soonest - now + 1);
  }

  private async fetch(want: Want, key: string): Promise<void> {
    const request = { abort: new AbortController() };
    this.running.set(key, request);
    this.requests += 1;
    try {
      const bundle = await this.load(want, request.abort.signal);
      if (this.isClosed) return;
      this.keep(key, bundle);
      if (isComplete(bundle)) {
        this.failed.delete(key);
      } else {
        this.fail(key, new TerraneError({ status: 'RESOURCE_EXHAUSTED', message: '' }));
      }
      this.app.setServerThere(true);
      this.onBundle(bundle);
    } catch (error) {
      if (!request.abort.signal.aborted) this.fail(key, error);
    } finally {
      this.running.delete(key);
      this.pump();
    }
  }

  private async load(want: Want, signal: AbortSignal): Promise<Bundle> {
    const { lod, x, y } = want;
    const farthest = Number(this.app.limits?.maxChunkCoordinate ?? 2 ** 40);
    const entries = await this.app.http.bundle(this.variant, { lod, x, y }, signal);
    const bundle = emptyBundle(want, this.chunkSize, farthest);
    const add = ({ tile, chunk }: { tile: Tile; chunk: DecodedChunk }): void =>
      addChunk(bundle, tile, chunk);
    const chunks = entries.map(async ({ tile, bytes }) => {
      if (bytes) add({ tile, chunk: await this.app.decoder.decode(bytes, signal) });
    });
    await Promise.all(chunks);
    return bundle;
  }

  private fail(key: string, error: unknown): void {
    const times = (this.failed.get(key)?.times ?? 0) + 1;
    const mayHelp = this.app.heed(error);
    const isRefused = error instanceof TerraneError && !mayHelp;
    const forGood = !mayHelp && (isRefused || times >= mostTries);
    const told = error instanceof TerraneError ? error.retryAfterMs : 0;
    const wait = Math.max(told, Math.min(retryAfterMs * 2 ** (times - 1), mostRetryMs));
    const at = performance.now() + wait * (0.75 + Math.random() / 2); // not all at once
    this.failed.set(key, { at, times, forGood });
    if (!forGood || this.isRefused || !(error instanceof Error)) return;
    // what is refused for one place of the land is refused for all, but beyond its edge
    this.isRefused = isRefused && error.status !== 'OUT_OF_RANGE';
    this.app.notify(error.message);
  }

  private keep(key: string, bundle: Bundle): void {
    const old = this.kept.get(key);
    if (old) this.bytes -= old.bytes;
    this.kept.delete(key);
    this.kept.set(key, bundle);
    this.bytes += bundle.bytes;
    this.evict();
  }

  /** Lets those go that were not used lately; what is wanted stays. */
  private evict(): void {
    if (this.bytes <= this.budget) return;
    for (const [key, bundle] of this.kept) {
      if (this.bytes <= this.budget) return;
      if (this.wants.has(key)) continue;
      this.kept.delete(key);
      this.bytes -= bundle.bytes;
    }
  }
}
