/** What lies at a block, from the bundles at hand. Pure. */
import { noWater } from '../../src/index.js';
import type { Placement, Room, Structure, World } from '../../src/index.js';
import { bundleChunks } from './bundle.js';
import type { Bundle } from './bundle.js';
import type { Bundles } from './bundles.js';

/** A reading. Heights and depth in blocks; what the world has not got is absent. */
export interface Reading {
  /** The block that was asked for. */
  x: number;
  y: number;
  /** Blocks between samples: 1 is exact, more stands for the sample at or before the block. */
  spacing: number;
  height?: number;
  /** Degrees Celsius. */
  temperature?: number;
  /** Percent. */
  humidity?: number;
  /** Index into World.biomes. */
  biome?: number;
  /** Blocks of water above the ground; absent where it is dry. */
  depth?: number;
  /** Percent of trees, of boulders. */
  forest?: number;
  rocks?: number;
  /** What stands there; at spacing 1 alone. */
  placement?: Placement;
  room?: Room;
  structure?: Structure;
}

/** The finest bundle at hand that covers a block. */
function finest(bundles: Bundles, world: World, x: number, y: number): Bundle | undefined {
  let best: Bundle | undefined;
  for (let lod = 0; lod <= world.maxLod && !best; lod += 1) {
    const reach = bundleChunks * world.chunkSize * 2 ** lod;
    for (let stride = 1; stride <= (lod === world.maxLod ? 4 : 1) && !best; stride *= 2) {
      best = bundles.get({ lod, x: Math.floor(x / reach), y: Math.floor(y / reach), stride });
    }
  }
  return best;
}

/** Where the sample of a block is. */
function find(
  bundles: Bundles,
  world: World,
  x: number,
  y: number,
): { bundle: Bundle; at: number; spacing: number } | undefined {
  const bundle = finest(bundles, world, x, y);
  if (!bundle) return undefined;
  const spacing = 2 ** bundle.lod * bundle.stride;
  const i = Math.floor(x / spacing) - bundle.x * bundle.size;
  const j = Math.floor(y / spacing) - bundle.y * bundle.size;
  const chunk = bundle.size / bundleChunks;
  if (!bundle.known[Math.floor(j / chunk) * bundleChunks + Math.floor(i / chunk)]) return undefined;
  return { bundle, at: j * bundle.size + i, spacing };
}

/** The biome's id at a block; undefined where nothing is at hand. */
export function biomeAt(bundles: Bundles, world: World, x: number, y: number): number | undefined {
  const found = find(bundles, world, x, y);
  return found?.bundle.layers.biome?.[found.at];
}

/** Reads a block. @returns undefined where nothing is at hand */
export function readBlock(
  bundles: Bundles,
  world: World,
  blockX: number,
  blockY: number,
): Reading | undefined {
  const x = Math.floor(blockX);
  const y = Math.floor(blockY);
  const found = find(bundles, world, x, y);
  if (!found) return undefined;
  const { bundle, at, spacing } = found;
  const { height, temperature, humidity, biome, water, forest, rocks } = bundle.layers;
  const reading: Reading = { x, y, spacing };
  if (height) reading.height = height[at]! / 16;
  if (temperature) reading.temperature = temperature[at]! / 10;
  if (humidity) reading.humidity = humidity[at]! / 10;
  if (biome) reading.biome = biome[at]!;
  if (forest) reading.forest = forest[at]!;
  if (rocks) reading.rocks = rocks[at]!;
  if (height) {
    const surface = water ? water[at]! : world.seaLevel;
    if (surface !== noWater && surface > height[at]!) {
      reading.depth = (surface - height[at]!) / 16;
    }
  }
  return spacing === 1 ? { ...reading, ...standingAt(bundle, world, x, y) } : reading;
}

/** What stands at a block of a bundle of lod 0. */
function standingAt(
  bundle: Bundle,
  world: World,
  x: number,
  y: number,
): Pick<Reading, 'placement' | 'room' | 'structure'> {
  const found: Pick<Reading, 'placement' | 'room' | 'structure'> = {};
  let nearest = Infinity;
  for (const placement of bundle.placements) {
    const kind = world.placementKinds[placement.kind];
    const radius = ((kind?.radius ?? 0) / 16) * (placement.scale / 100);
    const distance = Math.hypot(placement.x - x, placement.y - y);
    if (distance > Math.max(radius, 0.5) || distance >= nearest) continue;
    nearest = distance;
    found.placement = placement;
  }
  const room = bundle.rooms.find((one) => covers(one, world, x, y));
  if (room) found.room = room;
  const structure = bundle.structures.find(
    (one) =>
      (one.x === x && one.y === y) ||
      (room && one.x === room.structureX && one.y === room.structureY),
  );
  if (structure) found.structure = structure;
  return found;
}

/** How many blocks a room covers along x and y, as it is turned. */
export function extentOf(
  room: Pick<Room, 'piece' | 'turn'>,
  kind: number,
  world: World,
): { width: number; depth: number } {
  const piece = world.structureKinds[kind]?.pieces[room.piece];
  if (!piece) return { width: 0, depth: 0 };
  return room.turn % 2 === 1
    ? { width: piece.depth, depth: piece.width }
    : { width: piece.width, depth: piece.depth };
}

function covers(room: Room, world: World, x: number, y: number): boolean {
  const { width, depth } = extentOf(room, room.kind, world);
  return x >= room.x && y >= room.y && x < room.x + width && y < room.y + depth;
}
