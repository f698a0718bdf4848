// From one block to a million blocks across.
import assert from 'node:assert/strict';
import { assertIsLand, colorsOf, keepShot } from './browser.mjs';
import { longTest, room, test } from './room.mjs';
import {
  openViewer,
  part,
  pictureOf,
  pixelOf,
  requestsOf,
  rested,
  settled,
  stateOf,
  tell,
} from './viewer.mjs';

const widest = 1_000_000; // blocks
const mostRequests = 200;
const viewport = { width: 1440, height: 600 };

/** Blocks that the map is wide. */
function widthOf(page) {
  return page.evaluate(() => {
    const bounds = window.terrane.map.main.map.getBounds();
    return bounds.getEast() - bounds.getWest();
  });
}

longTest('the widest zoom is a million blocks across, all of it land, for few requests', async (t) => {
  const { page, wrongs } = await openViewer({ t, ...room }, 'at=0,0&zoom=-20', {
    viewport: { ...viewport, height: 320 }, // bundles of this level take long to make
  });
  await rested(page);
  const width = await widthOf(page);
  tell(t, 'widest', width / 1000, 'thousand blocks');
  assert.ok(width >= widest, `it is ${width} blocks wide`);
  tell(t, 'requests', await requestsOf(page), 'bundles');
  assert.ok((await requestsOf(page)) < mostRequests);
  tell(t, 'settled after', await page.evaluate(() => performance.now()), 'ms');
  await assertIsLand(page, await pictureOf(page));
  await keepShot(page, 'widest.png');
  // nowhere is it blank
  const [columns, rows] = [6, 4];
  const box = await part(page, 'map').boundingBox();
  for (let i = 0; i < columns; ++i) {
    for (let j = 0; j < rows; ++j) {
      const [w, h] = [box.width / columns, box.height / rows];
      const clip = { x: box.x + i * w, y: box.y + j * h, width: w, height: h };
      const { colors } = await colorsOf(page, await page.screenshot({ clip }));
      assert.ok(colors > 100, `part ${i}, ${j} has ${colors} colours`);
    }
  }
  const before = await stateOf(page);
  await part(page, 'zoom-out').click();
  await rested(page);
  assert.equal((await stateOf(page)).zoom, before.zoom, 'there is no wider one');
  assert.deepEqual(wrongs, []);
});

test('at the finest zoom one block fills pixels that are alike', async (t) => {
  const { page, wrongs } = await openViewer({ t, ...room }, 'at=100.5,200.5&zoom=5', { viewport });
  await settled(page);
  await part(page, 'layer-biome').click();
  await part(page, 'zoom-in').click();
  await page.waitForFunction(() => window.terrane.state().zoom === 6);
  await rested(page);
  const { width } = await part(page, 'map').boundingBox();
  assert.ok(Math.abs((await widthOf(page)) * 64 - width) < 1);
  const at = await pixelOf(page, 103, 202);
  const clip = { x: at.x - 28, y: at.y - 28, width: 56, height: 56 };
  assert.equal((await colorsOf(page, await page.screenshot({ clip }))).colors, 1);
  const steps = [];
  for (let column = 0; column < 4; ++column) steps.push(await pixelOf(page, 100 + column, 200));
  assert.deepEqual(steps.slice(1).map(({ x }, i) => Math.round(x - steps[i].x)), [64, 64, 64]);
  await part(page, 'zoom-in').click();
  await rested(page);
  assert.equal((await stateOf(page)).zoom, 6, 'there is no finer one');
  assert.deepEqual(wrongs, []);
});
