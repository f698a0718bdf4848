/** Measures: points on the map, the way along them, and its height profile. */
import * as L from 'leaflet';
import type { App } from '../app.js';
import { button, el, slot } from '../dom.js';
import { drawProfile } from './height_profile.js';
import { samplesAlong } from './height_profile.js';
import type { MapStage } from './index.js';
import { toLatLng } from './view.js';

export interface Ruler {
  readonly isOn: boolean;
  onToggle: (isOn: boolean) => void;
  toggle(): void;
  stop(): void;
  /** Adds a point, in blocks. */
  add(x: number, y: number): void;
}

/** Makes the ruler of the main map. */
export function openRuler(app: App, stage: MapStage): Ruler {
  const { map } = stage.main;
  const panel = slot('profile');
  panel.dataset['testid'] = 'profile';
  const canvas = el('canvas', {});
  canvas.setAttribute('role', 'img');
  canvas.setAttribute('aria-label', 'Height along the way');
  const text = el('span', { test: 'distance' });
  const clear = button('Clear', { test: 'ruler-clear' }, () => restart());
  panel.append(el('div', { className: 'line' }, text, clear), canvas);

  const drawn = L.layerGroup();
  let points: L.LatLng[] = [];
  let isOn = false;
  let latest: AbortController | undefined;

  const redraw = (): void => {
    drawn.clearLayers();
    L.polyline(points, { color: '#111', weight: 5, opacity: 0.5, interactive: false }).addTo(drawn);
    L.polyline(points, { color: '#fff', weight: 2, interactive: false }).addTo(drawn);
    for (const point of points) {
      L.circleMarker(point, {
        ...{ radius: 5, color: '#fff', weight: 2, fillColor: '#e2653f', fillOpacity: 1 },
        interactive: false,
      }).addTo(drawn);
    }
    tell();
  };
  const tell = (): void => {
    latest?.abort();
    canvas.hidden = points.length < 2;
    if (points.length < 2) {
      const how = 'Click the map, or press Enter, where the way begins';
      text.textContent = points.length === 0 ? `${how}.` : 'And where it goes.';
      return;
    }
    let length = 0;
    for (let i = 1; i < points.length; i += 1) length += distance(points[i - 1]!, points[i]!);
    text.replaceChildren(el('strong', {}, `${Math.round(length).toLocaleString('en')} blocks`));
    const abort = new AbortController();
    latest = abort;
    const way = points.map(({ lng, lat }) => ({ x: lng, y: lat }));
    void samplesAlong(app, stage, way, abort.signal).then((profile) => {
      if (abort.signal.aborted || !profile) return;
      text.append(el('span', { className: 'quiet' }, `  ${drawProfile(canvas, profile)}`));
    });
  };
  const restart = (): void => {
    points = [];
    redraw();
  };
  const onClick = (event: L.LeafletMouseEvent): void => ruler.add(event.latlng.lng, event.latlng.lat);
  const set = (on: boolean): void => {
    if (on === isOn) return;
    isOn = on;
    panel.hidden = !on;
    map.getContainer().style.cursor = on ? 'crosshair' : '';
    map[on ? 'on' : 'off']('click', onClick as L.LeafletEventHandlerFn);
    if (on) drawn.addTo(map);
    else drawn.remove();
    restart();
    ruler.onToggle(on);
  };
  const ruler: Ruler = {
    get isOn() {
      return isOn;
    },
    onToggle: () => {},
    toggle: () => set(!isOn),
    stop: () => set(false),
    add: (x, y) => {
      points = [...points, toLatLng(Math.floor(x) + 0.5, Math.floor(y) + 0.5)];
      redraw();
    },
  };
  // a line through other land means nothing
  app.on('world', () => ruler.isOn && restart());
  app.on('state', (now) => now.mode === '3d' && ruler.stop());
  return ruler;
}

function distance(a: L.LatLng, b: L.LatLng): number {
  return Math.hypot(a.lng - b.lng, a.lat - b.lat);
}
