// The 3-D view: it opens, streams the land, and stands as high as the server says.
import assert from 'node:assert/strict';
import { assertIsLand, keepShot } from './browser.mjs';
import { longTest, room, test } from './room.mjs';
import { eyeOf, groundAt, sceneOpened, sceneSettled } from './scene.mjs';
import { ask } from './server.mjs';
import { land, openViewer, part, settled, stateOf, tell } from './viewer.mjs';

const small = { viewport: { width: 960, height: 540 } };
const fewestFrames = 3; // a second; a busy machine draws few by its processor
const mostOff = 1 / 16; // blocks
const ofEyes = 1.7; // blocks above the ground
const eyeOff = 0.2;

/** Compares the ground at some blocks with what the server's program says of them. */
async function assertStands(page, blocks) {
  const samples = await ask(room.server, land, ['sample', ...blocks.map((at) => at.join(','))]);
  const heights = await groundAt(page, blocks);
  samples.forEach(({ x, y, height }, i) => {
    assert.ok(
      Math.abs(heights[i] - height) <= mostOff,
      `${x}, ${y} is ${heights[i]} high, not ${height}`,
    );
  });
}

/** Frames a second while the eye moves over the land. */
async function frameRate(page, seconds) {
  return page.evaluate(async (most) => {
    const scene = window.terraneScene;
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    const [first, start, { x }] = [scene.frames(), performance.now(), scene.eye()];
    for (let now = start; now < start + most * 1000; now = performance.now()) {
      scene.setPose({ x: x + (now - start) / 20 });
      await frame();
    }
    return ((scene.frames() - first) * 1000) / (performance.now() - start);
  }, seconds);
}

test('the land in 3-D opens by a button, streams as the eye moves, and leads back', async (t) => {
  const { page, wrongs } = await openViewer({ t, ...room }, 'at=-1300,1200&zoom=-2', small);
  await settled(page);
  const start = performance.now();
  await part(page, 'mode-3d').click();
  await sceneOpened(page);
  tell(t, 'first tile in 3-D', performance.now() - start, 'ms');
  assert.equal((await stateOf(page)).mode, '3d');
  await sceneSettled(page);
  tell(t, 'all tiles in 3-D', performance.now() - start, 'ms');
  await assertIsLand(page, await page.screenshot());
  await assertStands(page, [[-1300, 1200], [-1317, 1174], [-1250, 1263], [-1411, 1111]]);

  const rate = await frameRate(page, 5);
  tell(t, 'drawn at 960x540 by the processor', rate, 'frames/s');
  assert.ok(rate >= fewestFrames, `${rate} frames a second`);

  // so far that nothing of it is at hand
  const place = { x: 60_000, y: -41_000, z: 300 };
  const [known] = await groundAt(page, [[place.x, place.y]]);
  assert.equal(known, undefined);
  await page.evaluate((eye) => window.terraneScene.setPose(eye), place);
  await sceneSettled(page);
  await assertStands(page, [[60_000, -41_000], [60_033, -41_090], [59_950, -40_911]]);

  await part(page, 'mode-3d').click();
  await page.waitForFunction(() => window.terraneScene === undefined);
  await settled(page);
  const { mode, x, y } = await stateOf(page);
  assert.equal(mode, '2d');
  assert.ok(Math.hypot(x - place.x, y - place.y) < 8, `the map is at ${x}, ${y}`);
  await assertIsLand(page, await part(page, 'map').screenshot());
  assert.deepEqual(wrongs, []);
});

test('a link leads into 3-D, where it says', async (t) => {
  const eye = 'eye=-900,700,190&look=0.5,-0.25';
  const viewport = { width: 1280, height: 720 };
  const { page, wrongs } = await openViewer({ t, ...room }, `mode=3d&${eye}`, { viewport });
  await sceneOpened(page);
  await sceneSettled(page);
  const at = await eyeOf(page);
  assert.deepEqual(at, { x: -900, y: 700, z: 190, yaw: 0.5, pitch: -0.25 });
  await assertIsLand(page, await page.screenshot());
  await assertStands(page, [[-900, 700], [-950, 660]]);
  await keepShot(page, 'scene.png');
  assert.deepEqual(wrongs, []);
});

/** How far the eye is above the ground below it, blocks. */
async function eyeHeight(page) {
  const { x, y, z } = await eyeOf(page);
  const [ground] = await groundAt(page, [[x, y]]);
  return z - ground;
}

/** When the eye is as high as somebody's who stands there, and still. */
async function stands(page) {
  await page.waitForFunction(
    async ([height, off]) => {
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
      const before = window.terraneScene.eye();
      for (let i = 0; i < 3; ++i) await frame();
      const { x, y, z } = window.terraneScene.eye();
      const isStill = x === before.x && y === before.y && z === before.z;
      return isStill && Math.abs(z - window.terraneScene.heightAt(x, y) - height) <= off;
    },
    [ofEyes, eyeOff],
  );
}

longTest('whoever walks keeps their eyes 1.7 blocks above the ground', async (t) => {
  const at = await ask(room.server, land, ['spawn']);
  const hash = `mode=3d&eye=${at.x + 0.5},${at.y + 0.5},${at.height + 12}&look=0.5,0`;
  const { page, wrongs } = await openViewer({ t, ...room }, hash, small);
  await sceneOpened(page);
  await sceneSettled(page);
  await page.keyboard.press('f');
  await stands(page);
  assert.equal((await stateOf(page)).movement, 'walk');
  const before = await eyeOf(page);
  await page.keyboard.down('w');
  const lowest = await page.evaluate(async () => {
    let least = Infinity;
    const start = performance.now();
    while (performance.now() < start + 1000) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const { x, y, z } = window.terraneScene.eye();
      least = Math.min(least, z - window.terraneScene.heightAt(x, y));
    }
    return least;
  });
  await page.keyboard.up('w');
  await stands(page);
  const now = await eyeOf(page);
  const way = Math.hypot(now.x - before.x, now.y - before.y);
  tell(t, 'walked in a second', way, 'blocks');
  assert.ok(way >= 2 && way <= 20, `${way} blocks`);
  assert.ok(lowest > ofEyes - eyeOff, `on the way the eye was ${lowest} above the ground`);
  assert.ok(Math.abs((await eyeHeight(page)) - ofEyes) <= eyeOff);
  // forward is where one looks: 0.5 from north towards east
  const [east, north] = [(now.x - before.x) / way, (before.y - now.y) / way];
  assert.ok(east * Math.sin(0.5) + north * Math.cos(0.5) > 0.9, `${east} east, ${north} north`);
  await page.keyboard.press('f');
  await page.waitForFunction(() => window.terrane.state().movement === 'fly');
  assert.deepEqual(wrongs, []);
});
