// The map: it loads, shows every layer, reads blocks, and is moved by hand and by link.
import assert from 'node:assert/strict';
import { assertIsLand, keepShot } from './browser.mjs';
import { room, test } from './room.mjs';
import { ask } from './server.mjs';
import {
  land,
  numberIn,
  openViewer,
  part,
  pictureOf,
  pixelOf,
  requestsOf,
  rested,
  settled,
  stateOf,
  stillPictureOf,
  tell,
} from './viewer.mjs';

const mostMs = 15_000;
const niceView = 'at=-1300,1200&zoom=-2';
const layers = ['biome', 'height', 'temperature', 'humidity', 'water', 'forest', 'rocks', 'relief'];

test('the map shows land soon, and asks nobody but the server', async (t) => {
  const { page, wrongs } = await openViewer({ t, ...room }, niceView);
  await page.waitForSelector('canvas.leaflet-tile-loaded');
  const first = await page.evaluate(() => performance.now());
  await settled(page);
  const all = await page.evaluate(() => performance.now());
  tell(t, 'first tile', first, 'ms');
  tell(t, 'all tiles', all, 'ms');
  assert.ok(all < mostMs, `the map took ${all} ms`);
  await assertIsLand(page, await pictureOf(page));
  await keepShot(page, 'map.png');
  assert.deepEqual(wrongs, []);
});

