/** The package `@terrane/client`: worlds of a Terrane server in the browser. */
export * from './chunk.js';
export { decodeChunk } from './codec/decode.js';
export { DecoderPool } from './decoder_pool.js';
export { FormatError, TerraneError } from './errors.js';
export type { ErrorDetails } from './errors.js';
export { Explorer } from './explorer.js';
export type {
  ExploreEvent,
  ExplorerOptions,
  ExplorerStats,
  Pose,
  WebSocketLike,
  WorldRef,
} from './explorer.js';
export { TerraneHttp } from './http.js';
export type { BundleEntry, HttpOptions } from './http.js';
export * from './world.js';
