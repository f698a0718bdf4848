// The viewer on a phone: the map is what one sees, and the settings are behind a button.
import assert from 'node:assert/strict';
import { assertIsLand, keepShot } from './browser.mjs';
import { room, test } from './room.mjs';
import { openViewer, part, pictureOf, rested, settled } from './viewer.mjs';

const phone = {
  viewport: { width: 390, height: 844 },
  deviceScaleFactor: 2,
  isMobile: true,
  hasTouch: true,
};

test('on a phone the map is free, and the settings open by a button', async (t) => {
  const { page, wrongs } = await openViewer({ t, ...room }, 'at=-1300,1200&zoom=-3', phone);
  await settled(page);
  await assertIsLand(page, await pictureOf(page));
  await keepShot(page, 'phone.png');
  const covered = await page.evaluate(() => {
    const found = [];
    const views = document.querySelector('[data-testid="map"]');
    for (let across = 0.1; across <= 0.8; across += 0.1) {
      for (let down = 0.25; down <= 0.85; down += 0.1) {
        const [x, y] = [across * innerWidth, down * innerHeight];
        if (!views.contains(document.elementFromPoint(x, y))) found.push([across, down]);
      }
    }
    return found;
  });
  assert.deepEqual(covered, []);
  const { scrollWidth } = await page.evaluate(() => document.documentElement);
  assert.ok(!(scrollWidth > 390), `the page is ${scrollWidth} wide`);

  const worlds = part(page, 'world-select');
  const isInSight = () => worlds.evaluate((field) => {
    const { left, top, width, height } = field.getBoundingClientRect();
    const at = document.elementFromPoint(left + width / 2, top + height / 2);
    return at === field;
  });
  assert.equal(await isInSight(), false);
  await part(page, 'menu').tap();
  await page.waitForFunction(() => document.querySelector('.side').getAnimations().length === 0);
  assert.equal(await isInSight(), true);
  await part(page, 'layer-height').tap();
  await part(page, 'menu').tap();
  await page.waitForFunction(() => document.querySelector('.side').getAnimations().length === 0);
  assert.equal(await isInSight(), false);
  await rested(page);

  await page.touchscreen.tap(150, 500);
  const at = await part(page, 'at').textContent();
  await page.touchscreen.tap(250, 400);
  await part(page, 'at').filter({ hasNotText: at }).waitFor();
  assert.ok((await part(page, 'height').textContent()).length > 0);
  assert.deepEqual(wrongs, []);
});
