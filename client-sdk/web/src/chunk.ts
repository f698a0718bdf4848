/** What an encoded chunk decodes to: plain values, whose meaning proto/FORMAT.md says. */

/** The layers that are rasters of samples. */
export type LayerName =
  | 'height'
  | 'temperature'
  | 'humidity'
  | 'biome'
  | 'water'
  | 'forest'
  | 'rocks';

/** The layers that are lists. */
export type ListName = 'placements' | 'structures';

/** All layers' names, each at the index that is its id in an encoded chunk; 0 has none. */
export const layerNames: readonly (LayerName | ListName | undefined)[] = [
  undefined,
  'height',
  'temperature',
  'humidity',
  'biome',
  'water',
  'forest',
  'rocks',
  'placements',
  'structures',
];

/** The version of the encoded chunk that this library reads. */
export const formatVersion = 2;

/** What the layer `water` holds where no water stands: lower than any ground. */
export const noWater = -524288;

/** Samples by layer: row-major, size * size, row j = y. A layer that the chunk lacks is absent. */
export interface Layers {
  /** Height of the ground, 1/16 block. */
  height?: Int32Array;
  /** 1/10 degree Celsius. */
  temperature?: Int16Array;
  /** 1/10 percent. */
  humidity?: Int16Array;
  /** Index into the world's biomes. */
  biome?: Uint8Array;
  /** Height of the water's surface, 1/16 block; `noWater` where there is none. */
  water?: Int32Array;
  /** Density of trees, percent. */
  forest?: Uint8Array;
  /** Density of boulders, percent. */
  rocks?: Uint8Array;
}

/** A thing at one block. All coordinates here are blocks counted from the chunk's first one. */
export interface Placement {
  x: number;
  y: number;
  /** Index into the world's placementKinds. */
  kind: number;
  /** About the vertical axis, 1/256 of a full turn, from +x towards +y. */
  turn: number;
  /** Percent of the kind's height and radius. */
  scale: number;
}

/** Where a building, a ruin or a dungeon is. Blocks from the chunk's first one; may lie outside. */
export interface Structure {
  /** The anchor, the block before its outside door. It lies in the chunk. */
  x: number;
  y: number;
  /** Index into the world's structureKinds. */
  kind: number;
  /** How many rooms it has. */
  rooms: number;
  /** The blocks that its rooms cover lie between `from` and `to`, both included. */
  fromX: number;
  fromY: number;
  toX: number;
  toY: number;
}

/** One room of a structure: a piece, turned and put somewhere. */
export interface Room {
  /** The covered block of smallest x and y. It lies in the chunk. */
  x: number;
  y: number;
  /** Height of its lowest floor, 1/16 block. */
  floor: number;
  /** Anchor of its structure, which may lie in another chunk. */
  structureX: number;
  structureY: number;
  /** Which room of its structure: 0 is the entrance. */
  index: number;
  /** Index into the world's structureKinds. */
  kind: number;
  /** Index into the kind's pieces. */
  piece: number;
  /** Quarter turns from +x towards +y. */
  turn: number;
  /** Bit k: the piece's door k leads somewhere. */
  openDoors: number;
}

/** A decoded chunk. It knows neither its coordinates nor its world: whoever asked for it does. */
export interface DecodedChunk {
  /** Samples along one edge: 16, 32, 64 or 128. */
  size: number;
  /** Level of detail: samples are 2^lod blocks apart. */
  lod: number;
  layers: Layers;
  /** Whose anchors lie in this chunk, by y, then x. Only at lod 0. */
  placements: Placement[];
  /** Whose anchors lie in this chunk, by y, then x. Up to lod 4. */
  structures: Structure[];
  /** Whose corners lie in this chunk, by structure (y, then x), then index. Only at lod 0. */
  rooms: Room[];
}

/** A chunk of a level of detail. Coordinates count chunks of that level: safe integers. */
export interface Tile {
  lod: number;
  x: number;
  y: number;
}

/** The world's block at which a tile's samples begin: add it to a placement's x and y. */
export function firstBlock(tile: Tile, size: number): { x: number; y: number } {
  const width = size * 2 ** tile.lod;
  return { x: tile.x * width, y: tile.y * width };
}

/** The tile of a level of detail that covers a block. */
export function tileAt(x: number, y: number, lod: number, size: number): Tile {
  const width = size * 2 ** lod;
  return { lod, x: Math.floor(x / width), y: Math.floor(y / width) };
}
