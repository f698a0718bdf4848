/** The chunks at hand: what is to be drawn of them, and what is where. */
import { firstBlock, type Placement, type Room, type Tile } from '../chunk.js';
import { TerraneError } from '../errors.js';
import { countOf, putTile, takeTile } from './checks.js';
import { abiVersion, type CoreMemory, type Pointer } from './core_memory.js';
import { type Ground, groundAt, type Hit, type Point, rayHit } from './ground.js';
import { changeLayout, tileLayout } from './layouts.js';
import type { LocalWorld } from './local_world.js';
import { holesOf, type Patch, patchLand } from './rooms.js';
import {
  type Body,
  type FarTree,
  farTreesOf,
  type Obstacle,
  obstaclesAround,
  placementsAt,
} from './standing.js';
import { decodedChunk } from './take_chunk.js';
import { MeshBuilder, type TileMesh } from './tile_mesh.js';

/** What is to be done so that what is drawn is the land at hand. */
export interface LandChange {
  /** Build the tile's mesh, or build it anew; or draw it no more. */
  type: 'draw' | 'hide';
  tile: Tile;
}

const draw = 1;

/**
 * Chunks of any level of detail around each other: an explorer's, or those that `put` and `make`
 * took in (TerraneCore.createLand). All that it gives is a copy. Every method throws TerraneError:
 * FAILED_PRECONDITION once it is closed, INVALID_ARGUMENT for what makes no sense.
 */
export class LocalLand {
  private readonly meshes: MeshBuilder;

  /** Not for programs. @param handle  a terrane_land, which it owns unless an explorer does */
  constructor(
    private readonly core: CoreMemory,
    private handle: Pointer,
  ) {
    this.meshes = new MeshBuilder(core);
  }

  /** Not for programs: TerraneCore.createLand. */
  static create(core: CoreMemory): LocalLand {
    return new LocalLand(core, core.make('terrane_land_create', abiVersion));
  }

  /**
   * Takes a chunk in that a server has sent, for one that it had of that tile. An explorer's land
   * refuses it, as does one whose chunks have another size, or which lacks heights.
   * @param bytes  encoded; any are safe
   * @throws FormatError  for bytes that are damaged, or of another level of detail
   */
  put(tile: Tile, bytes: Uint8Array): void {
    const land = this.open();
    this.take(land, decodedChunk(this.core, tile, bytes));
  }

  /**
   * The same for one that is made here, with all layers.
   * @throws TerraneError  as LocalWorld.chunk
   */
  make(world: LocalWorld, seed: bigint | string, tile: Tile): void {
    const land = this.open();
    this.take(land, world.make(this.core, seed, tile));
  }

  /** Does nothing where it is not there, or for the land of an explorer. */
  remove(tile: Tile): void {
    this.core.call('terrane_land_remove', this.open(), this.putTile(tile));
  }

  /** How many chunks are at hand. */
  get count(): number {
    return this.core.call('terrane_land_count', this.open());
  }

  /**
   * What is to be drawn anew, the finest first, then what is to be hidden. Take as many as there
   * is time for in a frame, and act on all of them, in that order, before chunks come or go again:
   * then there is never a hole, be it that the rest takes many frames.
   * @param most  how many to take; where fewer come there are no more
   */
  takeChanges(most = 16): LandChange[] {
    const land = this.open();
    const { core } = this;
    const to = core.reserve(changeLayout.size * countOf('most', most, 1, 65_536));
    const count = core.call('terrane_land_take_changes', land, to, most);
    return Array.from({ length: count }, (_, i) => {
      const at = to + changeLayout.size * i;
      const isDraw = core.view.getUint32(at + changeLayout.kind, true) === draw;
      const tile = takeTile(core.view, at + changeLayout.tile);
      return { type: isDraw ? 'draw' : 'hide', tile };
    });
  }

