import type { DecodedChunk, World } from '../../src/index.js';
import type { PlantShape } from './plant_shapes.js';
import { plantsOf, type Kind } from './plant.js';
import { isRuin, solidsOfStorey, storeysOf } from './storeys.js';
import type { Solid } from './walk.js';

const reach = 12; // blocks: the widest thing, and a step

/** Which share of its radius a plant is solid for; 0: one walks through it. */
function solidShare(shape: PlantShape): number {
  switch (shape) {
    case 'bush':
      return 0;
    case 'boulder':
    case 'crag':
    case 'slab':
      return 0.85;
    case 'cactus':
      return 0.5;
    case 'dead':
      return 0.16;
    default:
      return 0.11;
  }
}

/** What stands in a chunk of lod 0: trunks, boulders, walls; blocks from its first one. */
export function solidsOf(chunk: DecodedChunk, world: World, kinds: readonly Kind[]): Solid[] {
  const solids: Solid[] = [];
  for (const plant of plantsOf(chunk)) {
    const kind = kinds[plant.kind];
    const radius = kind ? solidShare(kind.shape) * kind.radius * plant.scale : 0;
    if (radius === 0) continue;
    const [x, y] = [plant.x + 0.5, plant.y + 0.5];
    const top = plant.z + kind.height * plant.scale;
    solids.push({ x0: x, y0: y, x1: x, y1: y, radius, bottom: plant.z - 1, top });
  }
  for (const storey of storeysOf(chunk, world.structureKinds)) {
    const ruined = isRuin(world.structureKinds[storey.kind].name);
    solids.push(...solidsOfStorey(storey, ruined));
  }
  return solids;
}

/** Finds what stands near a block; chunks of lod 0 are found by `find`. */
export class SolidFinder {
  readonly #known = new WeakMap<DecodedChunk, Solid[]>();
  #near: Solid[] = [];
  /** Where they were looked up, and from which chunks: walkers ask again and again. */
  #x = NaN;
  #y = NaN;
  #chunks: (DecodedChunk | undefined)[] = [];

  constructor(
    private readonly world: World,
    private readonly kinds: readonly Kind[],
    private readonly find: (x: number, y: number) => DecodedChunk | undefined,
  ) {}

  /** All that is within a few blocks; in blocks of the world. */
  near(x: number, y: number): readonly Solid[] {
    const size = this.world.chunkSize;
    const [tileX, tileY] = [Math.floor(x / size), Math.floor(y / size)];
    const around = (k: number): [number, number] => [
      tileX + (k % 3) - 1,
      tileY + Math.floor(k / 3) - 1,
    ];
    const chunks = Array.from({ length: 9 }, (_, k) => this.find(...around(k)));
    const isSame = chunks.every((chunk, k) => chunk === this.#chunks[k]);
    if (isSame && Math.hypot(x - this.#x, y - this.#y) < reach / 2) return this.#near;
    [this.#x, this.#y, this.#chunks] = [x, y, chunks];
    this.#near = chunks.flatMap((chunk, k) => {
      if (!chunk) return [];
      const [a, b] = around(k);
      return this.#placed(chunk, a * size, b * size, x, y);
    });
    return this.#near;
  }

  #placed(chunk: DecodedChunk, left: number, top: number, x: number, y: number): Solid[] {
    let all = this.#known.get(chunk);
    if (!all) this.#known.set(chunk, (all = solidsOf(chunk, this.world, this.kinds)));
    const [i, j] = [x - left, y - top];
    const isNear = ({ x0, x1, y0, y1 }: Solid): boolean =>
      x0 < i + reach && x1 > i - reach && y0 < j + reach && y1 > j - reach;
    return all.filter(isNear).map((one) => ({
      ...one,
      ...{ x0: one.x0 + left, x1: one.x1 + left, y0: one.y0 + top, y1: one.y1 + top },
    }));
  }
}
