import type { DecodedChunk } from './chunk.js';
import { decodeChunk } from './codec/decode.js';

/** Decodes chunks in Web Workers. */
export class DecoderPool {
  constructor(
    readonly workerUrl: string | URL,
    readonly workers = 2,
  ) {}
  decode(bytes: Uint8Array, signal?: AbortSignal): Promise<DecodedChunk> {
    return Promise.resolve().then(() => {
      signal?.throwIfAborted();
      return decodeChunk(bytes);
    });
  }
  close(): void {}
}
