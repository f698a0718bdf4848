/** What stands on the land at hand, and what of it is in the way. */
import type { Placement } from '../chunk.js';
import type { Block } from '../world.js';
import { countOf, takeBlock } from './checks.js';
import type { CoreMemory, Pointer } from './core_memory.js';
import { bodyLayout, farTreeLayout, obstacleLayout, placementLayout } from './layouts.js';
import { type BoxPart, boxParts } from './rooms.js';

/** Somebody, or something, that moves: an upright cylinder. */
export interface Body {
  /** Its axis. */
  x: number;
  y: number;
  /** The height of its feet. */
  bottom: number;
  /** Blocks, at most 64; doors are one block wide. */
  radius: number;
  height: number;
  /** What is no higher above its feet is stepped upon, rather than in the way; 0. */
  step?: number;
  /** Blocks, at most 64: nearer things are told of, too; 0: what it is in alone. */
  reach?: number;
}

/** Something solid: an upright cylinder (trunk, rock), or a box, a part of a room. */
export interface Obstacle {
  part: 'trunk' | 'rock' | BoxPart;
  /** Its middle. */
  x: number;
  y: number;
  /** From there to its sides; of a cylinder its radius. */
  halfX: number;
  halfY: number;
  bottom: number;
  top: number;
  /**
   * The shortest way out of it for the body: level, or upwards alone. 0 where that is not in it.
   * Move the body by the first one's, and ask again, until the first one's distance is not below 0.
   */
  pushX: number;
  pushY: number;
  pushUp: number;
  /** Blocks from the body; below 0: as long as the way out. */
  distance: number;
  /** The placement's anchor, or the structure's. */
  of: Block;
  /** Of the structure. */
  room: number;
  /** Index into the world's placementKinds, or its structureKinds. */
  kind: number;
}

/** A tree far away, or several of its kind that are drawn as one. */
export interface FarTree {
  /** Where it stands, as the tile's mesh has its vertices. */
  x: number;
  y: number;
  z: number;
  /** Blocks, of one of them. */
  radius: number;
  height: number;
  /** How many it stands for; their crowns together have Math.sqrt(trees) * radius. */
  trees: number;
  /** Index into the world's placementKinds. */
  kind: number;
  /** 1/256 of a full turn. */
  turn: number;
}

const trunk = 8;
const rock = 9;

/** The nearest first, at most `most`. */
export function placementsAt(
  core: CoreMemory,
  land: Pointer,
  { x, y }: { x: number; y: number },
  radius: number,
  most: number,
): Placement[] {
  const { size, kind, turn, scale } = placementLayout;
  const to = core.reserve(size * countOf('most', most, 0, 65_536));
  const found = core.call('terrane_land_placements', land, x, y, radius, to, most);
  const { view } = core;
  return Array.from({ length: Math.min(found, most) }, (_, i) => ({
    ...takeBlock(view, to + size * i),
    kind: view.getUint8(to + size * i + kind),
    turn: view.getUint8(to + size * i + turn),
    scale: view.getUint8(to + size * i + scale),
  }));
}

/** For each body at most `most`: what it is in first. */
export function obstaclesAround(
  core: CoreMemory,
  land: Pointer,
  world: Pointer,
  bodies: readonly Body[],
  most: number,
): Obstacle[][] {
  const { length } = bodies;
  const each = obstacleLayout.size * countOf('most', most, 1, 1024);
  const from = core.reserve(length * (bodyLayout.size + each + 4));
  const to = from + length * bodyLayout.size;
  const counts = to + length * each;
  bodies.forEach((body, i) => putBody(core.view, from + bodyLayout.size * i, body));
  core.call('terrane_land_obstacles', land, world, from, length, to, most, counts);
  const { view } = core;
  return bodies.map((_, i) => {
    const count = Math.min(view.getUint32(counts + 4 * i, true), most);
    return Array.from({ length: count }, (_, k) =>
      takeObstacle(view, to + each * i + obstacleLayout.size * k),
    );
  });
}

function putBody(view: DataView, at: Pointer, body: Body): void {
  const { step = 0, reach = 0 } = body;
  for (const name of ['x', 'y', 'bottom'] as const) {
    view.setFloat64(at + bodyLayout[name], body[name], true);
  }
  view.setFloat32(at + bodyLayout.radius, body.radius, true);
  view.setFloat32(at + bodyLayout.height, body.height, true);
  view.setFloat32(at + bodyLayout.step, step, true);
  view.setFloat32(at + bodyLayout.reach, reach, true);
}

function takeObstacle(view: DataView, at: Pointer): Obstacle {
  const f32 = (member: number): number => view.getFloat32(at + member, true);
  return {
    part: partOf(view.getUint8(at + obstacleLayout.part)),
    x: view.getFloat64(at + obstacleLayout.x, true),
    y: view.getFloat64(at + obstacleLayout.y, true),
    halfX: f32(obstacleLayout.halfX),
    halfY: f32(obstacleLayout.halfY),
    bottom: f32(obstacleLayout.bottom),
    top: f32(obstacleLayout.top),
    pushX: f32(obstacleLayout.pushX),
    pushY: f32(obstacleLayout.pushY),
    pushUp: f32(obstacleLayout.pushUp),
    distance: f32(obstacleLayout.distance),
    of: takeBlock(view, at + obstacleLayout.of),
    room: view.getUint16(at + obstacleLayout.room, true),
    kind: view.getUint8(at + obstacleLayout.kind),
  };
}

function partOf(part: number): Obstacle['part'] {
  if (part === trunk) return 'trunk';
  return part === rock ? 'rock' : boxParts[part - 1];
}

/** @param tile  a terrane_tile */
export function farTreesOf(
  core: CoreMemory,
  land: Pointer,
  world: Pointer,
  tile: Pointer,
  most: number,
): FarTree[] {
  const { size } = farTreeLayout;
  const to = core.reserve(size * countOf('most', most, 4, 65_536));
  const count = core.call('terrane_land_far_trees', land, world, tile, to, most);
  const { view } = core;
  return Array.from({ length: count }, (_, i) => {
    const f32 = (member: number): number => view.getFloat32(to + size * i + member, true);
    return {
      x: f32(farTreeLayout.x),
      y: f32(farTreeLayout.y),
      z: f32(farTreeLayout.z),
      radius: f32(farTreeLayout.radius),
      height: f32(farTreeLayout.height),
      trees: f32(farTreeLayout.trees),
      kind: view.getUint8(to + size * i + farTreeLayout.kind),
      turn: view.getUint8(to + size * i + farTreeLayout.turn),
    };
  });
}
