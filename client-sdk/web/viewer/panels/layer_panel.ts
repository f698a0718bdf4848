/** What the map is painted by, and what lies on it. */
import type { App } from '../app.js';
import { button, el } from '../dom.js';
import { canShow, legendOf } from '../map/legend.js';
import { mapLayers } from '../state.js';
import type { MapLayer } from '../state.js';

/** What is shown of a layer's name. */
export const layerTitles: Record<MapLayer, string> = {
  relief: 'Relief',
  biome: 'Biomes',
  height: 'Height',
  temperature: 'Warmth',
  humidity: 'Humidity',
  water: 'Water',
  forest: 'Forest',
  rocks: 'Rocks',
};

/** Adds the section to the side panel. */
export function openLayerPanel(app: App, side: HTMLElement): void {
  const buttons = mapLayers.map((layer) => ({
    layer,
    element: button(layerTitles[layer], { test: `layer-${layer}` }, () => app.update({ layer })),
  }));
  const structures = check('Structures', 'structures', (isOn) => app.update({ structures: isOn }));
  const grid = check('Chunk grid', 'grid', (isOn) => app.update({ grid: isOn }));
  const group = el(
    'div',
    { className: 'layers', aria: { label: 'Layer' } },
    ...buttons.map(({ element }) => element),
  );
  group.setAttribute('role', 'group');
  side.append(
    el(
      'section',
      {},
      el('h2', {}, 'Layer'),
      group,
      el('div', { className: 'checks' }, structures.element, grid.element),
    ),
  );
  const tell = (): void => {
    const { state, world } = app;
    const legend = world && legendOf(world);
    for (const { layer, element } of buttons) {
      element.setAttribute('aria-pressed', String(layer === state.layer));
      element.disabled = legend !== undefined && !canShow(legend, layer);
    }
    structures.field.checked = state.structures;
    structures.element.hidden = legend !== undefined && !legend.layers.has('structures');
    grid.field.checked = state.grid;
  };
  app.on('state', tell);
  app.on('world', tell);
  tell();
}

function check(
  text: string,
  test: string,
  onChange: (isOn: boolean) => void,
): { element: HTMLElement; field: HTMLInputElement } {
  const field = el('input', { type: 'checkbox', test });
  field.addEventListener('change', () => onChange(field.checked));
  return { element: el('label', { className: 'check' }, field, text), field };
}

/** The next layer that the world has, around and around. */
export function nextLayer(app: App): void {
  const { world, state } = app;
  if (!world) return;
  const legend = legendOf(world);
  const shown = mapLayers.filter((layer) => canShow(legend, layer));
  const layer = shown[(shown.indexOf(state.layer) + 1) % shown.length];
  if (layer) {
    app.update({ layer });
    app.notify(layerTitles[layer]);
  }
}
