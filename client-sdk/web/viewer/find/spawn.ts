/** Looks for a place to stand: dry, level, away from cliffs. The same one as `terrane spawn`. */
import { noWater } from '../../src/index.js';
import type { Block, PointSamples, World } from '../../src/index.js';

/** Samples blocks, in order. */
export type Sampler = (points: Block[]) => Promise<PointSamples>;

/** What is looked for, in blocks; steps and drops in 1/16 block. */
const search = {
  radius: 4096, // along each axis
  spacing: 16, // between candidates
  foot: 4, // a place is level when the 8 neighbours this far away …
  maxStep: 16, // … differ by no more than this
  surroundings: 16, // no cliff is near when those this far and half as far away …
  maxDrop: 96, // … differ by no more than this, or half of it
} as const;

/** So many points in a request: they are in its address. */
const pointsPerRequest = 250;

/** A block and what it is like, in 1/16 block. */
interface Ground {
  height: number;
  water: number;
}

/**
 * The nearest candidate that will do.
 * @param near    where to look from
 * @param sample  asks the server
 * @param onProgress  is told how far it has looked, in blocks
 * @returns undefined when there is none within 4096 blocks
 */
export async function findSpawn(
  world: World,
  near: Block,
  sample: Sampler,
  onProgress: (distance: number) => void,
): Promise<Block | undefined> {
  const ask = grounds(world, sample);
  for (const some of inGroups(candidates(world, near), pointsPerRequest)) {
    onProgress(Math.hypot(some[0]!.x - near.x, some[0]!.y - near.y));
    const own = await ask(some);
    // most of what there is to reject lies under water: one point tells
    const dry = some.filter((_, i) => isDry(own[i]!));
    for (const few of inGroups(dry, Math.floor(pointsPerRequest / 25))) {
      const found = await firstGood(few, ask);
      if (found) return found;
    }
  }
  return undefined;
}

/** All candidates, nearest first; ties by y, then x. */
function candidates(world: World, near: Block): Block[] {
  const steps = search.radius / search.spacing;
  const offsets: Block[] = [];
  for (let y = -steps; y <= steps; y += 1) {
    for (let x = -steps; x <= steps; x += 1) offsets.push({ x, y });
  }
  offsets.sort((a, b) => a.x * a.x + a.y * a.y - (b.x * b.x + b.y * b.y)); // stable
  const low = Number(world.minBlockCoordinate) + search.surroundings;
  const high = Number(world.maxBlockCoordinate) - search.surroundings;
  const isInside = (at: number): boolean => at >= low && at <= high;
  return offsets
    .map(({ x, y }) => ({ x: near.x + x * search.spacing, y: near.y + y * search.spacing }))
    .filter(({ x, y }) => isInside(x) && isInside(y));
}

function* inGroups<T>(all: readonly T[], size: number): Generator<T[]> {
  for (let i = 0; i < all.length; i += size) yield all.slice(i, i + size);
}

function grounds(world: World, sample: Sampler): (points: Block[]) => Promise<Ground[]> {
  return async (points) => {
    const { height, water } = await sample(points);
    return height.map((own, i) => ({
      height: own,
      water: water.length > 0 ? (water[i] ?? noWater) : world.seaLevel,
    }));
  };
}

function isDry(ground: Ground): boolean {
  return ground.height > ground.water;
}

/** The 8 neighbours of a block, so far away along either axis or both. */
function ring({ x, y }: Block, distance: number): Block[] {
  const points: Block[] = [];
  for (const dy of [-distance, 0, distance]) {
    for (const dx of [-distance, 0, distance]) {
      if (dx !== 0 || dy !== 0) points.push({ x: x + dx, y: y + dy });
    }
  }
  return points;
}

/** The first of some dry places that is level and away from cliffs. */
async function firstGood(
  places: Block[],
  ask: (points: Block[]) => Promise<Ground[]>,
): Promise<Block | undefined> {
  const around = (place: Block): Block[] => [
    place,
    ...ring(place, search.foot),
    ...ring(place, search.surroundings / 2),
    ...ring(place, search.surroundings),
  ];
  const size = 25;
  const all = await ask(places.flatMap(around));
  return places.find((_, i) => isGood(all.slice(i * size, (i + 1) * size)));
}

/** @param all  the place, its 8 neighbours, and two rings of 8 */
function isGood(all: Ground[]): boolean {
  const [place, ...others] = all;
  if (!place) return false;
  const isLevel = others
    .slice(0, 8)
    .every((one) => isDry(one) && Math.abs(one.height - place.height) <= search.maxStep);
  // water counts as its surface: to fall into it is no fall
  const isSafe = others.slice(8).every((one, i) => {
    const surface = Math.max(one.height, one.water);
    return Math.abs(surface - place.height) <= (i < 8 ? search.maxDrop / 2 : search.maxDrop);
  });
  return isLevel && isSafe;
}
