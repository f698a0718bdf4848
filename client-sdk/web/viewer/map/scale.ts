/** How long things are on the map. */
import type { App } from '../app.js';
import { slot } from '../dom.js';

const mostPixels = 160; // at least two fifths of it: there is room for the number

/** Keeps the scale in the map's corner. */
export function openScale(app: App): void {
  const place = slot('scale');
  const tell = (): void => {
    const pixelsPerBlock = 2 ** Math.round(app.state.zoom);
    const most = mostPixels / pixelsPerBlock;
    const power = 10 ** Math.floor(Math.log10(most));
    const blocks =
      [5, 2, 1].map((factor) => factor * power).find((length) => length <= most) ?? power;
    const length = Math.max(blocks, 1);
    place.style.width = `${length * pixelsPerBlock}px`;
    place.textContent = length === 1 ? '1 block' : `${length.toLocaleString('en')} blocks`;
  };
  app.on('state', tell);
  tell();
}
