import type { DecodedChunk } from '../../src/index.js';
import type { Climate } from './air.js';
import { hash } from './ground_paint.js';
import type { PlantShape } from './plant_shapes.js';
import type { Plant } from './plant.js';
import type { Plants } from './plants.js';

// Blocks between trees of a forest of 100 percent, about, at levels 1 and 2; each stands for more
// than one, and is so much bigger.
const spacings = [11, 11, 17];
const sizes = [1, 1.25, 1.55];
const lowest = 3; // blocks: what is lower does not show
const enough = 8; // plants of a biome that must have been seen
const steepest = 1.1; // rise per block

/**
 * Which trees grow in which biome, learned from chunks of lod 0: coarser ones say how dense their
 * forests are, and not of what.
 */
export class ForestLore {
  readonly #kinds = new Map<number, number[]>();

  constructor(readonly plants: Plants) {}

  /** Takes note of what stands in a chunk of lod 0. */
  learn(chunk: DecodedChunk): void {
    const { biome } = chunk.layers;
    if (!biome) return;
    for (const { x, y, kind } of chunk.placements) {
      const shape = this.plants.kinds[kind]?.shape;
      if (!shape || shape === 'boulder' || shape === 'crag' || shape === 'slab') continue;
      const at = biome[y * chunk.size + x];
      const known = this.#kinds.get(at);
      if (!known) this.#kinds.set(at, [kind]);
      else if (known.length < 64) known.push(kind);
    }
  }

  /**
   * One of the kinds that grow in a biome, as often as they do; where none has been seen yet, one
   * that looks like that climate. Undefined: the world has no trees.
   */
  kindFor(biome: number, climate: Climate, number: number): number | undefined {
    const seen = this.#kinds.get(biome) ?? [];
    const known = seen.length >= enough ? seen : this.#kindsOf(likelyShape(climate));
    return known[Math.floor(number * known.length)];
  }

  #kindsOf(shape: PlantShape): number[] {
    const kinds: number[] = [];
    this.plants.kinds.forEach((kind, id) => {
      if (kind.shape === shape) kinds.push(id);
    });
    return kinds;
  }
}

function likelyShape({ temperature, humidity }: Climate): PlantShape {
  if (temperature < 8) return 'conifer';
  return temperature > 23 && humidity < 52 ? 'umbrella' : 'broadleaf';
}

/**
 * Trees that may stand in a quarter of a chunk of lod 1 or coarser, by the density of its forests.
 * The same each time, but not where the finer chunks will have theirs.
 */
export function distantForest(chunk: DecodedChunk, quarter: number, lore: ForestLore): Plant[] {
  const { size, lod } = chunk;
  const { height, forest, biome, water, temperature, humidity } = chunk.layers;
  const plants: Plant[] = [];
  if (!height || !forest || !biome) return plants;
  const step = spacings[Math.min(lod, 2)] / 2 ** lod;
  const half = size / 2;
  const fromI = (quarter & 1) * half;
  const fromJ = (quarter >> 1) * half;
  const cells = Math.floor(half / step);
  for (let b = 0; b < cells; ++b) {
    for (let a = 0; a < cells; ++a) {
      const salt = quarter * 1009;
      const i = fromI + (a + hash(a + salt, b)) * step;
      const j = fromJ + (b + hash(b - salt, a + 77)) * step;
      const [u, v] = [Math.min(Math.floor(i), size - 2), Math.min(Math.floor(j), size - 2)];
      const k = v * size + u;
      if (hash(a * 3 + 1, b * 5 + salt) * 100 >= forest[k]) continue;
      const riseX = Math.abs(height[k + 1] - height[k]);
      const riseY = Math.abs(height[k + size] - height[k]);
      const isSteep = Math.max(riseX, riseY) / (16 * 2 ** lod) > steepest;
      if (isSteep || (water && water[k] > height[k])) continue;
      const climate = {
        temperature: (temperature?.[k] ?? 120) / 10,
        humidity: (humidity?.[k] ?? 500) / 10,
      };
      const kind = lore.kindFor(biome[k], climate, hash(a + 5, b + 9 + salt));
      if (kind === undefined || lore.plants.kinds[kind].height < lowest) continue;
      const z = (height[k] + (height[k + 1] - height[k]) * (i - u)) / 16;
      const scale = sizes[Math.min(lod, 2)] * (0.8 + 0.4 * hash(a - 3, b + salt));
      const turn = 2 * Math.PI * hash(b, a);
      plants.push({ x: i * 2 ** lod, y: j * 2 ** lod, z: z - 0.5, kind, turn, scale });
    }
  }
  return plants;
}
