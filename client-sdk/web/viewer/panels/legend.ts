/** What the map's colours mean. */
import type { World } from '../../src/index.js';
import type { App } from '../app.js';
import { button, el } from '../dom.js';
import { legendOf } from '../map/legend.js';
import type { MapStage } from '../map/index.js';
import { maxStructureLod } from '../map/structure_markers.js';
import {
  forestStops,
  humidityStops,
  landStops,
  rockStops,
  seaStops,
  temperatureStops,
  toCss,
} from '../map/paint/color.js';
import type { Stop } from '../map/paint/color.js';
import type { MapLayer } from '../state.js';
import { biomesInView } from '../map/biomes_in_view.js';

/** Adds the section to the side panel. */
export function openLegend(app: App, map: MapStage, side: HTMLElement): void {
  const heading = el('h2', {});
  const body = el('div', { test: 'legend' });
  const marks = el('div', { className: 'marks', test: 'structure-legend' });
  side.append(el('section', {}, heading, body, marks));
  let shown = '';
  let shownWorld: World | undefined;
  const tell = (): void => {
    const { state, world } = app;
    if (!world) return;
    tellMarks(app, world, marks);
    const key = [state.layer, state.highlight].join();
    // names and colours may change while the fingerprint does not
    if (key === shown && world === shownWorld) return;
    [shown, shownWorld] = [key, world];
    const isBiomes = state.layer === 'relief' || state.layer === 'biome';
    heading.replaceChildren(isBiomes ? 'Biomes' : titleOf(state.layer));
    if (isBiomes && state.highlight !== undefined) {
      heading.append(
        button('Show all', { className: 'plain', test: 'highlight-off' }, () =>
          app.update({ highlight: undefined }),
        ),
      );
    }
    body.replaceChildren(...(isBiomes ? [biomeList(app, world)] : ramps(state.layer, world)));
    markInView(map, body);
  };
  app.on('state', tell);
  app.on('world', tell);
  let timer = 0;
  map.listeners.add({
    onLand: () => {
      if (timer) return;
      timer = window.setTimeout(() => {
        timer = 0;
        markInView(map, body);
      }, 400);
    },
  });
  tell();
}

/** The colours of structures, where they are shown. */
function tellMarks(app: App, world: World, marks: HTMLElement): void {
  const kinds = world.structureKinds ?? [];
  marks.hidden = kinds.length === 0 || !app.state.structures;
  const isNear = app.state.zoom >= -maxStructureLod;
  const key = JSON.stringify([isNear, kinds.map(({ name, color }) => [name, color])]);
  if (marks.hidden || marks.dataset['shown'] === key) return;
  marks.dataset['shown'] = key;
  const rows = kinds.map(({ name, color }) => {
    const dot = el('span', { className: 'swatch round' });
    dot.style.background = toCss(color);
    return el('span', {}, dot, name);
  });
  const far = el('p', { className: 'quiet' }, 'Structures are shown when you zoom in.');
  marks.replaceChildren(...(isNear ? rows : [far]));
}

function titleOf(layer: MapLayer): string {
  const titles: Partial<Record<MapLayer, string>> = {
    height: 'Height above the sea, blocks',
    temperature: 'Temperature, °C',
    humidity: 'Humidity, %',
    water: 'Depth of water, blocks',
    forest: 'Trees, % of the ground',
    rocks: 'Boulders, % of the ground',
  };
  return titles[layer] ?? layer;
}

/** One row for each name; several ids may share one. */
function biomeList(app: App, world: World): HTMLElement {
  const list = el('div', { className: 'biomes', test: 'biomes' });
  const names = new Map<string, number>();
  for (const { name, color } of world.biomes) if (!names.has(name)) names.set(name, color);
  for (const [name, color] of names) {
    const swatch = el('span', { className: 'swatch' });
    swatch.style.background = toCss(color);
    const isOn = app.state.highlight === name;
    const row = button('', { title: name, aria: { pressed: String(isOn) } }, () =>
      app.update({ highlight: isOn ? undefined : name }),
    );
    row.dataset['biome'] = name;
    row.append(swatch, el('span', {}, name));
    list.append(row);
  }
  return list;
}

/** Pales the names of biomes that can't be seen. */
function markInView(map: MapStage, body: HTMLElement): void {
  const rows = body.querySelectorAll<HTMLElement>('[data-biome]');
  if (rows.length === 0) return;
  const shown = biomesInView(map.main);
  for (const row of rows) {
    row.classList.toggle('away', shown.size > 0 && !shown.has(row.dataset['biome'] ?? ''));
  }
}

function ramps(layer: MapLayer, world: World): HTMLElement[] {
  const { deepest, highest } = legendOf(world);
  const sea = (): HTMLElement[] => ramp(scaled(seaStops, -deepest));
  switch (layer) {
    case 'height': {
      const land = ramp(scaled(landStops, highest));
      if (deepest >= 0) return land;
      return [...land, el('p', { className: 'quiet' }, 'Depth below the sea, blocks'), ...sea()];
    }
    case 'water':
      return deepest < 0 ? ramp(scaled(seaStops, -deepest)) : [];
    case 'temperature':
      return ramp(temperatureStops);
    case 'humidity':
      return ramp(humidityStops);
    case 'forest':
      return ramp(forestStops);
    default:
      return ramp(rockStops);
  }
}

/** Stops that are shares -> the same in blocks. */
function scaled(stops: readonly Stop[], by: number): Stop[] {
  return stops.map(([share, color]) => [share * by, color] as const);
}

/** Share of the bar at whose ends numbers stand beside their place, not below it. */
const edge = 0.05;

/** A bar of colours and the numbers below it. */
function ramp(stops: readonly Stop[]): HTMLElement[] {
  const low = stops[0]?.[0] ?? 0;
  const high = stops[stops.length - 1]?.[0] ?? 1;
  const share = (value: number): string => `${((value - low) / (high - low)) * 100}%`;
  const bar = el('div', { className: 'ramp' });
  const colors = stops.map(([value, color]) => `${toCss(color)} ${share(value)}`);
  bar.style.background = `linear-gradient(90deg, ${colors.join(', ')})`;
  const ticks = el('div', { className: 'ticks' });
  for (const value of roundValues(low, high)) {
    const tick = el('span', {}, String(value).replace('-', '−'));
    const part = (value - low) / (high - low);
    if (part < edge) tick.className = 'low';
    if (part > 1 - edge) tick.className = 'high';
    tick.style.left = share(value);
    ticks.append(tick);
  }
  return [bar, ticks];
}

/** A few round numbers between two others. */
function roundValues(low: number, high: number): number[] {
  const rough = (high - low) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const factor = [1, 2, 2.5, 5, 10].find((one) => one * power >= rough) ?? 10;
  const step = Math.max(factor * power, 1);
  const values: number[] = [];
  for (let at = Math.ceil(low / step); at * step <= high; at += 1) values.push(at * step);
  return values;
}
