/** The viewer's three-dimensional part; loaded when it is opened for the first time. */
import type { App } from '../app.js';
import { SceneView } from './scene_view.js';

/**
 * Opens the view in a box on the page: it streams the land around the eye of `app.state`, and
 * keeps the state up to date as the eye moves.
 * @throws Error where the browser has no WebGL 2
 */
export async function openScene(host: HTMLElement, app: App): Promise<{ close(): void }> {
  await worldIsKnown(app);
  const view = new SceneView(host, app);
  return { close: () => view.close() };
}

function worldIsKnown(app: App): Promise<void> {
  if (app.world) return Promise.resolve();
  return new Promise((resolve) => {
    const stop = app.on('world', () => {
      stop();
      resolve();
    });
  });
}
