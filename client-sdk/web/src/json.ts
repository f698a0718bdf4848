/** Answers in JSON whose 64-bit numbers, decimal strings, become numbers. */
import type {
  Block,
  Located,
  NamedPlace,
  StructureWithRooms,
  WorldInfo,
  WorldRoom,
  WorldStructure,
} from './world.js';

interface BlockJson {
  x: string;
  y: string;
}

interface WorldStructureJson extends Omit<WorldStructure, 'anchor' | 'firstBlock' | 'lastBlock'> {
  anchor: BlockJson;
  firstBlock: BlockJson;
  lastBlock: BlockJson;
}

interface NamedPlaceJson extends Omit<NamedPlace, 'block'> {
  block: BlockJson;
}

/** GetWorldResponse. */
export interface WorldJson extends Omit<WorldInfo, 'places'> {
  /** Undefined: the server is older than places. */
  places?: NamedPlaceJson[];
}

/** GetStructureResponse. */
export interface StructureJson {
  structure: WorldStructureJson;
  rooms: (Omit<WorldRoom, 'corner'> & { corner: BlockJson })[];
}

/** The last LocateResponse of a search. */
export interface LocateJson {
  found?: {
    block: BlockJson;
    distance: number;
    biome?: number;
    structure?: WorldStructureJson;
    place?: NamedPlaceJson;
  };
  nothing?: { radius: number };
}

export function worldInfoOf(json: WorldJson): WorldInfo {
  return { ...json, places: (json.places ?? []).map(placeOf) };
}

export function structureOf(json: StructureJson): StructureWithRooms {
  const rooms = json.rooms.map((room) => ({ ...room, corner: blockOf(room.corner) }));
  return { structure: worldStructureOf(json.structure), rooms };
}

export function locatedOf(json: LocateJson): Located {
  if (json.found === undefined) return { found: false, radius: json.nothing?.radius ?? 0 };
  const { block, distance, biome, structure, place } = json.found;
  return {
    found: true,
    block: blockOf(block),
    distance,
    ...(biome !== undefined && { biome }),
    ...(structure !== undefined && { structure: worldStructureOf(structure) }),
    ...(place !== undefined && { place: placeOf(place) }),
  };
}

function worldStructureOf(json: WorldStructureJson): WorldStructure {
  return {
    ...json,
    anchor: blockOf(json.anchor),
    firstBlock: blockOf(json.firstBlock),
    lastBlock: blockOf(json.lastBlock),
  };
}

function placeOf(json: NamedPlaceJson): NamedPlace {
  return { ...json, block: blockOf(json.block) };
}

function blockOf(json: BlockJson): Block {
  return { x: Number(json.x), y: Number(json.y) };
}
