/** The buttons on the map. */
import type { App } from '../app.js';
import { el, iconButton, slot } from '../dom.js';
import type { MapStage } from '../map/index.js';
import type { Ruler } from '../map/ruler.js';

/** Adds the buttons to the map. */
export function openTools(app: App, map: MapStage, ruler: Ruler, help: () => void): void {
  const zoomIn = iconButton('plus', 'Zoom in (+)', 'zoom-in', () => map.main.map.zoomIn());
  const zoomOut = iconButton('minus', 'Zoom out (−)', 'zoom-out', () => map.main.map.zoomOut());
  const measure = iconButton('ruler', 'Measure (m)', 'ruler', () => ruler.toggle());
  ruler.onToggle = (isOn) => measure.setAttribute('aria-pressed', String(isOn));
  const scene = iconButton('cube', 'Fly there in 3-D (3)', 'mode-3d', () => toggleScene(app));
  const helpButton = iconButton('help', 'Keys (?)', 'help', help);
  const zooms = el('div', { className: 'group' }, zoomIn, zoomOut);
  const ways = el('div', { className: 'group' }, scene);
  const others = el('div', { className: 'group' }, measure, helpButton);
  slot('tools').append(ways, zooms, others);
  const tell = (): void => {
    const is3d = app.state.mode === '3d';
    scene.setAttribute('aria-pressed', String(is3d));
    const label = is3d ? 'Back to the map (3)' : 'Fly there in 3-D (3)';
    scene.title = label;
    scene.setAttribute('aria-label', label);
    zooms.hidden = is3d;
    others.hidden = is3d;
  };
  app.on('state', tell);
  tell();
}

/** From the map into the land, and back to the map at the same place. */
export function toggleScene(app: App): void {
  const { mode, eye, x, y } = app.state;
  if (mode === '3d') {
    app.update({ mode: '2d', ...(eye && { x: eye.x, y: eye.y }) });
    return;
  }
  const isNear = eye && Math.hypot(eye.x - x, eye.y - y) < 1;
  app.update({ mode: '3d', ...(!isNear && { eye: undefined }) });
}
