import type { ExploreEvent, ExplorerStats, Pose, Tile, Variant } from '../../src/index.js';
import type { App } from '../app.js';
import type { ChunkSource } from './chunk_source.js';

const edge = 8; // chunks of a bundle
const atOnce = 6;

/** Chunks by bundles over HTTP: stands in for Explore. */
export class BundleSource implements ChunkSource {
  readonly #events: ExploreEvent[] = [];
  readonly #have = new Map<string, Tile>();
  readonly #asked = new Set<string>();
  readonly #ends = new AbortController();
  #pose: Pose = { x: 0, y: 0 };
  #busy = 0;
  #bytes = 0;
  #chunks = 0;

  constructor(
    private readonly app: App,
    private readonly variant: Variant,
    private readonly distances: number[],
    private readonly size: number,
  ) {}

  move(pose: Pose): void {
    this.#pose = pose;
    while (this.#busy < atOnce && this.#askNext()) continue;
  }

  #middle(lod: number): [number, number] {
    const width = this.size * 2 ** lod;
    return [Math.floor(this.#pose.x / width), Math.floor(this.#pose.y / width)];
  }

  #inRange(tile: Tile, more: number): boolean {
    const [x, y] = this.#middle(tile.lod);
    const d = (this.distances[tile.lod] ?? -99) + more;
    return (tile.x - x) ** 2 + (tile.y - y) ** 2 <= d * d;
  }

  #askNext(): boolean {
    let best: Tile | undefined;
    let least = Infinity;
    this.distances.forEach((d, lod) => {
      const [x, y] = this.#middle(lod);
      for (let j = y - d; j <= y + d; ++j) {
        for (let i = x - d; i <= x + d; ++i) {
          if (!this.#inRange({ lod, x: i, y: j }, 0)) continue;
          if (this.#have.has(`${lod}/${i}/${j}`)) continue;
          const bundle = { lod, x: Math.floor(i / edge), y: Math.floor(j / edge) };
          if (this.#asked.has(JSON.stringify(bundle))) continue;
          const far = Math.hypot(i - x, j - y) * 2 ** lod * 0.7 ** lod;
          if (far < least) [best, least] = [bundle, far];
        }
      }
    });
    if (best) this.#ask(best);
    return best !== undefined;
  }

  #ask(bundle: Tile): void {
    const key = JSON.stringify(bundle);
    this.#asked.add(key);
    ++this.#busy;
    this.app.http
      .bundle(this.variant, bundle, this.#ends.signal)
      .then((entries) => {
        for (const { tile, bytes } of entries) {
          const name = `${tile.lod}/${tile.x}/${tile.y}`;
          if (!bytes || this.#have.has(name) || !this.#inRange(tile, 2)) continue;
          this.#have.set(name, tile);
          this.#bytes += bytes.length;
          ++this.#chunks;
          this.#events.push({ type: 'chunk', tile, bytes });
        }
      })
      .catch((error: unknown) => console.warn(error))
      .finally(() => {
        --this.#busy;
        this.#asked.delete(key);
      });
  }

  poll(): ExploreEvent[] {
    for (const [key, tile] of this.#have) {
      if (this.#inRange(tile, 2)) continue;
      this.#have.delete(key);
      this.#events.push({ type: 'outOfRange', tile });
    }
    return this.#events.splice(0);
  }

  stats(): ExplorerStats {
    return {
      connected: true,
      chunks: this.#chunks,
      bytes: this.#bytes,
      inRange: this.#have.size,
      reconnects: 0,
      underfootMs: 0,
    };
  }

  close(): void {
    this.#ends.abort();
  }
}
