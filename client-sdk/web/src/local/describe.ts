/** What a world file says about its world. */
import { type LayerName, layerNames, type ListName } from '../chunk.js';
import type {
  BiomeInfo,
  DoorInfo,
  NamedPlace,
  PieceInfo,
  PlacementKindInfo,
  StructureKindInfo,
  World,
} from '../world.js';
import type { CoreMemory, Pointer } from './core_memory.js';
import { doorLayout, kindLayout, pieceLayout, placeLayout, worldLayout } from './layouts.js';

const doorSides: readonly DoorInfo['side'][] = [
  'DOOR_SIDE_MIN_Y',
  'DOOR_SIDE_MAX_X',
  'DOOR_SIDE_MAX_Y',
  'DOOR_SIDE_MIN_X',
];

/**
 * A world as its file describes it, with what World has. Of a compiled world alone the names are
 * empty, and so are all lists but `layers`.
 */
export interface LocalWorldInfo extends Omit<
  World,
  'layers' | 'minBlockCoordinate' | 'maxBlockCoordinate'
> {
  /** The layers that its chunks hold. */
  layers: (LayerName | ListName)[];
  /** In the designer's order. */
  places: NamedPlace[];
}

/** @param world  a terrane_world */
export function describeWorld(core: CoreMemory, world: Pointer): LocalWorldInfo {
  const info = core.emptyBlock(worldLayout.size);
  core.call('terrane_world_get_info', world, info);
  const { view } = core;
  const u32 = (at: number): number => view.getUint32(info + at, true);
  const mask = u32(worldLayout.layers);
  const described = {
    name: core.text(u32(worldLayout.name)),
    title: core.text(u32(worldLayout.title)),
    description: core.text(u32(worldLayout.description)),
    fingerprint: String(view.getBigUint64(info + worldLayout.fingerprint, true)),
    chunkSize: u32(worldLayout.chunkSize),
    maxLod: u32(worldLayout.maxLod),
    seaLevel: view.getInt32(info + worldLayout.seaLevel, true),
    layers: layerNames.filter((name, id) => name !== undefined && mask & (1 << id)),
  };
  const counts = {
    biomes: u32(worldLayout.biomes),
    placementKinds: u32(worldLayout.placementKinds),
    structureKinds: u32(worldLayout.structureKinds),
    places: u32(worldLayout.places),
  };
  return {
    ...described,
    layers: described.layers as (LayerName | ListName)[],
    biomes: list(counts.biomes, (i) => readBiome(core, world, i)),
    placementKinds: list(counts.placementKinds, (i) => readPlacementKind(core, world, i)),
    structureKinds: list(counts.structureKinds, (i) => readStructureKind(core, world, i)),
    places: list(counts.places, (i) => readPlace(core, world, i)),
  };
}

function list<T>(count: number, read: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => read(index));
}

function readKind(core: CoreMemory, world: Pointer, id: number, kinds: string): Kind {
  const at = core.emptyBlock(kindLayout.size);
  core.call(`terrane_world_${kinds}`, world, id, at);
  const { view } = core;
  return {
    id,
    name: core.text(view.getUint32(at + kindLayout.name, true)),
    color: view.getUint32(at + kindLayout.color, true),
    radius: view.getInt32(at + kindLayout.radius, true),
    height: view.getInt32(at + kindLayout.height, true),
    pieces: view.getUint32(at + kindLayout.pieces, true),
  };
}

interface Kind extends PlacementKindInfo {
  pieces: number;
}

function readBiome(core: CoreMemory, world: Pointer, index: number): BiomeInfo {
  const { id, name, color } = readKind(core, world, index, 'biome');
  return { id, name, color };
}

function readPlacementKind(core: CoreMemory, world: Pointer, index: number): PlacementKindInfo {
  const { id, name, color, radius, height } = readKind(core, world, index, 'placement_kind');
  return { id, name, color, radius, height };
}

function readStructureKind(core: CoreMemory, world: Pointer, index: number): StructureKindInfo {
  const { id, name, color, height, pieces } = readKind(core, world, index, 'structure_kind');
  const piecesOfIt = list(pieces, (piece) => readPiece(core, world, index, piece));
  return { id, name, color, storey: height, pieces: piecesOfIt };
}

function readPiece(core: CoreMemory, world: Pointer, kind: number, index: number): PieceInfo {
  const at = core.emptyBlock(pieceLayout.size);
  core.call('terrane_world_piece', world, kind, index, at);
  const { view } = core;
  const doors = list(view.getUint8(at + pieceLayout.doorCount), (i) => {
    const door = at + pieceLayout.doors + doorLayout.size * i;
    return {
      side: doorSides[view.getUint8(door + doorLayout.side)],
      at: view.getUint8(door + doorLayout.at),
      level: view.getUint8(door + doorLayout.level),
    };
  });
  return {
    name: core.text(view.getUint32(at + pieceLayout.name, true)),
    width: view.getUint8(at + pieceLayout.width),
    depth: view.getUint8(at + pieceLayout.depth),
    levels: view.getUint8(at + pieceLayout.levels),
    doors,
  };
}

function readPlace(core: CoreMemory, world: Pointer, index: number): NamedPlace {
  const at = core.emptyBlock(placeLayout.size);
  core.call('terrane_world_place', world, index, at);
  const { view } = core;
  return {
    name: core.text(view.getUint32(at + placeLayout.name, true)),
    block: {
      x: Number(view.getBigInt64(at + placeLayout.x, true)),
      y: Number(view.getBigInt64(at + placeLayout.y, true)),
    },
    spawn: view.getUint32(at + placeLayout.spawn, true) !== 0,
  };
}
