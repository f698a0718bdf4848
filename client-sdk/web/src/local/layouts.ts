/**
 * Where terrane.h's structures have their members, in bytes, as terrane_core.wasm is compiled:
 * client-sdk/core/wasm/layouts.cpp, which the compiler checks, says the same.
 */

export const errorLayout = { size: 512, code: 4, message: 8 };

export const blockLayout = { size: 16, x: 0, y: 8 };

export const tileLayout = { size: 24, x: 0, y: 8, lod: 16 };

export const worldLayout = {
  size: 56,
  chunkSize: 4,
  fingerprint: 8,
  name: 16,
  title: 20,
  description: 24,
  maxLod: 28,
  seaLevel: 32,
  layers: 36,
  biomes: 40,
  placementKinds: 44,
  structureKinds: 48,
  places: 52,
};

export const kindLayout = { size: 32, color: 4, name: 8, radius: 12, height: 16, pieces: 20 };

export const pieceLayout = {
  size: 44,
  width: 4,
  depth: 5,
  levels: 6,
  doorCount: 7,
  name: 8,
  doors: 12,
};

export const doorLayout = { size: 4, side: 0, at: 1, level: 2 };

export const placeLayout = { size: 32, spawn: 4, name: 8, x: 16, y: 24 };

/** `layers` are pointers to the layers of ids 1 to 7, one after the other. */
export const chunkLayout = {
  size: 88,
  edge: 4,
  x: 8,
  y: 16,
  lod: 24,
  layers: 32,
  placements: 60,
  placementCount: 64,
  structures: 68,
  structureCount: 72,
  rooms: 76,
  roomCount: 80,
};

export const placementLayout = { size: 24, x: 0, y: 8, kind: 16, turn: 17, scale: 18 };

export const structureLayout = {
  size: 56,
  x: 0,
  y: 8,
  kind: 16,
  rooms: 18,
  fromX: 24,
  fromY: 32,
  toX: 40,
  toY: 48,
};

export const roomLayout = {
  size: 48,
  x: 0,
  y: 8,
  floor: 16,
  structureX: 24,
  structureY: 32,
  index: 40,
  kind: 42,
  piece: 43,
  turn: 44,
  openDoors: 45,
};

export const sampleLayout = {
  size: 16,
  height: 0,
  water: 4,
  temperature: 8,
  humidity: 10,
  biome: 12,
  forest: 13,
  rocks: 14,
};

export const exploreOptionsLayout = {
  size: 64,
  viewDistances: 4,
  layers: 24,
  keptChunks: 28,
  maxWaiting: 32,
  world: 36,
  seed: 48,
};

export const poseLayout = {
  size: 48,
  x: 0,
  y: 8,
  velocityX: 16,
  velocityY: 24,
  directionX: 32,
  directionY: 40,
};

export const eventLayout = { size: 48, kind: 0, code: 4, tile: 8, chunk: 32, state: 36 };

export const placeOfGround = { size: 16, x: 0, y: 8 };

export const groundLayout = {
  size: 40,
  height: 0,
  water: 8,
  normal: 16,
  depth: 28,
  biome: 32,
  lod: 33,
  known: 34,
  hole: 35,
};

export const placeOfRay = { size: 24, x: 0, y: 8, height: 16 };

export const hitLayout = { size: 56, hit: 4, distance: 8, x: 16, y: 24, height: 32, normal: 40 };

export const patchLayout = { size: 24, block: 0, height: 16, what: 20 };

export const boxLayout = { size: 48, from: 0, to: 16, bottom: 32, top: 36, part: 40, level: 41 };

export const bodyLayout = {
  size: 40,
  x: 0,
  y: 8,
  bottom: 16,
  radius: 24,
  height: 28,
  step: 32,
  reach: 36,
};

export const obstacleLayout = {
  size: 72,
  x: 0,
  y: 8,
  halfX: 16,
  halfY: 20,
  bottom: 24,
  top: 28,
  pushX: 32,
  pushY: 36,
  pushUp: 40,
  distance: 44,
  of: 48,
  room: 64,
  part: 66,
  kind: 67,
};

export const changeLayout = { size: 32, tile: 0, kind: 24 };

export const meshLayout = {
  size: 104,
  exact: 4,
  tile: 8,
  origin: 32,
  vertices: 48,
  vertexCount: 52,
  indices: 56,
  indexCount: 60,
  groundIndexCount: 64,
  waterVertices: 68,
  waterVertexCount: 72,
  waterIndices: 76,
  waterIndexCount: 80,
  minZ: 84,
  maxZ: 88,
  leftOut: 92,
  holes: 96,
};

/** Three positions, three parts of the normal, and what is four bytes each. */
export const vertexLayout = { size: 32, x: 0, normal: 12, biomes: 24, weights: 28 };

/** Three positions, then the depth. */
export const waterVertexLayout = { size: 16, x: 0, depth: 12 };

export const farTreeLayout = {
  size: 28,
  x: 0,
  y: 4,
  z: 8,
  radius: 12,
  height: 16,
  trees: 20,
  kind: 24,
  turn: 25,
};
