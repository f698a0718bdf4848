// The ruler and its profile of heights; structures, and what their plans show.
import assert from 'node:assert/strict';
import { room, test } from './room.mjs';
import { ask } from './server.mjs';
import { land, numberIn, openViewer, part, pixelOf, rested } from './viewer.mjs';

test('two clicks measure a way, and its profile is as `terrane sample` says', async (t) => {
  const { page, wrongs } = await openViewer({ t, ...room }, 'at=341,-765&zoom=2&show=none');
  await rested(page);
  await part(page, 'ruler').click();
  const [from, to] = [[260, -800], [410, -720]];
  for (const [x, y] of [from, to]) {
    const at = await pixelOf(page, x, y);
    await page.mouse.click(at.x, at.y);
    await page.mouse.move(at.x + 5, at.y + 5);
  }
  await page.waitForFunction(() => window.terrane.profile());
  const length = Math.hypot(to[0] - from[0], to[1] - from[1]);
  assert.equal(numberIn(await part(page, 'distance').textContent()), Math.round(length));

  const profile = await page.evaluate(() => window.terrane.profile());
  const { points, ground, water } = profile;
  assert.equal(profile.length, length);
  assert.ok(points.length >= 100, `only ${points.length} samples`);
  const blocks = points.map(({ x, y }) => `${x},${y}`);
  const samples = await ask(room.server, land, ['sample', ...blocks]);
  assert.deepEqual(ground, samples.map(({ height }) => height));
  samples.forEach(({ water: level, height }, i) => {
    assert.equal(water[i] || NaN, level !== null && level > height ? level : NaN);
  });
  points.forEach(({ x, y }, i) => {
    const share = i / (points.length - 1);
    const off = [x, y].map((at, k) => at - from[k] - share * (to[k] - from[k]));
    assert.ok(off.every((blocks) => Math.abs(blocks) <= 1), `sample ${i} is at ${x}, ${y}`);
  });
  const words = await part(page, 'distance').textContent();
  const heights = samples.map(({ height }) => Math.round(height));
  assert.ok(words.includes(`${Math.min(...heights)} to ${Math.max(...heights)} high`), words);

  await part(page, 'ruler').click();
  assert.ok(await part(page, 'profile').isHidden());
  assert.deepEqual(wrongs, []);
});

/** The blocks that a plan's picture covers, as 'x,y' from its upper left one. */
function blocksDrawn(plan, width) {
  return plan.locator('canvas').evaluate((canvas, across) => {
    const scale = canvas.width / across;
    const pen = canvas.getContext('2d');
    const found = [];
    for (let y = 0; y < canvas.height / scale; ++y) {
      for (let x = 0; x < across; ++x) {
        const { data } = pen.getImageData((x + 0.5) * scale, (y + 0.5) * scale, 1, 1);
        if (data[3] > 0) found.push(`${x},${y}`);
      }
    }
    return found;
  }, width);
}

/** The blocks that the anchor and rooms of `terrane structure` cover, counted the same. */
function blocksOf({ anchor, from, rooms }, pieces) {
  const found = new Set([anchor.map((at, k) => at - from[k] + 1).join()]);
  for (const { piece, corner, turn } of rooms) {
    const { width, depth } = pieces.find(({ name }) => name === piece);
    const [across, down] = turn % 2 === 1 ? [depth, width] : [width, depth];
    const [left, top] = [corner[0] - from[0] + 1, corner[1] - from[1] + 1];
    for (let y = top; y < top + down; ++y) {
      for (let x = left; x < left + across; ++x) found.add(`${x},${y}`);
    }
  }
  return [...found];
}

for (const kind of ['ruin', 'dungeon']) {
  test(`a click on a ${kind} shows its rooms as \`terrane structure\` does`, async (t) => {
    const near = ['locate', kind, '--near', '-1300,1200'];
    const { x, y } = await ask(room.server, land, near);
    const expected = await ask(room.server, land, ['structure', `${x},${y}`]);
    const { page, wrongs } = await openViewer({ t, ...room }, `at=${x + 30},${y + 20}&zoom=0`);
    await rested(page);
    const at = await pixelOf(page, x, y);
    // marks are placed a little after the land
    await page.waitForFunction(
      ([left, top]) => {
        const marks = document.querySelector('.leaflet-overlay-pane canvas');
        if (!marks) return false;
        const box = marks.getBoundingClientRect();
        const scale = marks.width / box.width;
        const pen = marks.getContext('2d');
        const [i, j] = [(left - box.left) * scale, (top - box.top) * scale];
        return pen.getImageData(i, j, 1, 1).data[3] === 255;
      },
      [at.x, at.y],
    );
    await page.mouse.click(at.x, at.y);
    const plan = part(page, 'plan');
    await plan.locator('canvas').waitFor();
    const [width, height] = [0, 1].map((k) => expected.to[k] - expected.from[k] + 1);
    const { rooms } = expected;
    const count = rooms.length === 1 ? '1 room' : `${rooms.length} rooms`;
    const text = await plan.textContent();
    assert.ok(text.includes(`${count}, ${width} × ${height} blocks, at ${x}, ${y}`), text);

    const said = await part(page, 'plan-rooms').textContent();
    const told = said.split(', ').flatMap((one) => {
      const [, times, name] = /^(?:(\d+) × )?(.*)$/.exec(one);
      return Array.from({ length: Number(times ?? 1) }, () => name);
    });
    assert.deepEqual(told.sort(), rooms.map(({ piece }) => piece).sort());
    const kinds = await page.evaluate(() => window.terrane.app.world.structureKinds);
    const { pieces } = kinds.find(({ name }) => name === expected.kind);
    const drawn = await blocksDrawn(plan, width + 2);
    assert.deepEqual(drawn.sort(), blocksOf(expected, pieces).sort());
    assert.deepEqual(wrongs, []);
  });
}