test('every layer is another picture of what is at hand, and asks for nothing', async (t) => {
  const { page, wrongs } = await openViewer({ t, ...room }, niceView);
  await settled(page);
  const asked = [];
  page.on('request', (request) => {
    if (/\/(bundles|chunks)\//.test(request.url())) asked.push(request.url());
  });
  const before = await requestsOf(page);
  const pictures = new Map();
  for (const layer of layers) {
    const control = part(page, `layer-${layer}`);
    await control.click();
    await settled(page);
    assert.equal((await stateOf(page)).layer, layer);
    assert.equal(await control.getAttribute('aria-pressed'), 'true');
    pictures.set((await pictureOf(page)).toString('base64'), layer);
  }
  assert.deepEqual([...pictures.values()], layers, 'some layers look the same');
  assert.equal(await requestsOf(page), before);
  assert.deepEqual(asked, []);
  assert.deepEqual(wrongs, []);
});

/** What the line below the map says, as numbers and a name. */
async function readingOf(page) {
  const text = (name) => part(page, name).textContent();
  return {
    height: numberIn(await text('height')),
    temperature: numberIn(await text('temperature')),
    humidity: numberIn(await text('humidity')),
    biome: await text('biome'),
    depth: (await part(page, 'depth').count()) === 0 ? 0 : numberIn(await text('depth')),
  };
}

const oneDigit = (value) => Number(value.toFixed(1));

/** Points at a block, and compares what is read there with what the server's program says. */
async function assertReads(page, expected) {
  const { x, y, height, temperature, humidity, biome, water } = expected;
  const at = await pixelOf(page, x, y);
  await page.mouse.move(at.x, at.y);
  const name = `${x}, ${y}`.replaceAll('-', '−');
  await part(page, 'at').filter({ hasText: new RegExp(`^${name}$`) }).waitFor();
  const depth = water === null ? 0 : Math.max(water - height, 0);
  assert.deepEqual(
    await readingOf(page),
    { height: oneDigit(height), temperature, humidity, biome, depth: oneDigit(depth) },
    `at ${name}`,
  );
  const exact = await page.evaluate(([i, j]) => window.terrane.sample(i, j), [x, y]);
  assert.equal(exact.height, height);
  assert.equal(exact.depth ?? 0, depth);
  assert.equal(exact.spacing, 1);
}

test('a block under the pointer reads as `terrane sample` says', async (t) => {
  const { page, wrongs } = await openViewer({ t, ...room }, 'at=0,0&zoom=6');
  for (const [x, y] of [[-1317, 1174], [-490, -3098], [100, 200], [70_003, -41_077]]) {
    await page.evaluate((at) => window.terrane.app.update(at), { x: x + 0.5, y: y + 0.5 });
    await rested(page);
    const blocks = [[x, y], [x - 1, y], [x + 3, y + 2], [x - 4, y - 3]];
    const samples = await ask(room.server, land, ['sample', ...blocks.map((at) => at.join(','))]);
    for (const sample of samples) await assertReads(page, sample);
  }
  assert.deepEqual(wrongs, []);
});

test('the map follows drags, the wheel and keys', async (t) => {
  const { page, wrongs } = await openViewer({ t, ...room }, niceView);
  await settled(page);
  const middle = await pixelOf(page, -1300, 1200);
  let before = await stateOf(page);
  await page.mouse.move(middle.x, middle.y);
  await page.mouse.down();
  await page.mouse.move(middle.x - 80, middle.y + 40, { steps: 4 });
  await page.mouse.move(middle.x - 160, middle.y + 80, { steps: 4 });
  await page.mouse.up();
  await rested(page);
  let now = await stateOf(page);
  // 4 blocks a pixel; it may glide on
  assert.ok(now.x >= before.x + 600, `dragged from x ${before.x} to ${now.x}`);
  assert.ok(now.y <= before.y - 300, `dragged from y ${before.y} to ${now.y}`);

  for (const [wheel, step] of [[-120, 1], [120, -1]]) {
    before = await stateOf(page);
    await page.mouse.wheel(0, wheel);
    await page.waitForFunction((zoom) => window.terrane.state().zoom !== zoom, before.zoom);
    await rested(page);
    assert.equal(Math.sign((await stateOf(page)).zoom - before.zoom), step);
  }

  for (const [key, dx, dy, dz] of [
    ['ArrowRight', 100, 0, 0],
    ['Shift+ArrowUp', 0, -400, 0],
    ['+', 0, 0, 1],
    ['-', 0, 0, -1],
  ]) {
    before = await stateOf(page);
    await page.keyboard.press(key);
    await page.waitForFunction((old) => location.href !== old, page.url());
    await rested(page);
    now = await stateOf(page);
    const blocks = 2 ** -before.zoom; // a pixel
    assert.equal(now.zoom, before.zoom + dz, key);
    assert.ok(Math.abs(now.x - before.x - dx * blocks) <= 2 * blocks, `${key} along x`);
    assert.ok(Math.abs(now.y - before.y - dy * blocks) <= 2 * blocks, `${key} along y`);
  }
  assert.deepEqual(wrongs, []);
});

test('a link opened anew shows the same land, place, layer and biome', async (t) => {
  const { page, wrongs } = await openViewer({ t, ...room }, niceView);
  await settled(page);
  await part(page, 'world-seed').fill('12345678901234567890');
  await page.keyboard.press('Enter');
  await part(page, 'layer-biome').click();
  await part(page, 'biomes').locator('[data-biome="Ocean"]').click();
  await part(page, 'grid').check();
  await part(page, 'goto').fill('-800, 4321');
  await part(page, 'goto-ok').click();
  await part(page, 'zoom-in').click();
  await page.waitForFunction(() => window.terrane.state().zoom === -1);
  await rested(page);
  const shown = await stateOf(page);
  const picture = await stillPictureOf(page);

  const other = await openViewer({ t, ...room }, new URL(page.url()).hash.slice(1));
  await rested(other.page);
  assert.deepEqual(await stateOf(other.page), shown);
  assert.deepEqual(shown.choice, { world: land.world, seed: '12345678901234567890' });
  assert.deepEqual([shown.layer, shown.highlight, shown.grid], ['biome', 'Ocean', true]);
  assert.ok(Math.abs(shown.x + 799.5) < 2 && Math.abs(shown.y - 4321.5) < 2);
  assert.equal(await part(other.page, 'world-seed').inputValue(), '12345678901234567890');
  assert.equal(await part(other.page, 'layer-biome').getAttribute('aria-pressed'), 'true');
  const middle = await other.page.evaluate(() => window.terrane.map.main.map.getCenter());
  assert.ok(Math.abs(middle.lng - shown.x) < 1 && Math.abs(middle.lat - shown.y) < 1);
  assert.ok(picture.equals(await stillPictureOf(other.page)), 'it looks different');
  assert.deepEqual([...wrongs, ...other.wrongs], []);
});
