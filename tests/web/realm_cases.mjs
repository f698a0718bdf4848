// Realms, whose seeds nobody is told; and links that are copied.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { assertIsLand, openPage, patienceMs, watch } from './browser.mjs';
import { longTest, room, test } from './room.mjs';
import { sceneOpened } from './scene.mjs';
import { ask, startServer } from './server.mjs';
import { openViewer, part, pictureOf, pixelOf, rested, settled, stateOf } from './viewer.mjs';

const secret = '8731290043210';

/** A server with a realm 'survival'. */
async function startWithRealm(t, ...more) {
  const directory = await mkdtemp(path.join(tmpdir(), 'terrane-web-realms-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  const file = path.join(directory, 'realms.json');
  const realm = { name: 'survival', world: 'continents', seed: secret };
  await writeFile(file, JSON.stringify({ realms: [realm] }));
  const server = await startServer({ args: ['--realms', file, ...more] });
  t.after(() => server.stop());
  return server;
}

/**
 * Notes all that a page asks, is told, and sends. Bodies are promises of text: none where one does
 * not come, for a browser may not say that a page has given one up.
 */
function trafficOf(page) {
  const told = [];
  const note = (promise, textOf) => {
    const late = new Promise((resolve) => setTimeout(resolve, patienceMs, '').unref());
    told.push(Promise.race([promise.then(textOf, () => ''), late]));
  };
  page.on('request', (request) => told.push(request.url()));
  page.on('response', (response) => {
    note(response.body(), (bytes) => bytes.toString('latin1'));
    note(response.allHeaders(), (headers) => JSON.stringify(headers));
  });
  page.on('websocket', (socket) => {
    told.push(socket.url());
    for (const event of ['framesent', 'framereceived']) {
      socket.on(event, ({ payload }) => told.push(payload.toString('latin1')));
    }
  });
  return told;
}

for (const only of [[], ['--realms-only']]) {
  const how = only.length > 0 ? ', where there are realms alone' : '';
  test(`a realm is listed and shown, and its seed is nowhere${how}`, async (t) => {
    const server = await startWithRealm(t, ...only);
    const viewport = { width: 960, height: 540 };
    const page = await openPage(t, room.browser, { viewport });
    const wrongs = watch(page, server.url);
    const told = trafficOf(page);
    await page.goto(`${server.url}/#land=`);
    await page.waitForFunction(() => window.terrane?.app.world);
    await part(page, 'world-select').selectOption('r:survival');
    await page.evaluate(() => window.terrane.app.update({ x: 0.5, y: 0.5, zoom: 0 }));
    await rested(page);
    assert.deepEqual((await stateOf(page)).choice, { realm: 'survival' });
    assert.equal(await part(page, 'where').textContent(), 'realm survival');
    assert.ok(await part(page, 'world-seed').isHidden());
    await assertIsLand(page, await pictureOf(page));
    const options = await part(page, 'world-select').locator('option').allTextContents();
    assert.ok(options.includes('survival') && options.length > 1, options.join());

    if (only.length === 0) {
      const land = { world: 'continents', seed: secret };
      const [{ height }] = await ask(server, land, ['sample', '17,-23']);
      const shown = await page.evaluate(() => window.terrane.sample(17, -23));
      assert.equal(shown.height, height);
    }
    const at = await pixelOf(page, 17, -23);
    await part(page, 'ruler').click();
    await page.mouse.click(at.x, at.y);
    await page.mouse.click(at.x + 60, at.y + 60);
    await page.waitForFunction(() => window.terrane.profile());
    await part(page, 'mode-3d').click();
    await sceneOpened(page);

    const page3d = [page.url(), await page.evaluate(() => window.terrane.app.link())];
    const all = [...(await Promise.all(told)), ...page3d, await page.content()];
    assert.ok(all.some((text) => text.includes('survival')));
    const binary = Buffer.alloc(8);
    binary.writeBigUInt64LE(BigInt(secret));
    const secrets = [secret, BigInt(secret).toString(16), binary.toString('latin1')];
    assert.deepEqual(all.filter((text) => secrets.some((one) => text.includes(one))), []);
    assert.deepEqual(wrongs, []);
  });
}

longTest('a copied link is that of the address, and opens the same view', async (t) => {
  const permissions = ['clipboard-read', 'clipboard-write'];
  const hash = 'at=-1300,1200&zoom=-3&layer=height';
  const { page, wrongs } = await openViewer({ t, ...room }, hash, { permissions });
  await settled(page);
  await part(page, 'zoom-in').click();
  await part(page, 'grid').check();
  // at once: the address comes a little later
  await part(page, 'copy-link').click();
  await part(page, 'notice').filter({ hasText: 'Link copied.' }).waitFor();
  await rested(page);
  await part(page, 'copy-link').click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(copied, page.url());
  const shown = await stateOf(page);
  assert.deepEqual([shown.zoom, shown.grid, shown.layer], [-2, true, 'height']);
  const other = await openViewer({ t, ...room }, new URL(copied).hash.slice(1));
  await rested(other.page);
  assert.deepEqual(await stateOf(other.page), shown);
  assert.deepEqual([...wrongs, ...other.wrongs], []);
});
