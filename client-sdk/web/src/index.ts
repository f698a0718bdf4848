/** The package `@terrane/client`: worlds of a Terrane server in the browser. */
export * from './chunk.js';
export { decodeChunk } from './codec/decode.js';
export { DecoderPool } from './decoder_pool.js';
export type { StartWorker, WorkerLike } from './decoder_pool.js';
export { FormatError, TerraneError } from './errors.js';
export type { ErrorDetails } from './errors.js';
export { Explorer } from './explorer.js';
export type { Pose } from './explore/pose.js';
export type { WebSocketClass, WebSocketLike } from './explore/socket.js';
export type { ExplorerOptions, WorldRef } from './explore/options.js';
export type { ExploreEvent, ExplorerStats } from './explorer.js';
export { fingerprintHex, TerraneHttp } from './http.js';
export type { BundleEntry } from './bundle.js';
export type { HttpOptions } from './http.js';
export type { LocalWorldInfo } from './local/describe.js';
export type { LocalExploreEvent, LocalExplorerOptions } from './local/explorer_calls.js';
export type { Ground, Hit, Point } from './local/ground.js';
export type {
  JudgedExploreEvent,
  JudgedExplorer,
  JudgedExplorerOptions,
} from './local/judged_explorer.js';
export type { LocalExplorer } from './local/local_explorer.js';
export type { LandChange, LocalLand } from './local/local_land.js';
export type { LocalWorld } from './local/local_world.js';
export type { BoxPart, Patch, RoomBox } from './local/rooms.js';
export type { Body, FarTree, Obstacle } from './local/standing.js';
export { TerraneCore } from './local/terrane_core.js';
export type { CoreSource } from './local/terrane_core.js';
export type { TileMesh, WaterMesh } from './local/tile_mesh.js';
export * from './world.js';
