/** The map's part of the page: one view, or two of them side by side that move together. */
import type { App } from '../app.js';
import type { Reading } from './sample.js';
import { LandView } from './view.js';
import type { ViewEvents } from './view.js';

const busyCheckMs = 300;

/** What others may ask of the maps. */
export interface MapStage {
  /** The main view, and the one beside it when two are compared. */
  readonly views: readonly LandView[];
  readonly main: LandView;
  /** Resolves when all that can be seen is painted. */
  settled(): Promise<void>;
  sample(x: number, y: number): Reading | undefined;
  /** Called by name when something has happened on a map. */
  readonly listeners: Set<Partial<ViewEvents>>;
  close(): void;
}

/** Opens the maps in an element, and keeps them as the app's state says. */
export function openMap(host: HTMLElement, app: App): MapStage {
  const listeners = new Set<Partial<ViewEvents>>();
  const events = broadcast(app, listeners);
  const main = new LandView(host, app, events, 'map');
  const views = [main];

  const follow = (): void => {
    const { state } = app;
    const { compare } = state;
    if (state.mode === '3d') return; // what nobody sees is not asked for
    host.classList.toggle('two', compare !== undefined);
    if (compare && views.length === 1) {
      views.push(new LandView(host, app, events, 'map-beside'));
      main.resized();
    }
    if (!compare && views.length === 2) {
      views.pop()?.close();
      main.resized();
    }
    main.show(state.choice, state, compare !== undefined);
    if (compare) views[1]?.show(compare, state, true);
  };
  const stops = [app.on('state', follow), app.on('world', follow)];
  const watcher = new ResizeObserver(() => {
    for (const view of views) view.resized();
  });
  watcher.observe(host);
  const timer = window.setInterval(() => {
    const isBusy = app.state.mode === '2d' && !views.every((view) => view.isSettled);
    host.classList.toggle('busy', isBusy);
  }, busyCheckMs);
  follow();

  return {
    views,
    main,
    listeners,
    sample: (x, y) => main.read(x, y),
    settled: () => settled(app, views),
    close: () => {
      window.clearInterval(timer);
      watcher.disconnect();
      for (const stop of stops) stop();
      for (const view of views.splice(0)) view.close();
    },
  };
}

/** Events of any view, to all who listen. */
function broadcast(app: App, listeners: Set<Partial<ViewEvents>>): ViewEvents {
  return {
    onMove: (x, y, zoom) => {
      app.update({ x, y, zoom });
      for (const listener of listeners) listener.onMove?.(x, y, zoom);
    },
    onPoint: (view, at) => {
      for (const listener of listeners) listener.onPoint?.(view, at);
    },
    onLand: (view) => {
      for (const listener of listeners) listener.onLand?.(view);
    },
  };
}

function settled(app: App, views: readonly LandView[]): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (app.state.mode === '3d' || views.every((view) => view.isSettled)) {
        resolve();
      } else {
        requestAnimationFrame(look);
      }
    };
    requestAnimationFrame(look);
  });
}
