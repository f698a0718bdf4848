/** The scene's Web Worker: makes surfaces, so that frames stay short. */
import type { GroundColors } from './ground_paint.js';
import { buildSurface, type SurfaceInput } from './surface.js';
import type { SurfaceAnswer } from './surface_worker.js';

let colors: GroundColors | undefined;

type Request = GroundColors | { id: number; input: SurfaceInput };

const scope = self as unknown as {
  onmessage: ((event: MessageEvent<Request>) => void) | null;
  postMessage(message: SurfaceAnswer, transfer: Transferable[]): void;
};

scope.onmessage = ({ data }) => {
  if (!('input' in data)) {
    colors = data;
    return;
  }
  if (!colors) return;
  const surface = buildSurface(data.input, colors);
  const buffers = [surface.height.buffer, surface.color.buffer, surface.shape.buffer];
  if (surface.water) buffers.push(surface.water.buffer);
  scope.postMessage({ id: data.id, surface }, buffers);
};
