/** The land around a viewer, made here. */
import type { DecodedChunk, LayerName, ListName, Tile } from '../chunk.js';
import { TerraneError } from '../errors.js';
import { invalid } from '../explore/options.js';
import { completePose, type Pose } from '../explore/pose.js';
import { maxLod } from '../explore/view.js';
import { seedOf, takeTile } from './checks.js';
import { abiVersion, type CoreMemory, type Pointer } from './core_memory.js';
import type { Ground } from './ground.js';
import { eventLayout, exploreOptionsLayout, poseLayout } from './layouts.js';
import { LocalLand } from './local_land.js';
import { layerMask, takeChunk } from './take_chunk.js';

/** Settings of a LocalExplorer. */
export interface LocalExplorerOptions {
  /** Of the variant, 0 to 2^64 - 1: a BigInt, or decimal. */
  seed: bigint | string;
  /** By lod, from 0: radius of the disc of chunks that are in view, 0 to 64. */
  viewDistances: readonly number[];
  /** What chunks are to hold; none: every layer of the world. */
  layers?: readonly (LayerName | ListName)[];
  /** While so many chunks wait for poll(), work() makes no more; 1,024. */
  maxWaiting?: number;
  /** Chunks out of range that are kept, should the viewer come back, of up to 61 kB each; 256. */
  keptChunks?: number;
}

/** What has happened since the last poll. */
export type LocalExploreEvent =
  /** A chunk has come into view. */
  | { type: 'chunk'; tile: Tile; chunk: DecodedChunk }
  /** A chunk has left range: drop it. */
  | { type: 'outOfRange'; tile: Tile }
  /** A chunk can't be had. `status` is a gRPC code. */
  | { type: 'failed'; tile: Tile; status: number };

const kinds = { arrived: 1, outOfRange: 2, failed: 3 };
const pollAtOnce = 64; // events
const maxCount = 2 ** 32 - 1;

/**
 * The chunks around a moving viewer, the most needed first, made on the thread that calls work().
 * Made by LocalWorld.explore. Every method throws TerraneError: FAILED_PRECONDITION once closed.
 */
export class LocalExplorer {
  /** What polls have told of and is in range, if heights are among `layers`; goes with this. */
  readonly land: LocalLand;
  private handle: Pointer;

  /** Not for programs: LocalWorld.explore. @param world  a terrane_world */
  constructor(
    private readonly core: CoreMemory,
    world: Pointer,
    options: LocalExplorerOptions,
  ) {
    const at = putOptions(core, options);
    this.handle = core.make('terrane_explorer_create_local', abiVersion, world, at);
    this.land = new LocalLand(core, core.call('terrane_explorer_land', this.handle));
  }

  /**
   * The viewer is there now: once a frame. Returns at once.
   * @throws TerraneError  INVALID_ARGUMENT or OUT_OF_RANGE; the viewer is then where it was
   */
  move(pose: Pose): void {
    const explorer = this.open();
    const { block, view } = this.core;
    const complete = completePose(pose);
    for (const name of ['x', 'y', ...poseParts] as const) {
      view.setFloat64(block + poseLayout[name], complete[name], true);
    }
    this.core.check('terrane_explorer_move', explorer, block, 0n);
  }

  /**
   * Makes the chunk that is needed most: some tenths of a millisecond, of coarse levels a few.
   * @returns false  when there is nothing to be made until the next move() or poll()
   */
  work(): boolean {
    return this.core.call('terrane_explorer_work', this.open()) !== 0;
  }

  /** What has happened since the last call, in an order that can be followed one by one. */
  poll(): LocalExploreEvent[] {
    const explorer = this.open();
    const { core } = this;
    const events: LocalExploreEvent[] = [];
    const from = core.reserve(pollAtOnce * eventLayout.size);
    for (let count = pollAtOnce; count === pollAtOnce; ) {
      count = core.call('terrane_explorer_poll', explorer, from, pollAtOnce);
      for (let i = 0; i < count; ++i) {
        const event = takeEvent(core, from + i * eventLayout.size);
        if (event !== undefined) events.push(event);
      }
    }
    return events;
  }

  /**
   * The ground at places, in blocks, by the chunks that poll() has told of and that are in range.
   * Microseconds for each.
   * @returns one for each place; undefined: no chunk at hand has it, or `layers` lacks heights
   */
  ground(places: readonly { x: number; y: number }[]): (Ground | undefined)[] {
    this.open();
    return this.land.ground(places);
  }

  /** Frees its memory. Chunks that poll() has given stay. May be called again. */
  close(): void {
    const { handle } = this;
    this.handle = 0;
    this.land.close();
    if (handle !== 0) this.core.call('terrane_explorer_destroy', handle);
  }

  private open(): Pointer {
    if (this.handle !== 0) return this.handle;
    throw new TerraneError({
      status: 'FAILED_PRECONDITION',
      message: 'the LocalExplorer is closed',
    });
  }
}

const poseParts = ['velocityX', 'velocityY', 'directionX', 'directionY'] as const;

/** Writes terrane_explore_options to the block for calls. The library checks distances. */
function putOptions(core: CoreMemory, options: LocalExplorerOptions): Pointer {
  const { viewDistances, layers, maxWaiting = 1024, keptChunks = 256 } = options;
  const seed = seedOf(options.seed);
  if (viewDistances.length > maxLod + 1) throw invalid('viewDistances: at most 17 levels');
  if (!viewDistances.every((d) => Number.isInteger(d) && d >= 0 && d <= 255)) {
    throw invalid(`viewDistances: ${viewDistances.join(', ')}; each must be 0 to 64`);
  }
  for (const [name, value] of Object.entries({ maxWaiting, keptChunks })) {
    if (Number.isInteger(value) && value >= 1 && value <= maxCount) continue;
    throw invalid(`${name}: ${value}; it must be 1 to ${maxCount}`);
  }
  const at = core.emptyBlock(exploreOptionsLayout.size);
  core.bytes.set(viewDistances, at + exploreOptionsLayout.viewDistances);
  const { view } = core;
  const wanted = layers === undefined ? 0 : layerMask(layers); // 0: all
  view.setUint32(at + exploreOptionsLayout.layers, wanted, true);
  view.setUint32(at + exploreOptionsLayout.keptChunks, keptChunks, true);
  view.setUint32(at + exploreOptionsLayout.maxWaiting, maxWaiting, true);
  view.setBigUint64(at + exploreOptionsLayout.seed, seed, true);
  return at;
}

/** @returns undefined for what local explorers have nothing to say with */
function takeEvent(core: CoreMemory, at: Pointer): LocalExploreEvent | undefined {
  const { view } = core;
  const tile = takeTile(view, at + eventLayout.tile);
  switch (view.getUint32(at + eventLayout.kind, true)) {
    case kinds.arrived: {
      const chunk = takeChunk(core, view.getUint32(at + eventLayout.chunk, true), tile);
      return { type: 'chunk', tile, chunk };
    }
    case kinds.outOfRange:
      return { type: 'outOfRange', tile };
    case kinds.failed:
      return { type: 'failed', tile, status: view.getInt32(at + eventLayout.code, true) };
    default:
      return undefined;
  }
}
