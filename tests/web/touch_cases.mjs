// Fingers: one pans the map, two pinch it; in 3-D one looks around.
import assert from 'node:assert/strict';
import { room, test } from './room.mjs';
import { eyeOf, sceneOpened } from './scene.mjs';
import { openViewer, part, rested, settled, stateOf } from './viewer.mjs';

const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const steps = 10;

/**
 * Moves fingers, each from one place to another, in pixels of the page.
 * @returns the map's zooms on the way
 */
async function touch(page, fingers) {
  const session = await page.context().newCDPSession(page);
  const send = (type, touchPoints) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints });
  const at = (share) =>
    fingers.map(({ from, to }, id) => {
      const [x, y] = [0, 1].map((k) => from[k] + (to[k] - from[k]) * share);
      return { x, y, id };
    });
  const zooms = [];
  await send('touchStart', at(0));
  for (let step = 1; step <= steps; ++step) {
    await send('touchMove', at(step / steps));
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    zooms.push(await page.evaluate(() => window.terrane.map.main.map.getZoom()));
  }
  await send('touchEnd', []);
  await session.detach();
  return zooms;
}

test('one finger pans the map, and two pinch it nearer and farther', async (t) => {
  const { page, wrongs } = await openViewer({ t, ...room }, 'at=-1300,1200&zoom=-3', phone);
  await settled(page);
  const before = await stateOf(page);
  await touch(page, [{ from: [250, 500], to: [150, 440] }]);
  await rested(page);
  const panned = await stateOf(page);
  // 8 blocks a pixel; the land follows the finger, and may glide on
  assert.ok(panned.x > before.x + 700, `from x ${before.x} to ${panned.x}`);
  assert.ok(panned.y > before.y + 400, `from y ${before.y} to ${panned.y}`);
  assert.equal(panned.zoom, before.zoom);

  const spread = [
    { from: [170, 450], to: [60, 450] },
    { from: [220, 450], to: [330, 450] },
  ];
  const zooms = await touch(page, spread);
  const between = zooms.filter((zoom) => !Number.isInteger(zoom));
  assert.ok(new Set(between).size >= 3, `the map jumps from zoom to zoom: ${zooms}`);
  await page.waitForFunction((old) => window.terrane.state().zoom > old, panned.zoom);
  await rested(page);
  const nearer = await stateOf(page);
  assert.ok(nearer.zoom >= panned.zoom + 2, `${nearer.zoom}`);
  await touch(page, spread.map(({ from, to }) => ({ from: to, to: from })));
  await page.waitForFunction((old) => window.terrane.state().zoom < old, nearer.zoom);
  await rested(page);
  assert.ok((await stateOf(page)).zoom <= nearer.zoom - 2);
  assert.equal(await page.evaluate(() => visualViewport.scale), 1, 'the page itself was zoomed');
  assert.deepEqual(wrongs, []);
});

test('in 3-D one finger looks around', async (t) => {
  const hash = 'mode=3d&eye=-900,700,190&look=0.5,-0.25';
  const { page, wrongs } = await openViewer({ t, ...room }, hash, phone);
  await sceneOpened(page);
  const before = await eyeOf(page);
  await touch(page, [{ from: [250, 400], to: [130, 360] }]);
  await page.waitForFunction(
    (yaw) => window.terraneScene.eye().yaw !== yaw,
    before.yaw,
  );
  const now = await eyeOf(page);
  const place = ({ x, y, z }) => [x, y, z];
  assert.deepEqual(place(now), place(before), 'it has moved');
  // the land follows the finger: leftwards, so that the eye turns to the right
  assert.ok(now.yaw > before.yaw + 0.2 && now.yaw < before.yaw + 1, `yaw ${now.yaw}`);
  assert.ok(now.pitch < before.pitch - 0.05, `pitch ${now.pitch}`);
  // the link says where it looks, too, once it has come to rest
  await page.waitForFunction(() => {
    const { eye } = window.terrane.state();
    return eye.yaw === window.terraneScene.eye().yaw;
  });
  assert.ok(await part(page, 'scene-pad').isVisible());
  assert.deepEqual(wrongs, []);
});
