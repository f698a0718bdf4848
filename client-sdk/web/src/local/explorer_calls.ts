/** What local and judged explorers have in common: calls of a terrane_explorer. */
import type { DecodedChunk, LayerName, ListName, Tile } from '../chunk.js';
import { invalid } from '../explore/options.js';
import { completePose, type Pose } from '../explore/pose.js';
import { maxLod } from '../explore/view.js';
import { seedOf, takeTile } from './checks.js';
import type { CoreMemory, Pointer } from './core_memory.js';
import { eventLayout, exploreOptionsLayout, poseLayout } from './layouts.js';
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

/** What only those with a connection have to say: numbers of terrane.h. */
export interface ConnectionEvent {
  type: 'connection';
  kind: number;
  tile: Tile;
  state: number;
}

const kinds = { arrived: 1, outOfRange: 2, failed: 3 };
const pollAtOnce = 64; // events
const maxCount = 2 ** 32 - 1;
const poseParts = ['velocityX', 'velocityY', 'directionX', 'directionY'] as const;

/**
 * Writes terrane_explore_options to the block for calls. The library checks distances.
 * @param name  a text in the core's memory: what a server calls the world; 0: there is none
 */
export function putOptions(core: CoreMemory, options: LocalExplorerOptions, name = 0): Pointer {
  const { viewDistances, layers, maxWaiting = 1024, keptChunks = 256 } = options;
  const seed = seedOf(options.seed);
  if (viewDistances.length > maxLod + 1) throw invalid('viewDistances: at most 17 levels');
  if (!viewDistances.every((d) => Number.isInteger(d) && d >= 0 && d <= 255)) {
    throw invalid(`viewDistances: ${viewDistances.join(', ')}; each must be 0 to 64`);
  }
  for (const [option, value] of Object.entries({ maxWaiting, keptChunks })) {
    if (Number.isInteger(value) && value >= 1 && value <= maxCount) continue;
    throw invalid(`${option}: ${value}; it must be 1 to ${maxCount}`);
  }
  const at = core.emptyBlock(exploreOptionsLayout.size);
  core.bytes.set(viewDistances, at + exploreOptionsLayout.viewDistances);
  const { view } = core;
  const wanted = layers === undefined ? 0 : layerMask(layers); // 0: all
  view.setUint32(at + exploreOptionsLayout.layers, wanted, true);
  view.setUint32(at + exploreOptionsLayout.keptChunks, keptChunks, true);
  view.setUint32(at + exploreOptionsLayout.maxWaiting, maxWaiting, true);
  view.setUint32(at + exploreOptionsLayout.world, name, true);
  view.setBigUint64(at + exploreOptionsLayout.seed, seed, true);
  return at;
}

/** @throws TerraneError  INVALID_ARGUMENT or OUT_OF_RANGE; the viewer is then where it was */
export function moveExplorer(core: CoreMemory, explorer: Pointer, pose: Pose, nowNs = 0n): void {
  const { block, view } = core;
  const complete = completePose(pose);
  for (const name of ['x', 'y', ...poseParts] as const) {
    view.setFloat64(block + poseLayout[name], complete[name], true);
  }
  core.check('terrane_explorer_move', explorer, block, nowNs);
}

/** What has happened since the last call, in order. */
export function pollExplorer(
  core: CoreMemory,
  explorer: Pointer,
): (LocalExploreEvent | ConnectionEvent)[] {
  const events: (LocalExploreEvent | ConnectionEvent)[] = [];
  const from = core.reserve(pollAtOnce * eventLayout.size);
  for (let count = pollAtOnce; count === pollAtOnce; ) {
    count = core.call('terrane_explorer_poll', explorer, from, pollAtOnce);
    for (let i = 0; i < count; ++i) events.push(takeEvent(core, from + i * eventLayout.size));
  }
  return events;
}

function takeEvent(core: CoreMemory, at: Pointer): LocalExploreEvent | ConnectionEvent {
  const { view } = core;
  const tile = takeTile(view, at + eventLayout.tile);
  const kind = view.getUint32(at + eventLayout.kind, true);
  switch (kind) {
    case kinds.arrived: {
      const chunk = takeChunk(core, view.getUint32(at + eventLayout.chunk, true), tile);
      return { type: 'chunk', tile, chunk };
    }
    case kinds.outOfRange:
      return { type: 'outOfRange', tile };
    case kinds.failed:
      return { type: 'failed', tile, status: view.getInt32(at + eventLayout.code, true) };
    default: {
      const state = view.getUint32(at + eventLayout.state, true);
      return { type: 'connection', kind, tile, state };
    }
  }
}
