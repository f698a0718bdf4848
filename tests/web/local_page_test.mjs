// example/page, a page of one file that makes its land itself: opened from the disk, with no server
// there. TERRANED names the program that gives it a world, TERRANE_CORE_WASM the module, CHROMIUM a
// browser, SHOTS a directory for pictures.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { assertIsLand, keepShot, openBrowser, openPage, patienceMs, watch } from './browser.mjs';
import { startServer } from './server.mjs';

const builder = fileURLToPath(
  new URL('../../client-sdk/web/example/page/build.mjs', import.meta.url),
);
const seed = '74';
const middle = { x: 640, y: 400 }; // of the window: the block 0, 0

let browser;
let directory;
let address;
let expected; // what a server says of the middle

/** What a server says is at the block 0, 0; and its world's file. */
async function askServer(name) {
  const server = await startServer();
  try {
    const get = async (what) => (await fetch(`${server.url}/v1/${what}`)).arrayBuffer();
    const json = async (what) => JSON.parse(Buffer.from(await get(what)).toString());
    const { world } = await json(`worlds/${name}`);
    const points = await json(`${name}/${seed}/points/0,0`);
    const file = Buffer.from(await get(`worlds/${name}/file`));
    return { biome: world.biomes[points.biome[0]].name, height: points.height[0] / 16, file };
  } finally {
    await server.stop();
  }
}

before(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'terrane-page-'));
  expected = await askServer('continents');
  const world = path.join(directory, 'continents.world');
  const page = path.join(directory, 'land.html');
  await writeFile(world, expected.file);
  const args = [builder, process.env.TERRANE_CORE_WASM, world, page];
  await promisify(execFile)(process.execPath, args);
  address = pathToFileURL(page).href;
  browser = await openBrowser();
});

after(async () => {
  await browser?.close();
  if (directory) await rm(directory, { recursive: true });
});

/** Waits until all that is in view is drawn. @returns the map as a picture */
async function drawn(page) {
  await page.waitForFunction(() => document.body.dataset.drawn === 'true', undefined, {
    timeout: 4 * patienceMs,
  });
  const url = await page.evaluate(() => document.getElementById('map').toDataURL());
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
}

async function openMap(t) {
  const page = await openPage(t, browser);
  const wrongs = watch(page, address);
  page.on('request', (request) => {
    const { protocol } = new URL(request.url());
    if (!['file:', 'blob:', 'data:'].includes(protocol)) wrongs.push(`asked ${request.url()}`);
  });
  await page.goto(address);
  await page.fill('#seed', seed);
  await page.keyboard.press('Enter');
  return { page, wrongs };
}

test('a file on the disk shows land, and says of a block what a server says', async (t) => {
  const { page, wrongs } = await openMap(t);
  await assertIsLand(page, await drawn(page));
  assert.equal(await page.title(), 'Continents');
  await page.mouse.move(middle.x, middle.y);
  const { height, biome } = expected;
  const said = new RegExp(`^0, 0: ${height.toFixed(1)} high.*, ${biome}$`);
  await page.waitForFunction(
    (source) => new RegExp(source).test(document.getElementById('line').textContent),
    said.source,
  );
  await keepShot(page, 'local_page.png');
  assert.deepEqual(wrongs, []);
});

test('the map moves with the pointer and comes back as it was', async (t) => {
  const { page, wrongs } = await openMap(t);
  const first = await drawn(page);
  const drag = async (from, to) => {
    await page.mouse.move(from, middle.y);
    await page.mouse.down();
    await page.mouse.move(to, middle.y, { steps: 4 });
    await page.mouse.up();
    return drawn(page);
  };
  const moved = await drag(900, 400);
  await assertIsLand(page, moved);
  assert.notDeepEqual(moved, first);
  assert.ok((await drag(400, 900)).equals(first), 'as it was');
  assert.deepEqual(wrongs, []);
});

test('the wheel shows more land, and the block under the pointer stays', async (t) => {
  const { page, wrongs } = await openMap(t);
  const first = await drawn(page);
  await page.mouse.move(middle.x, middle.y);
  await page.mouse.wheel(0, 1200); // eight times as much along an edge
  await page.waitForFunction(() => document.body.dataset.scale === '64');
  const far = await drawn(page);
  await assertIsLand(page, far);
  assert.notDeepEqual(far, first);
  await page.mouse.move(middle.x + 1, middle.y);
  const isSaid = () => /^64, 0: /.test(document.getElementById('line').textContent);
  await page.waitForFunction(isSaid);
  await keepShot(page, 'local_page_far.png');
  assert.deepEqual(wrongs, []);
});

test('another seed is other land, and what is no seed is said to be none', async (t) => {
  const { page } = await openMap(t);
  const first = await drawn(page);
  await page.fill('#seed', '8');
  await page.keyboard.press('Enter');
  assert.notDeepEqual(await drawn(page), first);
  await page.fill('#seed', 'seven');
  await page.keyboard.press('Enter');
  await page.waitForFunction(() =>
    document.getElementById('line').textContent.includes('seed is seven: it must be a decimal'),
  );
  await page.fill('#seed', seed);
  await page.keyboard.press('Enter');
  assert.ok((await drawn(page)).equals(first), 'as it was');
});

test('the page holds all that it needs', async () => {
  const page = await readFile(new URL(address), 'utf8');
  assert.doesNotMatch(page, /(src|href)="(?!data:)/);
  assert.ok(page.length < 1.5e6, `${page.length} characters`);
});
