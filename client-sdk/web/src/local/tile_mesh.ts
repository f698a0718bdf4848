/** Meshes of tiles: what is to be drawn of the land. */
import type { Tile } from '../chunk.js';
import type { Block } from '../world.js';
import { takeBlock, takeTile } from './checks.js';
import { abiVersion, type CoreMemory, type Pointer } from './core_memory.js';
import { meshLayout, vertexLayout, waterVertexLayout } from './layouts.js';

/**
 * A tile as triangles, which meet those of its neighbours exactly, be they of other levels of
 * detail. Copies, of which all but `indices` lie in one buffer, to be posted to another thread
 * without a copy: `postMessage(mesh, [mesh.positions.buffer])`.
 */
export interface TileMesh {
  tile: Tile;
  /** The block that positions are counted from, at height 0. */
  origin: Block;
  /** Land is at hand all around, so no edge is a guess. */
  exact: boolean;
  /**
   * Blocks: x to the east, y to the south and z, the height, of each vertex. First those of the
   * ground, (S + 1)^2 in rows of growing x, then those of skirts below the edges.
   */
  positions: Float32Array<ArrayBuffer>;
  /** x, y and upwards; of length 1. */
  normals: Float32Array<ArrayBuffer>;
  /** Four a vertex: biomes around it, the weightiest first. Indices into the world's biomes. */
  biomes: Uint8Array<ArrayBuffer>;
  /** Theirs: the four are 255 together. */
  weights: Uint8Array<ArrayBuffer>;
  /**
   * Three a triangle, clockwise on a map with north above: first of the ground, then of skirts.
   * Not to be changed: a land's meshes with the same `leftOut` have the same array, which a
   * renderer needs once, but for those with holes.
   */
  indices: Uint32Array<ArrayBuffer>;
  /** How many of `indices` are the ground's. */
  groundIndexCount: number;
  /** What water stands over the tile; undefined: none. */
  water: WaterMesh | undefined;
  /** Heights of all of it, water and skirts, too. */
  minZ: number;
  maxZ: number;
  /** The quarters that finer tiles cover: bit 2 * b + a, east for a, south for b. */
  leftOut: number;
  /** Cells that patches have taken the ground from. */
  holes: number;
}

/** The water's surface. */
export interface WaterMesh {
  /** As the ground's. */
  positions: Float32Array<ArrayBuffer>;
  /** One a vertex: blocks over the ground; below 0 on the shore's dry side. */
  depths: Float32Array<ArrayBuffer>;
  indices: Uint32Array<ArrayBuffer>;
}

/** Builds meshes, one after the other in the same memory. To be closed. */
export class MeshBuilder {
  private handle: Pointer = 0;
  private readonly shared = new Map<number, Uint32Array<ArrayBuffer>>(); // by leftOut

  constructor(private readonly core: CoreMemory) {}

  /** @param tile  a terrane_tile. @throws TerraneError NOT_FOUND where it is not at hand */
  build(land: Pointer, tile: Pointer): TileMesh {
    const { core } = this;
    // core.made lies elsewhere than the tile
    if (this.handle === 0) this.handle = core.make('terrane_mesh_create', abiVersion);
    core.check('terrane_land_mesh', land, tile, this.handle);
    const info = core.emptyBlock(meshLayout.size);
    core.call('terrane_mesh_get_info', this.handle, info);
    const u32 = (at: number): number => core.view.getUint32(info + at, true);
    return {
      tile: takeTile(core.view, info + meshLayout.tile),
      origin: takeBlock(core.view, info + meshLayout.origin),
      exact: u32(meshLayout.exact) !== 0,
      ...this.vertices(info),
      indices: this.indices(info),
      groundIndexCount: u32(meshLayout.groundIndexCount),
      minZ: core.view.getFloat32(info + meshLayout.minZ, true),
      maxZ: core.view.getFloat32(info + meshLayout.maxZ, true),
      leftOut: u32(meshLayout.leftOut),
      holes: u32(meshLayout.holes),
    };
  }

