// The legend: its names and colours are the server's, and it highlights one biome among the others.
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { room, test } from './room.mjs';
import { printed, startServer } from './server.mjs';
import { openViewer, part, pixelOf, rested, settled, stateOf, stillPictureOf } from './viewer.mjs';

/** The colour of the map's picture at blocks: [red, green, blue] each. */
async function colorsAt(page, blocks) {
  const picture = (await stillPictureOf(page)).toString('base64');
  const box = await part(page, 'map').boundingBox();
  const places = await Promise.all(blocks.map(([x, y]) => pixelOf(page, x, y)));
  return page.evaluate(
    async ([base64, all]) => {
      const image = new Image();
      image.src = `data:image/png;base64,${base64}`;
      await image.decode();
      const pen = new OffscreenCanvas(image.width, image.height).getContext('2d');
      pen.drawImage(image, 0, 0);
      return all.map(([x, y]) => [...pen.getImageData(x, y, 1, 1).data.slice(0, 3)]);
    },
    [picture, places.map(({ x, y }) => [x - box.x, y - box.y])],
  );
}

/**
 * A grid of blocks in view, clear of controls, and the names of their biomes: without those beside
 * which there is another biome, as a pixel there may show some of both.
 */
async function biomesInView(page) {
  const { x, y, zoom } = await stateOf(page);
  const blocks = [];
  for (let i = -8; i <= 8; ++i) {
    for (let j = -6; j <= 6; ++j) {
      const by = 20 / 2 ** zoom;
      blocks.push([Math.floor(x + i * by) + 1, Math.floor(y + j * by) + 1]);
    }
  }
  const found = await page.evaluate(
    ({ all, beside }) => {
      const biomeAt = (i, j) => window.terrane.sample(i, j).biome;
      const steps = [-beside, 0, beside];
      return all
        .filter(([i, j]) => steps.every((di) => steps.every(
          (dj) => biomeAt(i + di, j + dj) === biomeAt(i, j),
        )))
        .map(([i, j]) => [[i, j], window.terrane.app.world.biomes[biomeAt(i, j)].name]);
    },
    { all: blocks, beside: Math.ceil(2 / 2 ** zoom) },
  );
  return { blocks: found.map(([block]) => block), names: found.map(([, name]) => name) };
}

const differs = (a, b) => a.some((part, k) => Math.abs(part - b[k]) > 8);

test('a biome clicked in the legend is shown among paler ones, until the next click', async (t) => {
  const hash = 'at=9363,573&zoom=0&layer=biome&show=none';
  const { page, wrongs } = await openViewer({ t, ...room }, hash);
  await rested(page);
  const { blocks, names } = await biomesInView(page);
  const [chosen] = names;
  const own = names.map((name) => name === chosen);
  assert.ok(own.includes(false), `there is ${chosen} alone`);
  const before = await colorsAt(page, blocks);
  const row = part(page, 'biomes').locator(`[data-biome="${chosen}"]`);
  assert.equal(await row.getAttribute('aria-pressed'), 'false');

  await row.click();
  await rested(page);
  assert.equal((await stateOf(page)).highlight, chosen);
  assert.equal(await row.getAttribute('aria-pressed'), 'true');
  const highlit = await colorsAt(page, blocks);
  highlit.forEach((color, i) => {
    assert.equal(differs(color, before[i]), !own[i], `${names[i]} at ${blocks[i]}`);
  });

  await row.click();
  await rested(page);
  assert.equal((await stateOf(page)).highlight, undefined);
  assert.deepEqual(await colorsAt(page, blocks), before);
  await row.click();
  await part(page, 'highlight-off').click();
  await rested(page);
  assert.deepEqual(await colorsAt(page, blocks), before);
  assert.deepEqual(wrongs, []);
});

/** A server with a world file 'mine'. @returns it, and what writes its biomes anew */
async function startWithBiomes(t, change) {
  const directory = await mkdtemp(path.join(tmpdir(), 'terrane-web-biomes-'));
  t.after(() => rm(directory, { recursive: true, force: true }));
  const original = JSON.parse(await printed(['--print-world', 'perlin']));
  const write = async (edit) => {
    const world = structuredClone(original);
    world.name = 'mine';
    edit(world.biomes);
    await writeFile(path.join(directory, 'mine.json'), JSON.stringify(world));
  };
  await write(change);
  const server = await startServer({ args: ['--world-dir', directory] });
  t.after(() => server.stop());
  return { server, write };
}

/** Waits until the legend shows a biome in a colour, and compares the map's. */
async function assertShows(page, name, [red, green, blue]) {
  const row = part(page, 'biomes').locator(`[data-biome="${name}"]`);
  await row.waitFor();
  await page.waitForFunction(
    ([which, color]) => {
      const swatch = document.querySelector(`[data-biome="${which}"] .swatch`);
      return swatch && getComputedStyle(swatch).backgroundColor === color;
    },
    [name, `rgb(${red}, ${green}, ${blue})`],
  );
  assert.equal(await row.textContent(), name);
  await settled(page);
  const { blocks, names } = await biomesInView(page);
  const own = blocks.filter((_, i) => names[i] === name);
  assert.ok(own.length > 0, `no ${name} is in view`);
  const [color] = await colorsAt(page, own);
  assert.deepEqual(color, [red, green, blue]);
}

test('names and colours of biomes are those of the world file, and change with it', async (t) => {
  // all of them, as any may be in view
  const paint = (color, title) => (biomes) => {
    biomes.forEach((biome, i) => Object.assign(biome, { color, name: `${title} ${i}` }));
  };
  const { server, write } = await startWithBiomes(t, paint('FF00AA', 'Candy'));
  const { browser } = room;
  const hash = 'land=mine:1&at=0,0&zoom=0&layer=biome&show=none';
  const { page, wrongs } = await openViewer({ t, browser, server }, hash);
  await settled(page);
  const { names } = await biomesInView(page);
  const i = /^Candy (\d+)$/.exec(names[0])[1];
  await assertShows(page, `Candy ${i}`, [255, 0, 170]);
  await write(paint('20C040', 'Candy')); // the fingerprint may stay as it is
  await assertShows(page, `Candy ${i}`, [32, 192, 64]);
  await write(paint('20C040', 'Mint'));
  await assertShows(page, `Mint ${i}`, [32, 192, 64]);
  assert.equal(await part(page, 'biomes').locator('[data-biome^="Candy"]').count(), 0);
  assert.deepEqual(wrongs, []);
});
