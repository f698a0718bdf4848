/** The ground of the land at hand, as its meshes' triangles have it. */
import type { CoreMemory, Pointer } from './core_memory.js';
import { groundLayout, hitLayout, placeOfGround, placeOfRay } from './layouts.js';

/** The ground at a place, as triangles between samples have it. */
export interface Ground {
  /** Blocks. */
  height: number;
  /** The water's surface in blocks; where there is none, the height. */
  water: number;
  /** Blocks of water over the ground; 0: dry. */
  depth: number;
  /** x, y and upwards; of length 1. */
  normal: [number, number, number];
  /** Of the nearest sample: index into the world's biomes. */
  biome: number;
  /** Of the chunk that says so, the finest at hand. */
  lod: number;
  /** A patch has taken the ground away: `height` is where it would be. */
  hole: boolean;
}

/** A place in the air, or a direction: blocks, upwards for `height`. */
export interface Point {
  x: number;
  y: number;
  height: number;
}

/** Where a ray has met the ground. */
export interface Hit extends Point {
  /** Blocks from where it began. */
  distance: number;
  /** x, y and upwards; of length 1. */
  normal: [number, number, number];
}

/** @returns one for each place; undefined: no chunk at hand has it */
export function groundAt(
  core: CoreMemory,
  land: Pointer,
  places: readonly { x: number; y: number }[],
): (Ground | undefined)[] {
  const from = core.reserve(places.length * (placeOfGround.size + groundLayout.size));
  const to = from + places.length * placeOfGround.size;
  places.forEach(({ x, y }, i) => {
    core.view.setFloat64(from + placeOfGround.size * i + placeOfGround.x, x, true);
    core.view.setFloat64(from + placeOfGround.size * i + placeOfGround.y, y, true);
  });
  core.call('terrane_land_ground', land, from, places.length, to);
  return places.map((_, i) => takeGround(core.view, to + groundLayout.size * i));
}

function takeGround(view: DataView, at: Pointer): Ground | undefined {
  if (view.getUint8(at + groundLayout.known) === 0) return undefined;
  return {
    height: view.getFloat64(at + groundLayout.height, true),
    water: view.getFloat64(at + groundLayout.water, true),
    depth: view.getFloat32(at + groundLayout.depth, true),
    normal: takeNormal(view, at + groundLayout.normal),
    biome: view.getUint8(at + groundLayout.biome),
    lod: view.getUint8(at + groundLayout.lod),
    hole: view.getUint8(at + groundLayout.hole) !== 0,
  };
}

function takeNormal(view: DataView, at: Pointer): [number, number, number] {
  const part = (axis: number): number => view.getFloat32(at + 4 * axis, true);
  return [part(0), part(1), part(2)];
}

/** @throws TerraneError INVALID_ARGUMENT; undefined: it meets nothing at hand */
export function rayHit(
  core: CoreMemory,
  land: Pointer,
  from: Point,
  direction: Point,
  distance: number,
): Hit | undefined {
  const hit = core.emptyBlock(hitLayout.size);
  const begin = hit + hitLayout.size;
  putPoint(core.view, begin, from);
  putPoint(core.view, begin + placeOfRay.size, direction);
  core.check('terrane_land_ray', land, begin, begin + placeOfRay.size, distance, hit);
  const { view } = core;
  if (view.getUint32(hit + hitLayout.hit, true) === 0) return undefined;
  const f64 = (at: number): number => view.getFloat64(hit + at, true);
  return {
    x: f64(hitLayout.x),
    y: f64(hitLayout.y),
    height: f64(hitLayout.height),
    distance: f64(hitLayout.distance),
    normal: takeNormal(view, hit + hitLayout.normal),
  };
}

function putPoint(view: DataView, at: Pointer, { x, y, height }: Point): void {
  view.setFloat64(at + placeOfRay.x, x, true);
  view.setFloat64(at + placeOfRay.y, y, true);
  view.setFloat64(at + placeOfRay.height, height, true);
}
