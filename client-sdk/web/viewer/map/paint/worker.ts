/** The painting worker: gets { id, job }, answers { id, pixels }. */
import type { PaintJob } from './job.js';
import { paintTile } from './paint.js';

interface WorkerScope {
  onmessage: ((event: MessageEvent<{ id: number; job: PaintJob }>) => void) | null;
  postMessage(message: unknown, transfer: Transferable[]): void;
}

const scope = self as unknown as WorkerScope;

scope.onmessage = ({ data }) => {
  const pixels = paintTile(data.job);
  scope.postMessage({ id: data.id, pixels }, [pixels.buffer]);
};
