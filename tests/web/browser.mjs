// A real browser without a window, which notes what its pages should not do.
import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { chromium } from '../../client-sdk/web/node_modules/playwright-core/index.mjs';

const args = [
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--use-gl=angle', // WebGL is drawn by the processor
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
];

/** Longest wait for anything that a page does, unless a test says another. */
export const patienceMs = 30_000;

/** Starts the browser: CHROMIUM, or that of the system. Root may not use its sandbox. */
export function openBrowser() {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    headless: true,
    chromiumSandbox: process.getuid?.() !== 0,
    args,
  });
}

/**
 * A page with storage and cache of its own. It is closed with the test.
 * @param {import('node:test').TestContext} t
 * @param options  of playwright's newContext: viewport, hasTouch …
 */
export async function openPage(t, browser, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  t.after(() => context.close());
  context.setDefaultTimeout(patienceMs);
  return context.newPage();
}

const isBusy = /the server responded with a status of 429\b/;

/**
 * Notes what goes wrong on a page from now on.
 * @param {string} origin  the only one that the page may ask
 * @returns {string[]} sentences, none as long as all is well
 */
export function watch(page, origin) {
  const wrongs = [];
  page.on('console', (message) => {
    if (message.type() !== 'error') return;
    const told = `console: ${message.text()} (${message.location().url})`;
    // a busy server asks to come back, which the viewer does: what it shows then is the test's
    if (isBusy.test(message.text())) console.log(told);
    else wrongs.push(told);
  });
  page.on('pageerror', (error) => wrongs.push(`uncaught: ${error.stack ?? error.message}`));
  const look = (url) => {
    const { protocol, host } = new URL(url);
    const isInside = ['data:', 'blob:'].includes(protocol);
    if (!isInside && host !== new URL(origin).host) wrongs.push(`asked elsewhere: ${url}`);
  };
  page.on('response', (response) => {
    if (response.status() !== 429) return;
    response.text().then((text) => console.log(`429 of ${response.url()}: ${text}`), () => {});
  });
  page.on('request', (request) => look(request.url()));
  page.on('websocket', (socket) => look(socket.url()));
  return wrongs;
}

/**
 * How many colours a picture has, and which share of it has the most frequent one.
 * @param {import('playwright-core').Page} page  whose browser reads the picture
 * @param {Buffer} png
 * @returns {Promise<{ colors: number, largestShare: number }>}
 */
export function colorsOf(page, png) {
  return page.evaluate(async (base64) => {
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    const pen = canvas.getContext('2d');
    pen.drawImage(image, 0, 0);
    const { data } = pen.getImageData(0, 0, image.width, image.height);
    const counts = new Map();
    for (const pixel of new Uint32Array(data.buffer)) {
      counts.set(pixel, (counts.get(pixel) ?? 0) + 1);
    }
    const most = [...counts.values()].reduce((a, b) => Math.max(a, b), 0);
    return { colors: counts.size, largestShare: most / (image.width * image.height) };
  }, png.toString('base64'));
}

/** Fails where a picture can't be one of land. */
export async function assertIsLand(page, png) {
  const { colors, largestShare } = await colorsOf(page, png);
  assert.ok(colors > 100, `a picture of ${colors} colours is none of land`);
  assert.ok(largestShare < 0.9, `one colour fills ${largestShare * 100} % of the picture`);
}

/** Writes a picture into the directory SHOTS, where there is one. */
export async function keepShot(page, name) {
  const directory = process.env.SHOTS;
  if (!directory) return;
  await mkdir(directory, { recursive: true });
  await page.screenshot({ path: path.join(directory, name) });
}
