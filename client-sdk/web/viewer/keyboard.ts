/** The keys: the whole viewer works without a pointer. */
import type { App } from './app.js';
import type { MapStage } from './map/index.js';
import type { Ruler } from './map/ruler.js';
import { nextLayer } from './panels/layer_panel.js';
import type { Readout } from './panels/readout.js';
import { toggleScene } from './panels/tools.js';

/** Keys after which the reading is about the cross-hair, besides arrows. */
const movesOrReads = ['+', '=', '-', 'm', 'Enter'];

const step = 100; // pixels
const farStep = 400;

const arrows: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** What the keys act on. */
interface Board {
  app: App;
  map: MapStage;
  ruler: Ruler;
  readout: Readout;
  help: () => void;
}

type Commands = Record<string, () => void>;

function commandsEverywhere({ app, help }: Board): Commands {
  const focus = (test: string): void => {
    document.querySelector('.side')?.classList.add('open');
    const field = document.querySelector<HTMLInputElement>(`[data-testid="${test}"]`);
    field?.focus();
    field?.select();
  };
  return {
    '3': () => toggleScene(app),
    '?': help,
    g: () => focus('goto'),
    s: () => focus('world-seed'),
  };
}

function commandsOnMap({ app, map, ruler }: Board): Commands {
  const leaflet = map.main.map;
  return {
    '+': () => leaflet.zoomIn(),
    '=': () => leaflet.zoomIn(),
    '-': () => leaflet.zoomOut(),
    l: () => nextLayer(app),
    c: () => app.update({ grid: !app.state.grid }),
    m: () => ruler.toggle(),
    Escape: () => {
      leaflet.closePopup();
      ruler.stop();
    },
    Enter: () => {
      if (ruler.isOn) ruler.add(app.state.x, app.state.y);
      else map.main.openNearestStructure();
    },
  };
}

/** Listens on the whole page, but for fields and dialogs. */
export function openKeyboard(board: Board): void {
  const { app, map, readout } = board;
  const everywhere = commandsEverywhere(board);
  const onMap = commandsOnMap(board);
  document.addEventListener('keydown', (event) => {
    const { target, key } = event;
    const isPlain = !(event.ctrlKey || event.metaKey || event.altKey);
    if (!isPlain || event.defaultPrevented || document.querySelector('dialog[open]')) return;
    const isElement = target instanceof HTMLElement;
    if (isElement && target.matches('input, select, textarea')) {
      if (key === 'Escape') target.blur();
      return;
    }
    const is3d = app.state.mode === '3d';
    // in 3-D the letters are for flying
    const command = is3d ? ['3', '?'].includes(key) && everywhere[key] : everywhere[key];
    if (command) {
      event.preventDefault();
      command();
      return;
    }
    if (is3d || (key === 'Enter' && isElement && target.matches('button, a'))) return;
    const arrow = arrows[key];
    if (arrow) {
      const by = event.shiftKey ? farStep : step;
      map.main.map.panBy([arrow[0] * by, arrow[1] * by], { animate: !event.repeat });
    } else if (onMap[key]) {
      onMap[key]();
    } else {
      return;
    }
    event.preventDefault();
    if (arrow || movesOrReads.includes(key)) readout.readMiddle();
  });
}
