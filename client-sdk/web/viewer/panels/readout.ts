/** The line below the map: what lies at a block. */
import type { World } from '../../src/index.js';
import type { App } from '../app.js';
import { el, slot } from '../dom.js';
import type { MapStage } from '../map/index.js';
import { toCss } from '../map/paint/color.js';
import type { Reading } from '../map/sample.js';
import type { LandView } from '../map/view.js';

export interface Readout {
  /** Reads at the cross-hair in the middle from now on, until the pointer moves. */
  readMiddle(): void;
}

/** Fills the line as the pointer moves, or as land comes. */
export function openReadout(app: App, map: MapStage): Readout {
  const place = slot('readout');
  place.dataset['testid'] = 'readout';
  let at: { x: number; y: number } | undefined;
  let view: LandView = map.main;
  let isMiddle = true;
  let frame = 0;
  const tell = (): void => {
    frame = 0;
    if (isMiddle) [view, at] = [map.main, { x: app.state.x, y: app.state.y }];
    for (const one of map.views) one.showCrosshair(isMiddle && app.state.mode === '2d');
    if (!at || !view.legend) return;
    place.replaceChildren(...parts(view.legend.world, at, view.read(at.x, at.y)));
  };
  const soon = (): void => {
    if (!frame) frame = requestAnimationFrame(tell);
  };
  map.listeners.add({
    onPoint: (of, point) => {
      if (!point) return;
      [view, at, isMiddle] = [of, point, false];
      soon();
    },
    onMove: soon,
    onLand: soon,
  });
  app.on('state', soon);
  app.on('world', soon);
  return {
    readMiddle: () => {
      isMiddle = true;
      soon();
    },
  };
}

/** A number with a real minus. */
function number(value: number, digits: number): string {
  return value.toFixed(digits).replace('-', '−');
}

function parts(world: World, at: { x: number; y: number }, reading: Reading | undefined): Node[] {
  const place = `${number(Math.floor(at.x), 0)}, ${number(Math.floor(at.y), 0)}`;
  const out: Node[] = [el('span', { className: 'at', test: 'at' }, place)];
  const add = (label: string, value: string, test: string): void => {
    out.push(
      el('span', { test }, label !== '' && el('span', { className: 'label' }, label), value),
    );
  };
  if (!reading) {
    out.push(el('span', { className: 'label' }, 'not loaded yet'));
    return out;
  }
  const biome = reading.biome === undefined ? undefined : world.biomes[reading.biome];
  if (biome) out.push(biomeOf(biome.name, biome.color));
  if (reading.height !== undefined) add('height', number(reading.height, 1), 'height');
  if (reading.depth !== undefined) add('water', `${number(reading.depth, 1)} deep`, 'depth');
  if (reading.temperature !== undefined) {
    add('', `${number(reading.temperature, 1)} °C`, 'temperature');
  }
  if (reading.humidity !== undefined) {
    add('humidity', `${number(reading.humidity, 1)} %`, 'humidity');
  }
  if (reading.forest) add('trees', `${reading.forest} %`, 'forest');
  const standing = standingOf(world, reading);
  if (standing) add('here', standing, 'standing');
  if (reading.spacing > 1) {
    out.push(el('span', { className: 'label', test: 'spacing' }, `1 of ${reading.spacing} blocks`));
  }
  return out;
}

function biomeOf(name: string, color: number): HTMLElement {
  const swatch = el('span', { className: 'swatch' });
  swatch.style.background = toCss(color);
  return el('span', { test: 'biome' }, swatch, name);
}

/** What stands at a block, in a few words. */
function standingOf(world: World, reading: Reading): string | undefined {
  const { room, structure, placement } = reading;
  const kind = world.structureKinds[room?.kind ?? structure?.kind ?? -1];
  if (kind && room) return `${kind.name}, ${kind.pieces[room.piece]?.name ?? 'room'}`;
  if (kind) return `${kind.name}, its entrance`;
  return placement && world.placementKinds[placement.kind]?.name;
}