  /**
   * Builds a tile's mesh, without the quarters that finer tiles cover. Some 0.1 to 0.3 ms.
   * @throws TerraneError  NOT_FOUND for a tile that is not at hand
   */
  mesh(tile: Tile): TileMesh {
    const land = this.open();
    return this.meshes.build(land, this.putTile(tile));
  }

  /**
   * The ground at places, in blocks, by the finest chunk at hand, as the triangles of its mesh
   * have it. Microseconds for each.
   * @returns one for each place; undefined: no chunk at hand has it
   */
  ground(places: readonly { x: number; y: number }[]): (Ground | undefined)[] {
    return groundAt(this.core, this.open(), places);
  }

  /**
   * Where a ray meets the ground. One that begins below it meets it at once.
   * @param direction  of any length but 0
   * @param distance  how far to look: blocks, at most 1,000,000
   * @returns undefined: nothing within `distance`, or nothing at hand where it leads
   */
  ray(from: Point, direction: Point, distance: number): Hit | undefined {
    return rayHit(this.core, this.open(), from, direction, distance);
  }

  /**
   * What stands within `radius` blocks of a place, by its anchor, the nearest first, and of these
   * at most `most`. Their x and y are the world's blocks. By the chunks of lod 0.
   */
  placements(place: { x: number; y: number }, radius: number, most = 64): Placement[] {
    return placementsAt(this.core, this.open(), place, radius, most);
  }

  /**
   * What is solid around bodies, by the chunks of lod 0: trunks, boulders, the floors, walls and
   * roofs of rooms; the ground is not. For each at most `most`: first what it is in, that with a
   * level way out before the rest, the deepest first, then the nearest.
   * @param world  that the chunks are of
   */
  obstacles(world: LocalWorld, bodies: readonly Body[], most = 4): Obstacle[][] {
    const { core } = this;
    return obstaclesAround(core, this.open(), world.pointer(core), bodies, most);
  }

  /**
   * Players dig. The land keeps it for chunks that come later, or again; meshes, ground, rays and
   * placements follow at once, and changes tell what is to be drawn anew.
   * @throws TerraneError  OUT_OF_RANGE for a block outside of every world or a height beyond 32,767
   *     blocks: nothing is patched then
   */
  patch(patches: readonly Patch[]): void {
    patchLand(this.core, this.open(), patches);
  }

  /**
   * The holes, for patch(), where the ground would lie inside of a room: dungeons are entered
   * through them. By the chunks of lod 0: ask once those around have come, too.
   * @param tile  of the chunk that lists the room
   */
  roomHoles(world: LocalWorld, tile: Tile, room: Room): Patch[] {
    const { core } = this;
    const first = firstBlock(tile, world.info.chunkSize);
    return holesOf(core, world.pointer(core), this.open(), room, first);
  }

  /**
   * Forests of a coarse tile, which has no placements, as trees scattered over what its mesh draws.
   * @param most  at least 4; there are as many squares, of one tree each at most, as the greatest
   *     power of 4 within it
   * @returns none for tiles of lod 0, and those that are not at hand or have no forests
   */
  farTrees(world: LocalWorld, tile: Tile, most = 256): FarTree[] {
    const { core } = this;
    return farTreesOf(core, this.open(), world.pointer(core), this.putTile(tile), most);
  }

  /** Frees its memory; an explorer's goes with that. May be called again. */
  close(): void {
    const { handle } = this;
    this.handle = 0;
    this.meshes.close();
    if (handle !== 0) this.core.call('terrane_land_destroy', handle);
  }

  private take(land: Pointer, chunk: Pointer): void {
    try {
      this.core.check('terrane_land_put', land, chunk);
    } finally {
      this.core.call('terrane_chunk_release', chunk);
    }
  }

  /** Where calls find it until the next one that needs the block. */
  private putTile(tile: Tile): Pointer {
    const at = this.core.emptyBlock(tileLayout.size);
    putTile(this.core.view, at, tile);
    return at;
  }

  private open(): Pointer {
    if (this.handle !== 0) return this.handle;
    throw new TerraneError({ status: 'FAILED_PRECONDITION', message: 'the land is closed' });
  }
}
