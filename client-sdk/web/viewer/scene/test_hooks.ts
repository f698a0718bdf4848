import type { Eye } from '../state.js';
import type { SceneView } from './scene_view.js';

/** What tests in a browser ask the scene. */
export interface SceneHooks {
  /** When everything in view has come and is drawn. */
  settled(): Promise<void>;
  /** Height of the ground, blocks, from the finest chunk that is loaded there. */
  heightAt(x: number, y: number): number | undefined;
  /** Frames drawn since it was opened. */
  frames(): number;
  /** Tiles that are loaded. */
  tiles(): number;
  setPose(eye: Partial<Eye>): void;
  eye(): Eye;
}

declare global {
  interface Window {
    terraneScene?: SceneHooks;
  }
}

/** Puts the hooks on `window`. @returns what takes them away */
export function installHooks(view: SceneView): () => void {
  const hooks: SceneHooks = {
    settled: () =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (view.settled) resolve();
          else if (view.isClosed) reject(new Error('the scene is closed'));
          else requestAnimationFrame(look);
        };
        requestAnimationFrame(look);
      }),
    heightAt: (x, y) => view.landscape.placeAt(x, y)?.ground,
    frames: () => view.frames,
    tiles: () => view.landscape.tiles.tiles.size,
    setPose: (eye) => view.setPose(eye),
    eye: () => view.pilot.eye,
  };
  window.terraneScene = hooks;
  return () => {
    if (window.terraneScene === hooks) delete window.terraneScene;
  };
}
