/** What a DecoderPool and its workers say to each other. */
import type { DecodedChunk, LayerName, ListName } from './chunk.js';

/** A chunk to decode. */
export interface WorkerRequest {
  id: number;
  bytes: Uint8Array;
  wanted?: readonly (LayerName | ListName)[];
}

/** What became of it. */
export type WorkerAnswer = { id: number; chunk: DecodedChunk } | { id: number; damage: string };
