// Ways to a place: the nearest biome or structure, a place to stand; and what lies on the map.
import assert from 'node:assert/strict';
import { assertIsLand } from './browser.mjs';
import { longTest, room, test } from './room.mjs';
import { ask } from './server.mjs';
import {
  land,
  openViewer,
  part,
  pictureOf,
  pixelOf,
  rested,
  settled,
  stateOf,
} from './viewer.mjs';

/** Whether the map's middle is in the middle of a block. */
function assertIsAt({ x, y }, block) {
  // it is put on a whole pixel
  assert.ok(Math.hypot(x - block.x - 0.5, y - block.y - 0.5) < 4, `${x}, ${y}: far from the block`);
}

/** Looks for something by the panel. @returns what it says in the end */
async function find(page, target) {
  await part(page, 'find-select').selectOption(target);
  await part(page, 'find').click();
  const name = target.split(':')[1];
  const said = part(page, 'find-status').filter({ hasText: `${name}: ` });
  await said.waitFor();
  return said.textContent();
}

test('the nearest biome and structure are those of `terrane locate`', async (t) => {
  const { page, wrongs } = await openViewer({ t, ...room }, 'at=120.5,-340.5&zoom=-3');
  await settled(page);
  const near = { x: 120.5, y: -340.5 };
  for (const [kind, name] of [['biome', 'Beach'], ['structure', 'ruin'], ['biome', 'Taiga']]) {
    await page.evaluate((at) => window.terrane.app.update(at), near);
    const from = await stateOf(page);
    const origin = `${Math.floor(from.x)},${Math.floor(from.y)}`;
    const expected = await ask(room.server, land, ['locate', name, '--near', origin]);
    const said = await find(page, `${kind}:${name}`);
    assert.match(said, new RegExp(`^${name}: ${expected.x}, ${expected.y}, [\\d,]+ blocks away$`));
    await rested(page);
    assertIsAt(await stateOf(page), expected);
    const { biome, structure } = await page.evaluate(([x, y]) => {
      const { biome: id, structure: found } = window.terrane.sample(x, y);
      return { biome: window.terrane.app.world.biomes[id].name, structure: found };
    }, [expected.x, expected.y]);
    if (kind === 'biome') assert.equal(biome, name);
    else assert.deepEqual([structure?.x, structure?.y], [expected.x, expected.y]);
  }
  assert.deepEqual(wrongs, []);
});

test('the place to stand is that of `terrane spawn`', async (t) => {
  const { page, wrongs } = await openViewer({ t, ...room }, 'at=5000,5000&zoom=-3');
  await settled(page);
  const { x, y } = await ask(room.server, land, ['spawn']);
  await part(page, 'spawn').click();
  await part(page, 'find-status').filter({ hasText: `Dry and level: ${x}, ${y}` }).waitFor();
  await rested(page);
  assertIsAt(await stateOf(page), { x, y });
  assert.equal((await stateOf(page)).zoom, 0);
  assert.deepEqual(wrongs, []);
});

longTest('two seeds lie side by side and move together', async (t) => {
  const { page, wrongs } = await openViewer({ t, ...room }, 'at=-1300,1200&zoom=-2');
  await settled(page);
  await part(page, 'compare').click();
  await part(page, 'beside-seed').fill('42');
  await page.keyboard.press('Enter');
  await rested(page);
  assert.deepEqual((await stateOf(page)).compare, { world: land.world, seed: '42' });
  const [left, right] = [await pictureOf(page), await pictureOf(page, 'map-beside')];
  await assertIsLand(page, left);
  await assertIsLand(page, right);
  assert.ok(!left.equals(right));
  const one = await part(page, 'map').boundingBox();
  const other = await part(page, 'map-beside').boundingBox();
  assert.ok(one.x + one.width <= other.x && one.y === other.y);
  assert.ok(Math.abs(one.width - other.width) <= 2);

  await page.keyboard.press('Escape');
  const middle = await pixelOf(page, -1300, 1200);
  await page.mouse.click(middle.x, middle.y - 60);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('+');
  await page.waitForFunction(() => window.terrane.state().zoom === -1);
  await rested(page);
  const places = await page.evaluate(() =>
    window.terrane.map.views.map(({ map }) => [map.getCenter(), map.getZoom()]),
  );
  assert.equal(places.length, 2);
  assert.equal(places[0][1], -1);
  assert.equal(places[1][1], -1);
  assert.ok(Math.abs(places[0][0].lng - places[1][0].lng) <= 2);
  assert.ok(Math.abs(places[0][0].lat - places[1][0].lat) <= 2);

  await part(page, 'compare-close').click();
  await part(page, 'map-beside').waitFor({ state: 'detached' });
  assert.deepEqual(wrongs, []);
});

test('the chunk grid and structures are shown and hidden', async (t) => {
  const { page, wrongs } = await openViewer({ t, ...room }, 'at=1000,250&zoom=-1');
  await settled(page);
  for (const name of ['grid', 'structures']) {
    const control = part(page, name);
    const wasOn = await control.isChecked();
    const pictures = [];
    for (const isOn of [false, true, false]) {
      await control.setChecked(isOn);
      await page.waitForFunction(
        ([key, value]) => window.terrane.state()[key] === value,
        [name, isOn],
      );
      await rested(page);
      pictures.push(await pictureOf(page));
    }
    assert.ok(!pictures[0].equals(pictures[1]), `${name}: nothing is shown`);
    assert.ok(pictures[0].equals(pictures[2]), `${name}: something is left`);
    await control.setChecked(wasOn);
  }
  assert.deepEqual(wrongs, []);
});
