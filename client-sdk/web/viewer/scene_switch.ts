/** Opens and closes the 3-D view, whose code is loaded when it is first wanted. */
import type { App } from './app.js';
import { slot } from './dom.js';

/**
 * Follows the state's mode.
 * @returns what opens the 3-D view anew where it is open: after its stream has ended for good
 */
export function openSceneSwitch(app: App): () => void {
  const host = slot('scene');
  const views = slot('views');
  const flat = [slot('readout'), slot('scale')];
  let open: { close(): void } | undefined;
  let isOpening = false;
  const follow = async (): Promise<void> => {
    const wants = app.state.mode === '3d';
    host.hidden = !wants;
    views.style.visibility = wants ? 'hidden' : '';
    for (const part of flat) part.hidden = wants;
    if (!wants) {
      const closing = open;
      open = undefined; // closing it writes the state, which leads here again
      closing?.close();
      return;
    }
    if (open || isOpening || !app.world) return;
    isOpening = true;
    try {
      const { openScene } = await import('./scene/index.js');
      open = await openScene(host, app);
    } catch (error) {
      app.update({ mode: '2d' });
      const why = error instanceof Error ? error.message : String(error);
      app.notify(`3-D can't be shown here: ${why}`);
    } finally {
      isOpening = false;
    }
    if (app.state.mode !== '3d') void follow();
  };
  app.on('state', () => void follow());
  app.on('world', () => void follow());
  void follow();
  return () => {
    const closing = open;
    open = undefined;
    closing?.close();
    void follow();
  };
}
