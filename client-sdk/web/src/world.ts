/** The server's JSON: messages of proto/terrane/v1, in which 64-bit numbers are decimal strings. */

/** What a layer holds in one world: `stored integer * scale` is in `unit`. */
export interface LayerInfo {
  /** 'LAYER_HEIGHT', … */
  layer: string;
  /** 'height', … */
  name: string;
  /** 'block', 'degC', 'percent', 'biome', 'placement' or 'structure'. */
  unit: string;
  scale: number;
  /** The smallest and largest stored integers; of a list, numbers of entries. */
  minValue: number;
  maxValue: number;
}

/** A row of a world's biome table. */
export interface BiomeInfo {
  id: number;
  /** Several rows may share a name. */
  name: string;
  /** 0xRRGGBB. */
  color: number;
}

/** A kind of what stands somewhere; lengths in 1/16 block at scale 100. */
export interface PlacementKindInfo {
  id: number;
  name: string;
  /** 0xRRGGBB. */
  color: number;
  radius: number;
  height: number;
}

/** Where two pieces may be joined. */
export interface DoorInfo {
  /** Before the piece is turned. */
  side: 'DOOR_SIDE_MIN_Y' | 'DOOR_SIDE_MAX_X' | 'DOOR_SIDE_MAX_Y' | 'DOOR_SIDE_MIN_X';
  /** Blocks along the side from its end of smaller x or y. */
  at: number;
  /** Storeys above the piece's lowest floor. */
  level: number;
}

/** A room as it is drawn: `width` blocks along x, `depth` along y, before it is turned. */
export interface PieceInfo {
  name: string;
  width: number;
  depth: number;
  /** Storeys. */
  levels: number;
  doors: DoorInfo[];
}

/** A kind of structure. */
export interface StructureKindInfo {
  id: number;
  name: string;
  /** 0xRRGGBB. */
  color: number;
  /** From floor to floor, 1/16 block. */
  storey: number;
  pieces: PieceInfo[];
}

/** A world on offer. */
export interface World {
  name: string;
  title: string;
  description: string;
  /** Identifies what is generated: a decimal string. It changes when the world does. */
  fingerprint: string;
  /** Samples along one edge of a chunk. */
  chunkSize: number;
  /** The coarsest level of detail. */
  maxLod: number;
  /** Height of the sea's surface, 1/16 block. */
  seaLevel: number;
  layers: LayerInfo[];
  biomes: BiomeInfo[];
  placementKinds: PlacementKindInfo[];
  structureKinds: StructureKindInfo[];
  /** Decimal strings. */
  minBlockCoordinate: string;
  maxBlockCoordinate: string;
}

/** The server's limits. */
export interface Limits {
  maxChunksPerRequest: number;
  maxPointsPerRequest: number;
  /** Decimal string: of either axis and sign, in chunks, at lod 0. */
  maxChunkCoordinate: string;
  maxMessageBytes: number;
  /** Blocks. */
  maxLocateRadius: number;
  maxRequestBytes: number;
  maxCallsPerConnection: number;
  maxMetadataBytes: number;
}

/** A world with a seed that clients are not told. */
export interface Realm {
  name: string;
  /** Name of the world that it is a variant of. */
  world: string;
}

/** ListWorldsResponse. */
export interface WorldList {
  worlds: World[];
  limits: Limits;
  realms: Realm[];
}

/** A place that a world's designer has named. */
export interface NamedPlace {
  /** Several places may share a name. */
  name: string;
  block: Block;
  /** Players may begin there. */
  spawn: boolean;
}

/** GetWorldResponse. */
export interface WorldInfo {
  world: World;
  limits: Limits;
  /** In the designer's order. */
  places: NamedPlace[];
}

/**
 * One of a world's 2^64 variants. `seed` and `fingerprint` are decimal strings; the latter is
 * World.fingerprint: chunks of a changed world are never mixed with those of the one before.
 */
export type Variant = { world: string; seed: string; fingerprint: string } | { realm: string };

/** SamplePointsResponse: a number for each point; empty for a layer that the world lacks. */
export interface PointSamples {
  height: number[];
  temperature: number[];
  humidity: number[];
  biome: number[];
  water: number[];
  forest: number[];
  rocks: number[];
}

/** A block of the world. */
export interface Block {
  x: number;
  y: number;
}

/** A structure, in blocks of the world. */
export interface WorldStructure {
  anchor: Block;
  /** Index into World.structureKinds. */
  kind: number;
  /** How many rooms it has. */
  rooms: number;
  firstBlock: Block;
  lastBlock: Block;
}

/** A room, in blocks of the world. */
export interface WorldRoom {
  corner: Block;
  /** Height of its lowest floor, 1/16 block. */
  floor: number;
  index: number;
  piece: number;
  turn: number;
  openDoors: number;
}

/** GetStructureResponse. */
export interface StructureWithRooms {
  structure: WorldStructure;
  rooms: WorldRoom[];
}

/** What to look for: a name of World.biomes, of World.structureKinds or of WorldInfo.places. */
export type LocateTarget = { biome: string } | { structure: string } | { place: string };

/** How a search has ended. */
export type Located =
  | {
      found: true;
      block: Block;
      /** Blocks from where the search began. */
      distance: number;
      /** Its index in World.biomes, where a biome was looked for. */
      biome?: number;
      structure?: WorldStructure;
      place?: NamedPlace;
    }
  | {
      found: false;
      /** There is nothing within so many blocks. */
      radius: number;
    };
