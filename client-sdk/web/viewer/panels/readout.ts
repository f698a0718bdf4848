/** The line below the map: what lies at a block. */
import * as L from 'leaflet';
import type { Block, World } from '../../src/index.js';
import type { App } from '../app.js';
import { el, slot } from '../dom.js';
import type { MapStage } from '../map/index.js';
import { toCss } from '../map/paint/color.js';
import type { Reading } from '../map/sample.js';
import { toLatLng } from '../map/view.js';
import type { LandView } from '../map/view.js';

export interface Readout {
  /** Reads at the cross-hair in the middle from now on, until the pointer moves. */
  readMiddle(): void;
}

/** Fills the line as the pointer moves, or as land comes. */
export function openReadout(app: App, map: MapStage): Readout {
  const place = slot('readout');
  place.dataset['testid'] = 'readout';
  let at: Block | undefined;
  let view: LandView = map.main;
  let isMiddle = true;
  let isPointed = false;
  let frame = 0;
  const pin = makePin();
  const tell = (): void => {
    frame = 0;
    // whoever moves by keys may not see: it is read aloud
    place.setAttribute('aria-live', isMiddle ? 'polite' : 'off');
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
      isPointed = point !== undefined;
      if (!point) return;
      [view, at, isMiddle] = [of, point, false];
      if (hasNoHover.matches) pin.put(of, point);
      soon();
    },
    onMove: () => {
      forget();
      soon();
    },
    onLand: soon,
  });
  // the pointer is elsewhere, or the finger has gone on: what it was at may be out of sight
  const forget = (): void => {
    if ((hasNoHover.matches || !isPointed) && !isMiddle) readMiddle();
  };
  const readMiddle = (): void => {
    isMiddle = true;
    pin.remove();
    soon();
  };
  app.on('state', (now, before) => {
    if (now.x !== before.x || now.y !== before.y) forget();
    soon();
  });
  app.on('world', soon);
  return { readMiddle };
}

const hasNoHover = matchMedia('(hover: none)');

/** Shows which block was touched. */
function makePin(): { put(view: LandView, at: Block): void; remove(): void } {
  const ring = L.circleMarker([0, 0], {
    ...{ radius: 7, color: '#fff', weight: 2, fillOpacity: 0, interactive: false },
  });
  return {
    put: (view, { x, y }) => {
      ring.remove();
      ring.setLatLng(toLatLng(Math.floor(x) + 0.5, Math.floor(y) + 0.5)).addTo(view.map);
    },
    remove: () => void ring.remove(),
  };
}

/** A number with a real minus. */
function number(value: number, digits: number): string {
  return value.toFixed(digits).replace('-', '−');
}

function parts(world: World, at: Block, reading: Reading | undefined): Node[] {
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
