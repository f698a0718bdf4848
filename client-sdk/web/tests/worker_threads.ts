import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type TransferListItem, Worker } from 'node:worker_threads';
import type { StartWorker, WorkerLike } from '../src/index.js';

/** The bundled src/worker.ts, which lies beside the bundled tests. */
export const workerFile = path.join(path.dirname(fileURLToPath(import.meta.url)), 'worker.mjs');

/** A script in a thread of node's, with what a Web Worker's global scope has. */
const inScope = (script: string): string => `
  import { parentPort } from 'node:worker_threads';
  globalThis.self = globalThis;
  globalThis.postMessage = (message, transfer) => parentPort.postMessage(message, transfer);
  ${script}
  parentPort.on('message', (data) => globalThis.onmessage({ data }));
`;

/** Starts a real thread that behaves as a Web Worker. */
export const startThread: StartWorker = (url) => {
  if (!existsSync(String(url))) throw new Error(`no worker at ${url}`);
  return startText(`await import(${JSON.stringify(pathToFileURL(String(url)).href)});`);
};

/** The same of a script's text. */
export function startText(script: string): WorkerLike {
  const url = new URL(`data:text/javascript,${encodeURIComponent(inScope(script))}`);
  const thread = new Worker(url, { execArgv: [] });
  const worker: WorkerLike = {
    onmessage: null,
    onerror: null,
    onmessageerror: null,
    postMessage: (message, transfer) =>
      thread.postMessage(message, transfer as unknown as TransferListItem[]),
    terminate: () => void thread.terminate(),
  };
  thread.on('message', (data) => worker.onmessage?.({ data } as MessageEvent));
  thread.on('error', (error) => worker.onerror?.({ message: error.message } as ErrorEvent));
  return worker;
}
