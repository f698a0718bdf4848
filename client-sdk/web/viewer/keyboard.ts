/** The keys: the whole viewer works without a pointer. */
import type { App } from './app.js';
import type { MapStage } from './map/index.js';
import type { Ruler } from './map/ruler.js';
import { nextLayer } from './panels/layer_panel.js';
import type { Readout } from './panels/readout.js';
import { toggleScene } from './panels/tools.js';

const step = 100; // pixels
const farStep = 400;

const arrows: Record<string, readonly [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Listens on the whole page, but for fields and dialogs. */
export function openKeyboard(
  app: App,
  map: MapStage,
  ruler: Ruler,
  readout: Readout,
  help: () => void,
): void {
  const leaflet = map.main.map;
  const focus = (test: string): void => {
    document.querySelector('.side')?.classList.add('open');
    const field = document.querySelector<HTMLInputElement>(`[data-testid="${test}"]`);
    field?.focus();
    field?.select();
  };
  const everywhere: Record<string, () => void> = {
    '3': () => toggleScene(app),
    '?': help,
    g: () => focus('goto'),
    s: () => focus('world-seed'),
  };
  const onMap: Record<string, () => void> = {
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
      leaflet.panBy([arrow[0] * by, arrow[1] * by], { animate: !event.repeat });
    } else if (onMap[key]) {
      onMap[key]();
    } else {
      return;
    }
    event.preventDefault();
    readout.readMiddle();
  });
}
