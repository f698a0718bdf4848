/** Rooms as what is solid of them, and what players, or rooms, change in the ground. */
import type { Room } from '../chunk.js';
import { TerraneError } from '../errors.js';
import type { Block } from '../world.js';
import { putBlock, takeBlock } from './checks.js';
import type { CoreMemory, Pointer } from './core_memory.js';
import { boxLayout, patchLayout, roomLayout } from './layouts.js';

/** What a box of a room is; a lintel is the wall over a door. */
export type BoxPart = 'floor' | 'wall' | 'lintel' | 'roof';

/** At its number less 1 in terrane.h. */
export const boxParts: readonly BoxPart[] = ['floor', 'wall', 'lintel', 'roof'];

/** A part of a room that is in the way: to be drawn, and to stand on. */
export interface RoomBox {
  part: BoxPart;
  /** Storey: 0 is the lowest. */
  level: number;
  /** from <= x < to, in blocks counted as the room's are. */
  from: Block;
  to: Block;
  /** Heights in blocks. */
  bottom: number;
  top: number;
}

/**
 * What the game has done to a block, which neither generators nor servers know of. It takes the
 * place of what was patched there before; none of the three: as it was made.
 */
export interface Patch {
  block: Block;
  /** Of the sample at the block: 1/16 block. */
  height?: number;
  /** No ground from the block to one further in x and y, at lod 0. */
  hole?: boolean;
  /** What stands at the block, its anchor, is gone. */
  noPlacement?: boolean;
}

const patchHeight = 1;
const patchHole = 2;
const patchNoPlacement = 4;
const manyItems = 64; // boxes and holes of most rooms

/** As many as there are: `write` is called again where they do not fit the first time. */
function takeAll<T>(
  core: CoreMemory,
  size: number,
  write: (to: Pointer, capacity: number) => number,
  read: (view: DataView, at: Pointer) => T,
): T[] {
  let capacity = manyItems;
  let to = core.reserve(size * capacity);
  let count = write(to, capacity);
  if (count > capacity) {
    capacity = count;
    to = core.reserve(size * capacity);
    count = Math.min(capacity, write(to, capacity));
  }
  return Array.from({ length: count }, (_, i) => read(core.view, to + size * i));
}

/** @param first  the block that the room's are counted from */
function putRoom(core: CoreMemory, room: Room, first: Block): Pointer {
  core.bytes.fill(0, core.block, core.block + roomLayout.size);
  const { block, view } = core;
  putBlock(view, block, 'room', { x: first.x + room.x, y: first.y + room.y });
  const structure = { x: first.x + room.structureX, y: first.y + room.structureY };
  putBlock(view, block + roomLayout.structureX, 'room.structure', structure);
  view.setInt32(block + roomLayout.floor, room.floor, true);
  view.setUint16(block + roomLayout.index, room.index, true);
  for (const name of ['kind', 'piece', 'turn', 'openDoors'] as const) {
    view.setUint8(block + roomLayout[name], room[name]);
  }
  return block;
}

/** Boxes that do not overlap, in blocks counted as the room's are. */
export function boxesOf(core: CoreMemory, world: Pointer, room: Room): RoomBox[] {
  const at = putRoom(core, room, { x: 0, y: 0 });
  return takeAll(
    core,
    boxLayout.size,
    (to, capacity) => core.call('terrane_room_boxes', world, at, to, capacity),
    (view, box) => ({
      part: boxParts[view.getUint8(box + boxLayout.part) - 1],
      level: view.getUint8(box + boxLayout.level),
      from: takeBlock(view, box + boxLayout.from),
      to: takeBlock(view, box + boxLayout.to),
      bottom: view.getFloat32(box + boxLayout.bottom, true),
      top: view.getFloat32(box + boxLayout.top, true),
    }),
  );
}

/** Where the ground would lie inside of a room. @param first  of the room's chunk */
export function holesOf(
  core: CoreMemory,
  world: Pointer,
  land: Pointer,
  room: Room,
  first: Block,
): Patch[] {
  const at = putRoom(core, room, first);
  return takeAll(
    core,
    patchLayout.size,
    (to, capacity) => core.call('terrane_room_holes', world, at, land, to, capacity),
    takePatch,
  );
}

function takePatch(view: DataView, at: Pointer): Patch {
  const what = view.getUint32(at + patchLayout.what, true);
  const patch: Patch = { block: takeBlock(view, at + patchLayout.block) };
  if (what & patchHeight) patch.height = view.getInt32(at + patchLayout.height, true);
  if (what & patchHole) patch.hole = true;
  if (what & patchNoPlacement) patch.noPlacement = true;
  return patch;
}

/** @throws TerraneError  as LocalLand.patch */
export function patchLand(core: CoreMemory, land: Pointer, patches: readonly Patch[]): void {
  const { size } = patchLayout;
  const from = core.reserve(size * patches.length);
  core.bytes.fill(0, from, from + size * patches.length);
  const { view } = core;
  patches.forEach((patch, i) => {
    const { block, height, hole = false, noPlacement = false } = patch;
    const at = from + size * i;
    putBlock(view, at + patchLayout.block, `patches[${i}].block`, block);
    if (height !== undefined) view.setInt32(at + patchLayout.height, heightOf(height, i), true);
    const what =
      (height === undefined ? 0 : patchHeight) |
      (hole ? patchHole : 0) |
      (noPlacement ? patchNoPlacement : 0);
    view.setUint32(at + patchLayout.what, what, true);
  });
  core.check('terrane_land_patch', land, from, patches.length);
}

/** The library has a limit of its own, within 32 bits. */
function heightOf(height: number, index: number): number {
  if (Number.isInteger(height) && Math.abs(height) < 2 ** 31) return height;
  throw new TerraneError({
    status: 'INVALID_ARGUMENT',
    message: `patches[${index}].height is ${height}: it must be an integer, in 1/16 block`,
    field: `patches[${index}].height`,
    value: String(height),
  });
}