  close(): void {
    const { handle } = this;
    this.handle = 0;
    if (handle !== 0) this.core.call('terrane_mesh_destroy', handle);
    this.shared.clear();
  }

  private vertices(
    info: Pointer,
  ): Pick<TileMesh, 'positions' | 'normals' | 'biomes' | 'weights' | 'water'> {
    const { view } = this.core;
    const count = view.getUint32(info + meshLayout.vertexCount, true);
    const waterCount = view.getUint32(info + meshLayout.waterVertexCount, true);
    const waterIndices = view.getUint32(info + meshLayout.waterIndexCount, true);
    const bytes = vertexLayout.size * count + waterVertexLayout.size * waterCount;
    const memory = new ArrayBuffer(bytes + 4 * waterIndices);
    const positions = new Float32Array(memory, 0, 3 * count);
    const normals = new Float32Array(memory, 12 * count, 3 * count);
    const biomes = new Uint8Array(memory, 24 * count, 4 * count);
    const weights = new Uint8Array(memory, 28 * count, 4 * count);
    const from = view.getUint32(info + meshLayout.vertices, true);
    const { buffer } = view;
    const words = vertexLayout.size / 4;
    const floats = new Float32Array(buffer, from, words * count);
    const raw = new Uint32Array(buffer, from, words * count);
    const biomeWords = new Uint32Array(memory, 24 * count, count);
    const weightWords = new Uint32Array(memory, 28 * count, count);
    for (let v = 0, at = 0, to = 0; v < count; ++v, at += words, to += 3) {
      positions[to] = floats[at];
      positions[to + 1] = floats[at + 1];
      positions[to + 2] = floats[at + 2];
      normals[to] = floats[at + 3];
      normals[to + 1] = floats[at + 4];
      normals[to + 2] = floats[at + 5];
      biomeWords[v] = raw[at + vertexLayout.biomes / 4];
      weightWords[v] = raw[at + vertexLayout.weights / 4];
    }
    const water = waterIndices === 0 ? undefined : this.water(info, memory, 32 * count);
    return { positions, normals, biomes, weights, water };
  }

  /** @param begin  where in `memory` there is room for it */
  private water(info: Pointer, memory: ArrayBuffer, begin: number): WaterMesh {
    const { view } = this.core;
    const count = view.getUint32(info + meshLayout.waterVertexCount, true);
    const indexCount = view.getUint32(info + meshLayout.waterIndexCount, true);
    const positions = new Float32Array(memory, begin, 3 * count);
    const depths = new Float32Array(memory, begin + 12 * count, count);
    const indices = new Uint32Array(memory, begin + waterVertexLayout.size * count, indexCount);
    const words = waterVertexLayout.size / 4;
    const from = view.getUint32(info + meshLayout.waterVertices, true);
    const floats = new Float32Array(view.buffer, from, words * count);
    for (let v = 0, at = 0, to = 0; v < count; ++v, at += words, to += 3) {
      positions[to] = floats[at];
      positions[to + 1] = floats[at + 1];
      positions[to + 2] = floats[at + 2];
      depths[v] = floats[at + 3];
    }
    const list = view.getUint32(info + meshLayout.waterIndices, true);
    indices.set(new Uint32Array(view.buffer, list, indexCount));
    return { positions, depths, indices };
  }

  private indices(info: Pointer): Uint32Array<ArrayBuffer> {
    const { view } = this.core;
    const leftOut = view.getUint32(info + meshLayout.leftOut, true);
    const hasHoles = view.getUint32(info + meshLayout.holes, true) > 0;
    const known = hasHoles ? undefined : this.shared.get(leftOut);
    if (known !== undefined) return known;
    const count = view.getUint32(info + meshLayout.indexCount, true);
    const from = view.getUint32(info + meshLayout.indices, true);
    const indices = new Uint32Array(view.buffer.slice(from, from + 4 * count) as ArrayBuffer);
    if (!hasHoles) this.shared.set(leftOut, indices);
    return indices;
  }
}
