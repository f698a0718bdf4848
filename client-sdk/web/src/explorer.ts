import type { LayerName, ListName, Tile } from './chunk.js';
import type { TerraneError } from './errors.js';

/** Which variant to explore: decimal strings. A fingerprint pins the world. */
export type WorldRef =
  | { world: string; seed: string; fingerprint?: string }
  | { realm: string; fingerprint?: string };

/** Where the viewer is: blocks, blocks a second; of the direction only the angle counts. */
export interface Pose {
  x: number;
  y: number;
  velocityX?: number;
  velocityY?: number;
  directionX?: number;
  directionY?: number;
}

/** Settings of an Explorer. */
export interface ExplorerOptions {
  /** 'wss://…/v1/explore' */
  url: string;
  world: WorldRef;
  /** By lod, from 0: radius of the disc of chunks that are in view, 0 to 64. */
  viewDistances: number[];
  /** What chunks are to hold; none: every layer of the world. */
  layers?: (LayerName | ListName)[];
  /** The bearer token to show, asked for anew at each connection. */
  token?: () => string | undefined;
  /** The class to connect with, where there is no global WebSocket (node before 22). */
  webSocket?: new (url: string) => WebSocketLike;
}

/** What an Explorer needs of a WebSocket. */
export interface WebSocketLike {
  binaryType: string;
  onopen: ((event: never) => void) | null;
  onmessage: ((event: never) => void) | null;
  onclose: ((event: never) => void) | null;
  onerror: ((event: never) => void) | null;
  send(data: Uint8Array): void;
  close(code?: number, reason?: string): void;
}

/** What has happened since the last poll. */
export type ExploreEvent =
  /** A chunk has come into view: its encoded bytes. */
  | { type: 'chunk'; tile: Tile; bytes: Uint8Array }
  /** The chunk has left range: forget it. */
  | { type: 'outOfRange'; tile: Tile }
  /** The chunk can't be had. `status` is a gRPC code. */
  | { type: 'failed'; tile: Tile; status: number; message: string }
  /** The first stream is there. `fingerprint` is a decimal string. */
  | { type: 'welcome'; fingerprint: string; chunkSize: number }
  /** The connection is gone; another one is tried by itself. */
  | { type: 'reconnecting'; error?: TerraneError }
  /** The stream goes on with what is at hand. */
  | { type: 'resumed' }
  /** The server has another world under this name now; this stream goes on with the old one. */
  | { type: 'worldChanged' }
  /** It is over for good. */
  | { type: 'ended'; error?: TerraneError };

/** What an Explorer has done. */
export interface ExplorerStats {
  connected: boolean;
  /** Chunks that have come, and the bytes of all messages from the server. */
  chunks: number;
  bytes: number;
  /** Chunks that are at hand and in range now. */
  inRange: number;
  reconnects: number;
  /** Milliseconds from the latest jump to the chunk underfoot; 0: it hasn't come. */
  underfootMs: number;
}

/** Streams the chunks around a moving viewer over a WebSocket. */
export class Explorer {
  constructor(readonly options: ExplorerOptions) {}
  move(_pose: Pose): void {}
  poll(): ExploreEvent[] {
    return [];
  }
  close(): void {}
  stats(): ExplorerStats {
    return { connected: false, chunks: 0, bytes: 0, inRange: 0, reconnects: 0, underfootMs: 0 };
  }
}
