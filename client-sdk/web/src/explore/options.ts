/** What an Explorer may be asked for. */
import type { LayerName, ListName } from '../chunk.js';
import { TerraneError } from '../errors.js';
import type { MachineSettings } from './machine.js';
import type { WebSocketClass } from './socket.js';
import { maxLod, maxViewDistance } from './view.js';

/** Which variant to explore: decimal strings. A fingerprint pins the world. */
export type WorldRef =
  | { world: string; seed: string; fingerprint?: string }
  | { realm: string; fingerprint?: string };

/** Settings of an Explorer. */
export interface ExplorerOptions {
  /** 'wss://example.com/v1/explore' */
  url: string;
  world: WorldRef;
  /** By lod, from 0: radius of the disc of chunks that are in view, 0 to 64. */
  viewDistances: readonly number[];
  /** What chunks are to hold; none: every layer of the world. */
  layers?: readonly (LayerName | ListName)[];
  /** The bearer token to show, asked for anew at each connection; undefined: none. */
  token?: () => string | undefined;
  /** Called when poll() will have something, at most once between two polls. */
  onNews?: () => void;
  /** While more chunks than this wait for poll(), the server is made to wait; 64. */
  maxWaiting?: number;
  /** Chunks out of range that are kept, should the viewer come back; 1024. */
  keptChunks?: number;
  /** The class to connect with where there is no global WebSocket (node before 22). */
  webSocket?: WebSocketClass;
}

/** What the machine is to do. @throws TerraneError  INVALID_ARGUMENT names the option */
export function settingsOf(options: ExplorerOptions): MachineSettings {
  const { world, viewDistances, layers = [], maxWaiting = 64, keptChunks = 1024 } = options;
  const name = 'realm' in world ? world.realm : world.world;
  if (name === '') throw invalid('world: the name is empty');
  if (viewDistances.length > maxLod + 1) throw invalid('viewDistances: at most 17 levels');
  const isDistance = (d: number) => Number.isInteger(d) && d >= 0 && d <= maxViewDistance;
  if (!viewDistances.every(isDistance)) {
    throw invalid(`viewDistances: ${viewDistances.join(', ')}; each must be 0 to 64`);
  }
  if (!viewDistances.some((distance) => distance > 0)) {
    throw invalid('viewDistances: every one is 0, so that there is nothing to see');
  }
  if (maxWaiting < 1) throw invalid('maxWaiting: at least 1 chunk must be allowed to wait');
  return {
    world: 'realm' in world ? '' : world.world,
    seed: 'realm' in world ? 0n : parseU64(world.seed, 'world.seed'),
    realm: 'realm' in world ? world.realm : '',
    fingerprint:
      world.fingerprint === undefined
        ? undefined
        : parseU64(world.fingerprint, 'world.fingerprint'),
    layers,
    viewDistances,
    keptChunks,
    maxWaiting,
  };
}

function parseU64(text: string, field: string): bigint {
  const isNumber = /^[0-9]{1,20}$/.test(text);
  const value = isNumber ? BigInt(text) : -1n;
  if (value < 0n || value >= 1n << 64n) throw invalid(`${field}: '${text}' is no 64-bit number`);
  return value;
}

/** The error of an option that makes no sense. */
export function invalid(message: string): TerraneError {
  return new TerraneError({ status: 'INVALID_ARGUMENT', message });
}
