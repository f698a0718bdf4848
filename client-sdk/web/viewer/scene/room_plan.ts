import type { DoorInfo, Room, StructureKindInfo } from '../../src/index.js';

/** A gap in a wall, in blocks of the chunk: the wall block it takes. */
export interface DoorGap {
  x: number;
  y: number;
  /** Storeys above the room's floor. */
  level: number;
}

/** A room as it stands in its chunk: blocks from the chunk's first one, heights in blocks. */
export interface RoomPlan {
  x: number;
  y: number;
  width: number;
  depth: number;
  floor: number;
  storey: number;
  levels: number;
  doors: DoorGap[];
}

/** Block (u, v) of a piece of `width` × `depth`, turned by quarter turns from +x towards +y. */
export function turned(
  u: number,
  v: number,
  width: number,
  depth: number,
  turn: number,
): [number, number] {
  switch (turn & 3) {
    case 1:
      return [depth - 1 - v, u];
    case 2:
      return [width - 1 - u, depth - 1 - v];
    case 3:
      return [v, width - 1 - u];
    default:
      return [u, v];
  }
}

function doorBlock(door: DoorInfo, width: number, depth: number): [number, number] {
  const at = door.at ?? 0;
  switch (door.side) {
    case 'DOOR_SIDE_MAX_X':
      return [width - 1, at];
    case 'DOOR_SIDE_MAX_Y':
      return [at, depth - 1];
    case 'DOOR_SIDE_MIN_X':
      return [0, at];
    default:
      return [at, 0];
  }
}

/** Where a room's walls and doors are; undefined: the kind has no such piece. */
export function planRoom(room: Room, kind: StructureKindInfo): RoomPlan | undefined {
  const piece = kind.pieces[room.piece];
  if (!piece) return undefined;
  const odd = room.turn & 1;
  const doors: DoorGap[] = [];
  piece.doors.forEach((door, k) => {
    if (!(room.openDoors & (1 << k))) return;
    const [u, v] = doorBlock(door, piece.width, piece.depth);
    const [x, y] = turned(u, v, piece.width, piece.depth, room.turn);
    doors.push({ x: room.x + x, y: room.y + y, level: door.level ?? 0 });
  });
  return {
    x: room.x,
    y: room.y,
    width: odd ? piece.depth : piece.width,
    depth: odd ? piece.width : piece.depth,
    floor: room.floor / 16,
    storey: kind.storey / 16,
    levels: piece.levels,
    doors,
  };
}
