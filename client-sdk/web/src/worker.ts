/** The script of a DecoderPool's workers: give its URL to the pool. */
import { decodeChunk } from './codec/decode.js';
import { FormatError } from './errors.js';
import type { WorkerAnswer, WorkerRequest } from './worker_messages.js';

/** A worker's global scope, as far as this script uses it. */
interface Scope {
  onmessage: ((event: { data: WorkerRequest }) => void) | null;
  postMessage(answer: WorkerAnswer, transfer: Transferable[]): void;
}

const scope = self as unknown as Scope;

scope.onmessage = ({ data: { id, bytes, wanted } }) => {
  try {
    const chunk = decodeChunk(bytes, wanted);
    // all layers lie in one buffer
    const memory = Object.values(chunk.layers)[0]?.buffer as ArrayBuffer | undefined;
    scope.postMessage({ id, chunk }, memory === undefined ? [] : [memory]);
  } catch (error) {
    if (!(error instanceof FormatError)) throw error;
    scope.postMessage({ id, damage: error.message }, []);
  }
};
