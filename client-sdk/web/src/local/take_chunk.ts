/** Chunks of terrane_core as those that decodeChunk makes. */
import {
  type DecodedChunk,
  firstBlock,
  layerNames,
  type LayerName,
  type Layers,
  type ListName,
  type Placement,
  type Room,
  type Structure,
  type Tile,
} from '../chunk.js';
import { makeSamples, sampleBytes } from '../codec/layers.js';
import { FormatError, TerraneError } from '../errors.js';
import { putTile } from './checks.js';
import { abiVersion, type CoreMemory, type Pointer } from './core_memory.js';
import {
  chunkLayout,
  placementLayout,
  roomLayout,
  structureLayout,
  tileLayout,
} from './layouts.js';

const firstRaster = 1;
const lastRaster = 7;

/** A set of layers as terrane.h has it. @param wanted  none: all */
export function layerMask(wanted?: readonly (LayerName | ListName)[]): number {
  if (wanted === undefined) return 0xffffffff;
  // 0 would be all, bit 0 is no layer
  return wanted.reduce((mask, name) => mask | (1 << layerNames.indexOf(name)), 1);
}

/**
 * Decodes a chunk. @returns a terrane_chunk, to be released
 * @throws FormatError  for bytes that are damaged, or of another level of detail than the tile's
 */
export function decodedChunk(
  core: CoreMemory,
  tile: Tile,
  bytes: Uint8Array,
  wanted?: readonly (LayerName | ListName)[],
): Pointer {
  const from = core.put(bytes);
  const at = core.emptyBlock(tileLayout.size);
  putTile(core.view, at, tile);
  const layers = layerMask(wanted);
  try {
    return core.make('terrane_chunk_decode', abiVersion, from, bytes.length, at, layers);
  } catch (error) {
    const isDamaged = error instanceof TerraneError && error.status === 'DATA_LOSS';
    throw isDamaged ? new FormatError(error.message) : error;
  }
}

/** Copies what a terrane_chunk holds. @param tile  which it is */
export function takeChunk(core: CoreMemory, chunk: Pointer, tile: Tile): DecodedChunk {
  const info = core.emptyBlock(chunkLayout.size);
  core.call('terrane_chunk_get_info', chunk, info);
  const { view } = core;
  const size = view.getUint32(info + chunkLayout.edge, true);
  const { x, y } = firstBlock(tile, size);
  const list = <T>(at: number, read: ReadItem<T>, bytes: number): T[] =>
    takeList(view, info + at, read, bytes, x | 0, y | 0);
  return {
    size,
    lod: tile.lod,
    layers: takeLayers(core, info + chunkLayout.layers, size * size),
    placements: list(chunkLayout.placements, readPlacement, placementLayout.size),
    structures: list(chunkLayout.structures, readStructure, structureLayout.size),
    rooms: list(chunkLayout.rooms, readRoom, roomLayout.size),
  };
}

/** One piece of memory for all layers, as decodeChunk makes it. */
function takeLayers(core: CoreMemory, pointers: Pointer, count: number): Layers {
  const { bytes, view } = core;
  const held: { id: number; from: Pointer }[] = [];
  let total = 0;
  for (let id = firstRaster; id <= lastRaster; ++id) {
    const from = view.getUint32(pointers + 4 * (id - firstRaster), true);
    if (from === 0) continue;
    held.push({ id, from });
    total += sampleBytes(id) * count;
  }
  const layers: Layers = {};
  const memory = new ArrayBuffer(total);
  const to = new Uint8Array(memory);
  let at = 0;
  for (const { id, from } of held) {
    const length = sampleBytes(id) * count;
    to.set(bytes.subarray(from, from + length), at);
    // makeSamples gives each layer the array that Layers says
    (layers as Record<string, unknown>)[layerNames[id]!] = makeSamples(id, memory, at, count);
    at += length;
  }
  return layers;
}

/** Reads an entry of a list; (x, y) is the chunk's first block, of which 32 bits are enough. */
type ReadItem<T> = (view: DataView, at: Pointer, x: number, y: number) => T;

function takeList<T>(
  view: DataView,
  list: Pointer,
  read: ReadItem<T>,
  bytes: number,
  x: number,
  y: number,
): T[] {
  const first = view.getUint32(list, true);
  const count = view.getUint32(list + 4, true);
  const items: T[] = [];
  for (let i = 0; i < count; ++i) items.push(read(view, first + i * bytes, x, y));
  return items;
}

/** A block of the world, which lies near `first`, as blocks counted from there. */
function difference(view: DataView, at: Pointer, first: number): number {
  return (view.getInt32(at, true) - first) | 0;
}

const readPlacement: ReadItem<Placement> = (view, at, x, y) => ({
  x: difference(view, at + placementLayout.x, x),
  y: difference(view, at + placementLayout.y, y),
  kind: view.getUint8(at + placementLayout.kind),
  turn: view.getUint8(at + placementLayout.turn),
  scale: view.getUint8(at + placementLayout.scale),
});

const readStructure: ReadItem<Structure> = (view, at, x, y) => ({
  x: difference(view, at + structureLayout.x, x),
  y: difference(view, at + structureLayout.y, y),
  kind: view.getUint8(at + structureLayout.kind),
  rooms: view.getUint16(at + structureLayout.rooms, true),
  fromX: difference(view, at + structureLayout.fromX, x),
  fromY: difference(view, at + structureLayout.fromY, y),
  toX: difference(view, at + structureLayout.toX, x),
  toY: difference(view, at + structureLayout.toY, y),
});

const readRoom: ReadItem<Room> = (view, at, x, y) => ({
  x: difference(view, at + roomLayout.x, x),
  y: difference(view, at + roomLayout.y, y),
  floor: view.getInt32(at + roomLayout.floor, true),
  structureX: difference(view, at + roomLayout.structureX, x),
  structureY: difference(view, at + roomLayout.structureY, y),
  index: view.getUint16(at + roomLayout.index, true),
  kind: view.getUint8(at + roomLayout.kind),
  piece: view.getUint8(at + roomLayout.piece),
  turn: view.getUint8(at + roomLayout.turn),
  openDoors: view.getUint8(at + roomLayout.openDoors),
});
