// A server that asks who calls: the viewer asks for a token, shows it, and tells nobody else.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { assertIsLand } from './browser.mjs';
import { room, test } from './room.mjs';
import { eyeOf, sceneOpened } from './scene.mjs';
import { printed, startServer } from './server.mjs';
import { openViewer, part, pictureOf, rested, settled } from './viewer.mjs';

/** A new token, and what a server is to know of it. */
async function newToken() {
  const said = await printed(['--new-token', 'viewer']);
  const [token] = /terrane_[0-9a-f]{64}/.exec(said);
  const [entry] = /\{"name".*\}/.exec(said);
  return { token, access: `{"tokens": [${entry}]}` };
}

/** A server that takes one token alone. @returns both, and what replaces that token */
async function startGuarded(t) {
  const directory = await mkdtemp(path.join(tmpdir(), 'terrane-web-access-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  const file = path.join(directory, 'access.json');
  const { token, access } = await newToken();
  await writeFile(file, access);
  const server = await startServer({ args: ['--access-file', file] });
  t.after(() => server.stop());
  return { server, token, replace: (other) => writeFile(file, other) };
}

/** Notes every address that a page asks, of both kinds. */
function addressesOf(page) {
  const all = [];
  page.on('request', (request) => all.push(request.url()));
  page.on('websocket', (socket) => all.push(socket.url()));
  return all;
}

async function give(page, token) {
  await part(page, 'token').fill(token);
  await part(page, 'token-ok').click();
}

/** Only requests without the token, or with the wrong one, have been refused. */
function isRefusal(wrong) {
  return /status of 401/.test(wrong);
}

test('where tokens are wanted, the right one opens all, and is in no address', async (t) => {
  const { server, token } = await startGuarded(t);
  const { browser } = room;
  const viewport = { width: 960, height: 540 };
  const hash = 'at=-1300,1200&zoom=-2';
  const { page, wrongs } = await openViewer({ t, browser, server }, hash, { viewport });
  const addresses = addressesOf(page);
  const dialog = part(page, 'token-dialog');
  const refused = part(page, 'token-refused');
  await dialog.waitFor();
  assert.ok(await refused.isHidden(), 'nothing has been refused yet');

  const wrong = `terrane_${'0'.repeat(64)}`;
  await give(page, wrong);
  await refused.filter({ hasText: /not taken: .*token/ }).waitFor();
  assert.ok(await dialog.isVisible());
  assert.equal(await part(page, 'map').locator('canvas.leaflet-tile-loaded').count(), 0);

  // whoever closes the dialog finds back to it
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await part(page, 'token-again').click();
  await give(page, token);
  await dialog.waitFor({ state: 'hidden' });
  await rested(page);
  await assertIsLand(page, await pictureOf(page));

  await part(page, 'mode-3d').click();
  await sceneOpened(page);
  assert.ok(addresses.some((address) => address.startsWith('ws:')), 'no WebSocket was seen');
  await page.waitForFunction(() => location.href === window.terrane.app.link());
  const told = [...addresses, page.url(), await page.evaluate(() => window.terrane.app.link())];
  for (const secret of [token, wrong]) {
    assert.deepEqual(told.filter((address) => address.includes(secret.slice(8))), []);
  }
  assert.deepEqual(wrongs.filter((one) => !isRefusal(one)), []);

  // kept until the tab is closed, as the dialog says
  await part(page, 'mode-3d').click();
  await page.waitForFunction(() => location.href === window.terrane.app.link());
  const before = wrongs.length;
  await page.reload();
  await page.waitForFunction(() => window.terrane?.app.world);
  await settled(page);
  await assertIsLand(page, await pictureOf(page));
  assert.ok(await dialog.isHidden());
  assert.deepEqual(wrongs.slice(before), []);
  const other = await openViewer({ t, browser, server }, hash, { viewport });
  await part(other.page, 'token-dialog').waitFor();
});

test('a token that is struck from the file is asked for anew, and 3-D goes on', async (t) => {
  const { server, token, replace } = await startGuarded(t);
  const { browser } = room;
  const viewport = { width: 640, height: 400 };
  const hash = 'mode=3d&eye=-900,700,190&look=0.5,-0.25';
  const { page, wrongs } = await openViewer({ t, browser, server }, hash, { viewport });
  await give(page, token);
  await sceneOpened(page);
  const other = await newToken();
  await replace(other.access);
  await part(page, 'token-dialog').waitFor();
  assert.ok(await part(page, 'token-refused').isVisible());
  const place = { x: 20_000.5, y: -7000.5, z: 250 };
  await page.evaluate((eye) => window.terraneScene.setPose(eye), place);
  await give(page, other.token);
  // the view is opened anew
  await page.waitForFunction(
    ([x, y]) => window.terraneScene?.heightAt(x, y) !== undefined,
    [place.x, place.y],
  );
  const { x, y } = await eyeOf(page);
  assert.deepEqual([x, y], [place.x, place.y]);
  assert.deepEqual(wrongs.filter((one) => !isRefusal(one)), []);
});
