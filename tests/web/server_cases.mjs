// What the viewer does as its server goes away, comes back, and reads a world anew.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { assertIsLand } from './browser.mjs';
import { longTest, room, test } from './room.mjs';
import { groundAt, sceneOpened, sceneSettled } from './scene.mjs';
import { ask, printed, startServer } from './server.mjs';
import {
  land,
  openViewer,
  part,
  pictureOf,
  requestsOf,
  rested,
  settled,
  stateOf,
  tell,
} from './viewer.mjs';

/** Requests fail where there is no server. */
const isOfAbsence = (wrong) => /ERR_|Failed to load resource/.test(wrong);

test('the map says that the server is away, and goes on when it is back', async (t) => {
  let server = await startServer();
  t.after(() => server.stop());
  const { browser } = room;
  const { page, wrongs } = await openViewer({ t, browser, server }, 'at=-1300,1200&zoom=-1');
  await settled(page);
  assert.deepEqual(wrongs, []);
  const away = part(page, 'server-away');
  assert.equal(await away.count(), 0);

  await server.kill();
  await away.waitFor();
  const requests = await requestsOf(page);
  const place = { x: 20_000.5, y: -7000.5 };
  await page.evaluate((at) => window.terrane.app.update(at), place);
  await page.waitForFunction(
    (before) => window.terrane.map.main.bundles.requests > before,
    requests,
  );

  server = await startServer({ grpc: server.grpc, http: server.http });
  const start = performance.now();
  await away.waitFor({ state: 'detached' });
  tell(t, 'server seen again after', performance.now() - start, 'ms');
  await rested(page);
  tell(t, 'all tiles after', performance.now() - start, 'ms');
  await assertIsLand(page, await pictureOf(page));
  assert.ok(await page.evaluate(({ x, y }) => window.terrane.sample(x, y), place));
  assert.deepEqual(wrongs.filter((wrong) => !isOfAbsence(wrong)), []);
});

longTest('3-D says that the server is away, and streams on when it is back', async (t) => {
  let server = await startServer();
  t.after(() => server.stop());
  const { browser } = room;
  const viewport = { width: 640, height: 400 };
  const hash = 'mode=3d&eye=-900,700,190&look=0.5,-0.25';
  const { page, wrongs } = await openViewer({ t, browser, server }, hash, { viewport });
  await sceneOpened(page);
  await sceneSettled(page);
  const notice = part(page, 'scene-notice');
  assert.ok(await notice.isHidden());
  assert.deepEqual(wrongs, []);

  await server.kill();
  await notice.filter({ hasText: 'The server is away.' }).waitFor();
  const place = { x: 20_000.5, y: -7000.5, z: 250 };
  await page.evaluate((eye) => window.terraneScene.setPose(eye), place);
  const blocks = [[20_000, -7000], [20_030, -7040]];
  assert.deepEqual(await groundAt(page, blocks), [undefined, undefined]);

  server = await startServer({ grpc: server.grpc, http: server.http });
  const start = performance.now();
  await notice.waitFor({ state: 'hidden' });
  tell(t, 'stream resumed after', performance.now() - start, 'ms');
  await sceneSettled(page);
  tell(t, 'all tiles after', performance.now() - start, 'ms');
  const samples = await ask(server, land, ['sample', ...blocks.map((at) => at.join())]);
  const heights = await groundAt(page, blocks);
  samples.forEach(({ height }, i) => assert.ok(Math.abs(heights[i] - height) <= 1 / 16));
  await assertIsLand(page, await page.screenshot());
  assert.deepEqual(wrongs.filter((wrong) => !isOfAbsence(wrong)), []);
});

