/** Worlds whose land is made here. */
import type { DecodedChunk, LayerName, ListName, Room, Tile } from '../chunk.js';
import { TerraneError } from '../errors.js';
import type { Block, PointSamples } from '../world.js';
import { putBlocks, putTile, seedOf } from './checks.js';
import type { CoreMemory, Pointer } from './core_memory.js';
import { describeWorld, type LocalWorldInfo } from './describe.js';
import type { LocalExplorerOptions } from './explorer_calls.js';
import { JudgedExplorer, type JudgedExplorerOptions } from './judged_explorer.js';
import { LocalExplorer } from './local_explorer.js';
import { blockLayout, sampleLayout, tileLayout } from './layouts.js';
import { boxesOf, type RoomBox } from './rooms.js';
import { layerMask, takeChunk } from './take_chunk.js';

/**
 * A world whose chunks are made on the thread that calls, without a server: the same samples as
 * every server's with its fingerprint. Made by TerraneCore.openWorld. Every method throws
 * TerraneError: FAILED_PRECONDITION once it is closed, INVALID_ARGUMENT for a seed or a coordinate
 * that is none, which `field`, `value` and `limit` name, OUT_OF_RANGE outside of the world.
 */
export class LocalWorld {
  /** What the file says about it. */
  readonly info: LocalWorldInfo;
  private handle: Pointer;

  /** Not for programs: TerraneCore.openWorld. @param handle  a terrane_world, which it owns */
  constructor(
    private readonly core: CoreMemory,
    handle: Pointer,
  ) {
    this.handle = handle;
    this.info = describeWorld(core, handle);
  }

  /**
   * Makes a chunk. Takes some tenths of a millisecond, of coarse levels a few.
   * @param seed  of the variant, 0 to 2^64 - 1: a BigInt, or decimal as elsewhere
   * @param wanted  which layers to take over; none: all that the world has
   */
  chunk(
    seed: bigint | string,
    tile: Tile,
    wanted?: readonly (LayerName | ListName)[],
  ): DecodedChunk {
    return this.withChunk(seed, tile, layerMask(wanted), (made) => {
      return takeChunk(this.core, made, tile);
    });
  }

  /** Makes a chunk, as the bytes that servers send. */
  encodedChunk(seed: bigint | string, tile: Tile): Uint8Array {
    return this.withChunk(seed, tile, layerMask(), (made) => {
      const size = this.core.call('terrane_chunk_encode', made, 0, 0);
      const to = this.core.reserve(size);
      if (size === 0 || this.core.call('terrane_chunk_encode', made, to, size) !== size) {
        throw new TerraneError({
          status: 'RESOURCE_EXHAUSTED',
          message: 'terrane_core has no memory left to encode a chunk',
        });
      }
      return this.core.bytes.slice(to, to + size);
    });
  }

  /**
   * The layers at single blocks, whatever their distance: about a microsecond each for blocks side
   * by side, some hundred where they lie apart. For an overview make chunks of a coarse level.
   */
  points(seed: bigint | string, blocks: readonly Block[]): PointSamples {
    const world = this.open();
    const value = seedOf(seed);
    const { core } = this;
    const from = core.reserve(blocks.length * (blockLayout.size + sampleLayout.size));
    const to = from + blocks.length * blockLayout.size;
    putBlocks(core.view, from, blocks);
    core.check('terrane_world_sample', world, value, from, blocks.length, to);
    const { view } = core;
    const layer = (name: LayerName, read: (at: Pointer) => number): number[] =>
      this.info.layers.includes(name)
        ? blocks.map((_, i) => read(to + sampleLayout.size * i + sampleLayout[name]))
        : [];
    const i32 = (at: Pointer): number => view.getInt32(at, true);
    const i16 = (at: Pointer): number => view.getInt16(at, true);
    const u8 = (at: Pointer): number => view.getUint8(at);
    return {
      height: layer('height', i32),
      temperature: layer('temperature', i16),
      humidity: layer('humidity', i16),
      biome: layer('biome', u8),
      water: layer('water', i32),
      forest: layer('forest', u8),
      rocks: layer('rocks', u8),
    };
  }

  /**
   * The land around a viewer, made here: as Explorer's, but for the work, which is the caller's.
   * Errors: INVALID_ARGUMENT for options that make no sense, too.
   */
  explore(options: LocalExplorerOptions): LocalExplorer {
    return new LocalExplorer(this.core, this.open(), options);
  }

  /**
   * The same with a server that judges it. Errors: as of explore(), and INVALID_ARGUMENT where
   * there is no WebSocket.
   */
  judge(options: JudgedExplorerOptions): JudgedExplorer {
    return new JudgedExplorer(this.core, this.open(), this.info.name, options);
  }

  /**
   * A room of a chunk as boxes, which do not overlap: a floor for each storey, walls one block
   * thick with gaps for the open doors, and a roof.
   * @returns in blocks counted as the room's are, heights in blocks
   */
  roomBoxes(room: Room): RoomBox[] {
    return boxesOf(this.core, this.open(), room);
  }

  /** Frees its memory: some kB to MB. Chunks and explorers of it go on. May be called again. */
  close(): void {
    const { handle } = this;
    this.handle = 0;
    if (handle !== 0) this.core.call('terrane_world_close', handle);
  }

  /** Not for programs: its terrane_world, for what runs in `core`. */
  pointer(core: CoreMemory): Pointer {
    if (core === this.core) return this.open();
    throw new TerraneError({
      status: 'INVALID_ARGUMENT',
      message: `the world ${this.info.name} is of another TerraneCore: open its file in this one`,
    });
  }

  /** Not for programs: a terrane_chunk in `core`, to be released. */
  make(core: CoreMemory, seed: bigint | string, tile: Tile, layers = layerMask()): Pointer {
    const world = this.pointer(core);
    const value = seedOf(seed);
    const at = core.emptyBlock(tileLayout.size);
    putTile(core.view, at, tile);
    return core.make('terrane_chunk_generate', world, value, at, layers);
  }

  private open(): Pointer {
    if (this.handle !== 0) return this.handle;
    throw new TerraneError({
      status: 'FAILED_PRECONDITION',
      message: `the world ${this.info.name} is closed`,
    });
  }

  private withChunk<T>(
    seed: bigint | string,
    tile: Tile,
    layers: number,
    use: (made: Pointer) => T,
  ): T {
    const { core } = this;
    const made = this.make(core, seed, tile, layers);
    try {
      return use(made);
    } finally {
      core.call('terrane_chunk_release', made);
    }
  }
}
