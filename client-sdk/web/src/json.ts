/** Answers in JSON whose 64-bit numbers, decimal strings, become numbers. */
import type { Block, Located, StructureWithRooms, WorldRoom, WorldStructure } from './world.js';

interface BlockJson {
  x: string;
  y: string;
}

interface WorldStructureJson extends Omit<WorldStructure, 'anchor' | 'firstBlock' | 'lastBlock'> {
  anchor: BlockJson;
  firstBlock: BlockJson;
  lastBlock: BlockJson;
}

/** GetStructureResponse. */
export interface StructureJson {
  structure: WorldStructureJson;
  rooms: (Omit<WorldRoom, 'corner'> & { corner: BlockJson })[];
}

/** The last LocateResponse of a search. */
export interface LocateJson {
  found?: { block: BlockJson; distance: number; biome?: number; structure?: WorldStructureJson };
  nothing?: { radius: number };
}

export function structureOf(json: StructureJson): StructureWithRooms {
  const rooms = json.rooms.map((room) => ({ ...room, corner: blockOf(room.corner) }));
  return { structure: worldStructureOf(json.structure), rooms };
}

export function locatedOf(json: LocateJson): Located {
  if (json.found === undefined) return { found: false, radius: json.nothing?.radius ?? 0 };
  const { block, distance, biome, structure } = json.found;
  return {
    found: true,
    block: blockOf(block),
    distance,
    ...(biome !== undefined && { biome }),
    ...(structure !== undefined && { structure: worldStructureOf(structure) }),
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

function blockOf(json: BlockJson): Block {
  return { x: Number(json.x), y: Number(json.y) };
}
