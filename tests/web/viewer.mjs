// What the tests do in the viewer, and what they read from it.
import { openPage, watch } from './browser.mjs';

/** The land that the tests look at. */
export const land = { world: 'continents', seed: '7' };

/**
 * Opens a link of the viewer in a page of its own.
 * @param {{ t, browser, server }} room
 * @param {string} hash  without '#'; the land of the tests where it names none
 * @returns the page, and what has gone wrong there
 */
export async function openViewer({ t, browser, server }, hash, options = {}) {
  const page = await openPage(t, browser, options);
  const wrongs = watch(page, server.url);
  const link = hash.includes('land=') ? hash : `land=${land.world}:${land.seed}&${hash}`;
  await page.goto(`${server.url}/#${link}`);
  return { page, wrongs };
}

/** The control or the reading of that name. */
export function part(page, name) {
  return page.getByTestId(name);
}

/** When all that can be seen on the map is painted. */
export function settled(page) {
  return page.evaluate(() => window.terrane.settled());
}

/** What the link says. */
export function stateOf(page) {
  return page.evaluate(() => window.terrane.state());
}

/** When the map has come to rest and the link says where. */
export async function rested(page) {
  await page.evaluate(async () => {
    const framesOfRest = 15;
    let before = '';
    for (let same = 0; same < framesOfRest; ) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const now = JSON.stringify(window.terrane.state());
      same = now === before ? same + 1 : 0;
      before = now;
    }
  });
  await page.waitForFunction(() => location.href === window.terrane.app.link());
  await settled(page);
  await page.waitForFunction(() => {
    // a grid of the zoom before would be seen through this one
    const grids = document.querySelectorAll('.chunk-grid .leaflet-tile-container:not(:empty)');
    const shown = document.querySelectorAll('.chunk-grid').length;
    return grids.length <= shown && !document.querySelector('.busy');
  });
}

/** How many bundles the main map has asked for. */
export function requestsOf(page) {
  return page.evaluate(() => window.terrane.map.main.bundles.requests);
}

/** Where the middle of a block is on the page, in pixels. */
export function pixelOf(page, x, y) {
  return page.evaluate(
    ([blockX, blockY]) => {
      const { map } = window.terrane.map.main;
      const box = map.getContainer().getBoundingClientRect();
      const at = map.latLngToContainerPoint([blockY + 0.5, blockX + 0.5]);
      return { x: box.left + at.x, y: box.top + at.y };
    },
    [x, y],
  );
}

/** A picture of the map, or of another part, with the pointer elsewhere. */
export async function pictureOf(page, name = 'map') {
  await page.mouse.move(1, 1);
  return part(page, name).screenshot({ animations: 'disabled' });
}

/** The same, once two in a row are the same. */
export async function stillPictureOf(page, name = 'map') {
  for (let before = await pictureOf(page, name), tries = 0; ; ++tries) {
    const now = await pictureOf(page, name);
    if (now.equals(before)) return now;
    if (tries > 20) throw new Error('it never looks the same twice');
    before = now;
  }
}

/** The number in a text, which may have a minus of print and commas. */
export function numberIn(text) {
  const found = /-?\d[\d,]*(\.\d+)?/.exec(text.replace('−', '-'));
  if (!found) throw new Error(`no number in '${text}'`);
  return Number(found[0].replaceAll(',', ''));
}

/** A figure for whoever reads the test's output. */
export function tell(t, name, value, unit) {
  t.diagnostic(`${name}: ${Math.round(value * 10) / 10} ${unit}`);
}
