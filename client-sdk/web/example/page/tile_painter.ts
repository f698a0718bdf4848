/** Tiles of a map, of chunks that are made here. */
import type { Layers, LocalWorld, Tile } from '@terrane/client';
import { exaggerationAt } from '../../viewer/map/gather.js';
import type { PaintJob } from '../../viewer/map/paint/job.js';
import { paintTile } from '../../viewer/map/paint/paint.js';
import { tilePixels } from './messages.js';

const apron = 16; // samples around a tile that its light depends on
const width = tilePixels + 2 * apron;
const keptChunks = 1500; // of up to 45 kB
const deepest = -160; // blocks: where the sea is darkest
const highest = 1000;

/** Paints tiles of one variant, and keeps the chunks that neighbours need as well. */
export class TilePainter {
  private readonly chunks = new Map<string, Layers>();
  private readonly palette = new Uint32Array(256).fill(0x808080);

  constructor(
    private readonly world: LocalWorld,
    private readonly seed: string,
  ) {
    for (const { id, color } of world.info.biomes) this.palette[id] = color;
  }

  /** @returns RGBA. @throws TerraneError  OUT_OF_RANGE beyond the world's edge */
  paint(tile: Tile): Uint8ClampedArray<ArrayBuffer> {
    const { chunkSize } = this.world.info;
    const job = this.emptyJob(tile);
    const first = (at: number): number => Math.floor(at / chunkSize);
    for (let y = first(job.y); y <= first(job.y + width - 1); ++y) {
      for (let x = first(job.x); x <= first(job.x + width - 1); ++x) {
        this.fill(job, this.layersOf({ lod: tile.lod, x, y }), x * chunkSize, y * chunkSize);
      }
    }
    return paintTile(job) as Uint8ClampedArray<ArrayBuffer>;
  }

  private emptyJob({ lod, x, y }: Tile): PaintJob {
    const { layers } = this.world.info;
    const samples = width * width;
    const spacing = 2 ** lod;
    return {
      ...{ style: 'relief', width, apron, spacing, exaggeration: exaggerationAt(spacing) },
      ...{ x: x * tilePixels - apron, y: y * tilePixels - apron, specks: spacing > 1 },
      ...{ palette: this.palette, deepest, highest, marks: [] },
      known: new Uint8Array(samples).fill(1),
      height: new Float32Array(samples),
      biome: new Uint8Array(samples),
      ...(layers.includes('water') && { depth: new Float32Array(samples) }),
      ...(layers.includes('forest') && { forest: new Uint8Array(samples) }),
    };
  }

  private layersOf(tile: Tile): Layers {
    const key = `${tile.lod}/${tile.x}/${tile.y}`;
    const kept = this.chunks.get(key);
    const wanted = ['height', 'biome', 'water', 'forest'] as const;
    const layers = kept ?? this.world.chunk(this.seed, tile, wanted).layers;
    this.chunks.delete(key); // the last used are last
    this.chunks.set(key, layers);
    for (const oldest of this.chunks.keys()) {
      if (this.chunks.size <= keptChunks) break;
      this.chunks.delete(oldest);
    }
    return layers;
  }

  /** Copies what a job needs of a chunk, whose first sample is (x, y). */
  private fill(job: PaintJob, layers: Layers, x: number, y: number): void {
    const { chunkSize, seaLevel } = this.world.info;
    const fromX = Math.max(0, job.x - x);
    const pastX = Math.min(chunkSize, job.x + width - x);
    for (let j = Math.max(0, job.y - y); j < Math.min(chunkSize, job.y + width - y); ++j) {
      for (let i = fromX; i < pastX; ++i) {
        const from = j * chunkSize + i;
        const to = (y + j - job.y) * width + (x + i - job.x);
        const height = layers.height![from];
        job.height![to] = (height - seaLevel) / 16;
        job.biome![to] = layers.biome![from];
        if (job.depth !== undefined) job.depth[to] = (layers.water![from] - height) / 16;
        if (job.forest !== undefined) job.forest[to] = layers.forest![from];
      }
    }
  }
}
