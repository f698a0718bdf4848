/** What stands in a chunk: FORMAT.md, sections 9 and 10. */
import type { Placement, Room, Structure } from '../chunk.js';
import { refuse, type Source } from './source.js';

const maxGapOrder = 14;
const maxFieldBits = 8;
const maxStructureLod = 4;
const maxRooms = 1 << 16; // of one structure

/** Decodes the placements of a chunk of lod 0. */
export function decodePlacements(source: Source, size: number, lod: number): Placement[] {
  if (lod !== 0) refuse('placements at a coarse level of detail');
  const count = source.varint();
  if (count === 0 || count > size * size) refuse('no placements, or more than samples');
  const gapOrder = source.byte();
  if (gapOrder > maxGapOrder) refuse('the order of the gaps is too large');
  const kinds: number[] = [];
  for (let left = source.byte() + 1; left > 0; --left) kinds.push(source.byte());
  const kindBits = 32 - Math.clz32(kinds.length - 1);
  const leastTurn = source.byte();
  const turnBits = source.byte();
  const leastScale = source.byte();
  const scaleBits = source.byte();
  if (turnBits > maxFieldBits || scaleBits > maxFieldBits) refuse('a field is too wide');

  const placements: Placement[] = [];
  source.beginBits();
  for (let i = 0, place = -1; i < count; ++i) {
    place += 1 + source.expGolomb(gapOrder);
    if (place >= size * size) refuse('a placement lies behind the last place');
    const kind = kindBits === 0 ? 0 : source.bits(kindBits);
    if (kind >= kinds.length) refuse('a kind is not among those said');
    const turn = leastTurn + source.bits(turnBits);
    const scale = leastScale + source.bits(scaleBits);
    if (turn > 255 || scale > 255) refuse('a turn or scale is too large');
    placements.push({
      x: place % size,
      y: Math.floor(place / size),
      kind: kinds[kind],
      turn,
      scale,
    });
  }
  source.endBits();
  return placements;
}

/** Decodes structures. */
export function decodeStructures(source: Source, size: number, lod: number): Structure[] {
  if (lod > maxStructureLod) refuse('structures at a coarse level of detail');
  const width = size * 2 ** lod;
  const count = source.varint();
  if (count > size * size) refuse('more structures than samples');
  const structures: Structure[] = [];
  for (let i = 0, place = -1; i < count; ++i) {
    place += 1 + source.varint();
    if (place >= width * width) refuse('a structure lies behind the last place');
    const x = place % width;
    const y = Math.floor(place / width);
    const kind = source.byte();
    const rooms = source.varint();
    if (rooms >= maxRooms) refuse('a structure has too many rooms');
    const fromX = x + source.difference();
    const fromY = y + source.difference();
    const toX = fromX + source.varint();
    const toY = fromY + source.varint();
    structures.push({ x, y, kind, rooms, fromX, fromY, toX, toY });
  }
  return structures;
}

/** Decodes rooms, which follow the structures. */
export function decodeRooms(source: Source, size: number, lod: number): Room[] {
  const count = source.varint();
  if (count > (lod === 0 ? size * size : 0)) refuse('more rooms than there may be');
  const rooms: Room[] = [];
  while (rooms.length < count) decodeGroup(source, size, count - rooms.length, rooms);
  return rooms;
}

/** Adds rooms of one structure, at most `left`. */
function decodeGroup(source: Source, size: number, left: number, rooms: Room[]): void {
  const structureX = source.difference();
  const structureY = source.difference();
  const kind = source.byte();
  const count = source.varint();
  if (count === 0 || count > left) refuse('a group of rooms is empty or too large');
  for (let i = 0, index = -1; i < count; ++i) {
    index += 1 + source.varint();
    const corner = source.varint();
    const place = corner >>> 2;
    if (index >= maxRooms || place >= size * size) refuse('a room is out of bounds');
    const before = rooms.at(-1);
    const floor = ((before?.floor ?? 0) + source.difference()) | 0;
    const piece = source.byte();
    const openDoors = source.byte();
    const x = place % size;
    const y = Math.floor(place / size);
    const turn = corner & 3;
    const room = { x, y, floor, structureX, structureY, index, kind, piece, turn, openDoors };
    if (before !== undefined && !isBefore(before, room)) refuse('rooms are out of order');
    rooms.push(room);
  }
}

/** By structure (y, then x), then index. */
function isBefore(a: Room, b: Room): boolean {
  if (a.structureY !== b.structureY) return a.structureY < b.structureY;
  if (a.structureX !== b.structureX) return a.structureX < b.structureX;
  return a.index < b.index;
}
