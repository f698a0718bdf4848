// The viewer without a pointer: keys alone lead to every control, over the map, and to help.
import assert from 'node:assert/strict';
import { room, test } from './room.mjs';
import { ask } from './server.mjs';
import { land, openViewer, part, rested, settled, stateOf } from './viewer.mjs';

/** The control that has the focus: its name for tests, and whether one sees that. */
function focusOf(page) {
  return page.evaluate(() => {
    const { activeElement: at } = document;
    const { outlineStyle, boxShadow, borderColor } = getComputedStyle(at);
    const isSeen = outlineStyle !== 'none' || boxShadow !== 'none';
    return { name: at.dataset.testid ?? at.dataset.biome, isSeen, borderColor };
  });
}

/** Presses Tab until a control has the focus. @returns how often */
async function tabTo(page, name) {
  for (let times = 1; times < 80; ++times) {
    await page.keyboard.press('Tab');
    const focus = await focusOf(page);
    if (focus.name !== name) continue;
    assert.ok(focus.isSeen, `one can't see that ${name} has the focus`);
    return times;
  }
  throw new Error(`no Tab leads to ${name}`);
}

test('keys alone lead to controls, over the map and to help', async (t) => {
  const { page, wrongs } = await openViewer({ t, ...room }, 'at=-1300,1200&zoom=-2');
  await settled(page);
  await tabTo(page, 'layer-height');
  await page.keyboard.press('Enter');
  assert.equal((await stateOf(page)).layer, 'height');
  await tabTo(page, 'grid');
  await page.keyboard.press('Space');
  assert.equal((await stateOf(page)).grid, true);
  await tabTo(page, 'zoom-in');
  await page.keyboard.press('Space');
  await page.waitForFunction(() => window.terrane.state().zoom === -1);
  await rested(page);

  let before = await stateOf(page);
  await page.keyboard.press('ArrowDown');
  await page.waitForFunction((y) => window.terrane.state().y > y, before.y);
  await rested(page);
  const now = await stateOf(page);
  assert.ok(Math.abs(now.y - before.y - 200) <= 4 && Math.abs(now.x - before.x) <= 4);
  before = now;
  await page.keyboard.press('-');
  await page.waitForFunction(() => window.terrane.state().zoom === -2);
  await page.keyboard.press('+');
  await page.waitForFunction(() => window.terrane.state().zoom === -1);
  await rested(page);

  const help = part(page, 'help-dialog');
  assert.ok(await help.isHidden());
  await page.keyboard.press('?');
  await help.waitFor();
  assert.ok((await help.textContent()).includes('chunk grid'));
  const still = await stateOf(page);
  await page.keyboard.press('ArrowLeft'); // keys are the dialog's
  await page.keyboard.press('Escape');
  await help.waitFor({ state: 'hidden' });
  await rested(page);
  assert.deepEqual(await stateOf(page), still);
  assert.deepEqual(wrongs, []);
});

test('keys alone measure, open a structure, and close both again', async (t) => {
  const { x, y } = await ask(room.server, land, ['locate', 'ruin']);
  const { page, wrongs } = await openViewer({ t, ...room }, `at=${x},${y}&zoom=0`);
  await rested(page);
  await page.keyboard.press('m');
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowRight');
  await rested(page);
  await page.keyboard.press('Enter');
  await page.waitForFunction(() => window.terrane.profile());
  const { length } = await page.evaluate(() => window.terrane.profile());
  assert.ok(Math.abs(length - 100) <= 1, `it is ${length} long`);
  await page.keyboard.press('Escape');
  assert.ok(await part(page, 'profile').isHidden());

  await page.keyboard.press('ArrowLeft');
  await rested(page);
  // the mark is placed a little after the land
  await page.waitForFunction(() => window.terrane.map.main.openNearestStructure());
  await part(page, 'plan').waitFor();
  await page.keyboard.press('Escape');
  await part(page, 'plan').waitFor({ state: 'detached' });
  await page.keyboard.press('Enter');
  await part(page, 'plan').waitFor();
  assert.deepEqual(wrongs, []);
});