/** A server with a world file 'mine', whose height and last biome are as told. */
async function startWithWorld(t) {
  const directory = await mkdtemp(path.join(tmpdir(), 'terrane-web-worlds-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  const original = JSON.parse(await printed(['--print-world', 'perlin']));
  const write = async (amplitude) => {
    const world = structuredClone(original);
    world.name = 'mine';
    world.perlin.amplitude = amplitude;
    // so high that no land is, so that it is looked for everywhere
    const peak = amplitude - 0.5;
    world.biomes.at(-1).height.max = peak;
    const height = { min: peak + 0.0625 };
    world.biomes.push({ name: 'Nowhere', color: 'FF0000', height });
    world.places = [
      { name: 'Mill', at: { x: -70, y: 500 } },
      { name: 'Gate', at: { x: 300, y: -200 }, spawn: true },
    ];
    await writeFile(path.join(directory, 'mine.json'), JSON.stringify(world, null, 2));
  };
  await write(128);
  const server = await startServer({ args: ['--world-dir', directory] });
  t.after(() => server.stop());
  return { server, write };
}

test('a world file that is saved is drawn anew by itself', async (t) => {
  const { server, write } = await startWithWorld(t);
  const { browser } = room;
  const hash = 'land=mine:1&at=0,0&zoom=-1';
  const { page, wrongs } = await openViewer({ t, browser, server }, hash);
  await settled(page);
  const before = await pictureOf(page);
  const fingerprint = await page.evaluate(() => window.terrane.app.world.fingerprint);
  const start = performance.now();
  await write(60);
  await page.waitForFunction(
    (old) => window.terrane.app.world.fingerprint !== old,
    fingerprint,
  );
  await settled(page);
  const took = performance.now() - start;
  tell(t, 'from saved to drawn', took, 'ms');
  assert.ok(took < 6000, `it took ${took} ms`);
  const now = await pictureOf(page);
  await assertIsLand(page, now);
  assert.ok(!now.equals(before), 'it looks the same');
  assert.deepEqual(wrongs, []);
});

test('places that the designer has named are in the list, and where players begin', async (t) => {
  const { server } = await startWithWorld(t);
  const { browser } = room;
  const hash = 'land=mine:1&at=0,0&zoom=-1';
  const { page, wrongs } = await openViewer({ t, browser, server }, hash);
  await settled(page);
  const goes = async (name, click, x, y) => {
    await click();
    await part(page, 'find-status').filter({ hasText: `${name}: ${x}, ${y}` }).waitFor();
    await rested(page);
    const now = await stateOf(page);
    assert.ok(Math.hypot(now.x - x - 0.5, now.y - y - 0.5) < 4, `${now.x}, ${now.y}`);
  };
  await part(page, 'find-select').selectOption({ label: 'Mill' });
  await goes('Mill', () => part(page, 'find').click(), -70, 500);
  const begin = part(page, 'spawn').filter({ hasText: 'Where players begin: Gate' });
  await goes('Gate', () => begin.click(), 300, -200);
  assert.deepEqual(wrongs, []);
});

test('a search that is cancelled stops, and so does its request', async (t) => {
  const { server } = await startWithWorld(t);
  const { browser } = room;
  const hash = 'land=mine:1&at=0,0&zoom=-3';
  const { page, wrongs } = await openViewer({ t, browser, server }, hash);
  await settled(page);
  const searches = [];
  const failed = [];
  const isSearch = (request) => request.url().includes('/locate/');
  page.on('request', (request) => isSearch(request) && searches.push(request.url()));
  page.on('requestfailed', (request) => isSearch(request) && failed.push(request.url()));
  // the farthest search takes half a second: on its way it is held up for as long as it lasts
  await page.route(/\/locate\/.*\/65536$/, () => {});
  await part(page, 'find-select').selectOption('biome:Nowhere');
  await part(page, 'find').click();
  await part(page, 'find-status').filter({ hasText: '16,384' }).waitFor();
  await part(page, 'find-cancel').click();
  await part(page, 'find-status').filter({ hasText: /^Stopped\.$/ }).waitFor();
  assert.ok(await part(page, 'find-cancel').isHidden());
  await rested(page);
  assert.equal(searches.length, 4);
  assert.deepEqual(failed, searches.slice(-1));
  const { x, y } = await stateOf(page);
  assert.deepEqual([x, y], [0, 0]);
  assert.deepEqual(wrongs, []);
});
