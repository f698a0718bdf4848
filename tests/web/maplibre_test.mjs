// MapLibre shows the server's tiles as land in three dimensions: the server alone is ours there.
// TERRANED and TERRANE name the programs, CHROMIUM a browser, SHOTS a directory for pictures.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertIsLand, keepShot, openBrowser, openPage } from './browser.mjs';
import { servePage } from './maplibre_page.mjs';
import { ask, startServer } from './server.mjs';
import { land } from './viewer.mjs';

const globe = 2 ** 25; // blocks that take the place of the earth
const finest = 17; // the zoom whose pixels are blocks
const tilePixels = 256;
const exaggeration = 1.5;
const middle = { x: -1300, y: 1200 };

/** Where a block is on the earth. */
function toLngLat({ x, y }) {
  const lat = Math.atan(Math.sinh((-2 * Math.PI * y) / globe));
  return [(x / globe) * 360, (lat * 180) / Math.PI];
}

/** Opens a map on the page and waits until all is drawn. @returns what went wrong */
function openMap(page, { url, center }) {
  return page.evaluate(
    async ([base, at, factor]) => {
      const tiles = (name) => `${base}/mercator/${name}.json`;
      const map = new window.maplibregl.Map({
        container: 'map',
        center: at,
        zoom: 14.5,
        pitch: 65,
        bearing: 20,
        canvasContextAttributes: { preserveDrawingBuffer: true },
        style: {
          version: 8,
          sources: {
            land: { type: 'raster', url: tiles('relief'), tileSize: 256 },
            heights: { type: 'raster-dem', url: tiles('terrarium'), tileSize: 256 },
            shades: { type: 'raster-dem', url: tiles('terrarium'), tileSize: 256 },
          },
          layers: [
            { id: 'land', type: 'raster', source: 'land' },
            { id: 'shades', type: 'hillshade', source: 'shades' },
          ],
          terrain: { source: 'heights', exaggeration: factor },
        },
      });
      window.map = map;
      const errors = [];
      map.on('error', ({ error }) => errors.push(String(error)));
      await map.once('idle');
      return errors;
    },
    [url, center, exaggeration],
  );
}

/** The height, in blocks, that the pixel of a block says in the server's tile. */
function decodedHeight(page, url, { x, y }) {
  const tile = (at) => Math.floor((at + globe / 2) / tilePixels);
  const inside = (at) => ((at % tilePixels) + tilePixels) % tilePixels;
  const address = `${url}/mercator/terrarium/${finest}/${tile(x)}/${tile(y)}.png`;
  return page.evaluate(
    async ([from, column, row]) => {
      const image = await createImageBitmap(await (await fetch(from)).blob());
      const pen = new OffscreenCanvas(image.width, image.height).getContext('2d');
      pen.drawImage(image, 0, 0);
      const [red, green, blue] = pen.getImageData(column, row, 1, 1).data;
      return red * 256 + green + blue / 256 - 32768;
    },
    [address, inside(x), inside(y)],
  );
}

test('MapLibre drapes the relief over heights that are those of the server', async (t) => {
  const server = await startServer({ args: ['--http-cors', '*'] });
  t.after(() => server.stop());
  const browser = await openBrowser();
  t.after(() => browser.close());
  const site = await servePage();
  t.after(() => site.close());
  const page = await openPage(t, browser);
  const wrongs = [];
  page.on('pageerror', (error) => wrongs.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') wrongs.push(message.text());
  });
  await page.goto(site.url);
  const url = `${server.url}/v1/${land.world}/${land.seed}`;
  assert.deepEqual(await openMap(page, { url, center: toLngLat(middle) }), []);
  await assertIsLand(page, await page.screenshot());
  await keepShot(page, 'maplibre.png');

  const blocks = [middle, { x: -1317, y: 1174 }, { x: 100, y: 200 }, { x: -490, y: -3098 }];
  const points = blocks.map(({ x, y }) => `${x},${y}`);
  const samples = await ask(server, land, ['sample', ...points]);
  for (const { x, y, height } of samples) {
    assert.equal(await decodedHeight(page, url, { x, y }), height, `at ${x}, ${y}`);
  }

  // MapLibre's own answer is between the pixels of a coarser tile
  const elevation = await page.evaluate((at) => window.map.queryTerrainElevation(at),
    toLngLat(middle));
  const own = elevation / exaggeration;
  t.diagnostic(`MapLibre says ${own.toFixed(2)} blocks, the server ${samples[0].height}`);
  assert.ok(Math.abs(own - samples[0].height) <= 4);
  assert.deepEqual(wrongs, []);
});
