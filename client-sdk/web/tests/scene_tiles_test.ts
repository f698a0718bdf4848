import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noWater } from '../src/index.js';
import { pad, paddedGrid } from '../viewer/scene/grid.js';
import { placeAt } from '../viewer/scene/place.js';
import { allQuarters } from '../viewer/scene/patch_grid.js';
import { hasGrown, type TileSet } from '../viewer/scene/tiles.js';
import { chunkAt, heightOf, readerOf, size, surfaceOf, tilesOf } from './scene_land.js';

type At = readonly [number, number, number];

/** Nine tiles of a level around (0, 0). */
function ring(lod: number, without: (x: number, y: number) => boolean = () => false): At[] {
  const all: At[] = [];
  for (let y = -1; y <= 1; ++y) {
    for (let x = -1; x <= 1; ++x) if (!without(x, y)) all.push([lod, x, y]);
  }
  return all;
}

function gridOf(tiles: TileSet, lod = 0): ReturnType<typeof paddedGrid> {
  return paddedGrid(readerOf(tiles), tiles.get(lod, 0, 0)?.chunk ?? chunkAt(lod, 0, 0), 0, 0);
}

/** The tiles with surfaces, of which `share` has decided. */
function shared(all: readonly At[]): TileSet {
  const tiles = tilesOf(all);
  for (const one of tiles.tiles.values()) {
    one.surface = surfaceOf(tiles, one.tile.lod, one.tile.x, one.tile.y);
  }
  tiles.share();
  return tiles;
}

function quartersOf(tiles: TileSet, [lod, x, y]: At): number | undefined {
  return tiles.get(lod, x, y)?.quarters;
}

test('a padded grid with all tiles around it is the land, sample by sample', () => {
  const grid = gridOf(tilesOf(ring(0)));
  assert.equal(grid.complete, true);
  assert.equal(grid.side, size + 1 + 2 * pad);
  for (let j = -pad; j <= size + pad; ++j) {
    for (let i = -pad; i <= size + pad; ++i) {
      assert.equal(grid.height[(j + pad) * grid.side + i + pad], heightOf(i, j), `${i}, ${j}`);
    }
  }
});

test('where a tile beside is missing, its samples come from finer ones exactly', () => {
  const finer: At[] = [[0, 2, 0], [0, 2, 1], [0, 3, 0], [0, 3, 1]];
  const grid = gridOf(tilesOf([...ring(1, (x, y) => x === 1 && y === 0), ...finer]), 1);
  assert.equal(grid.complete, true);
  const at = (10 + pad) * grid.side + size + 3 + pad;
  assert.equal(grid.height[at], heightOf(2 * (size + 3), 20));
});

test('and from coarser ones between their samples', () => {
  const tiles = tilesOf([[0, 0, 0], [1, 0, 0]]);
  const grid = gridOf(tiles);
  assert.equal(grid.complete, false);
  const at = (i: number, j: number): number => grid.height[(j + pad) * grid.side + i + pad];
  assert.equal(at(size + 2, 10), heightOf(size + 2, 10), 'both have this one');
  const between = (heightOf(size, 10) + heightOf(size + 2, 10)) / 2;
  assert.ok(Math.abs(at(size + 1, 10) - between) <= 1);
});

test('beyond all that is known the land goes on as it ends', () => {
  const grid = gridOf(tilesOf([[0, 0, 0]]));
  assert.equal(grid.complete, false);
  const last = heightOf(size - 1, 20);
  const next = last + (last - heightOf(size - 2, 20));
  assert.equal(grid.height[(20 + pad) * grid.side + size + pad], next);
});

test('a world without a layer of water has a sea up to its level', () => {
  const tiles = tilesOf([[0, 0, 0]]);
  const { height } = tiles.get(0, 0, 0)!.chunk.layers;
  height![0] = -5;
  height![1] = 5;
  const grid = gridOf(tiles);
  assert.equal(grid.water[pad * grid.side + pad], 0);
  assert.equal(grid.water[pad * grid.side + pad + 1], noWater);
});

test('fine tiles are drawn whole, coarse ones where no finer one is', () => {
  const tiles = shared([[1, 0, 0], [0, 0, 0], [0, 1, 0]]);
  assert.equal(quartersOf(tiles, [0, 0, 0]), allQuarters);
  assert.equal(quartersOf(tiles, [1, 0, 0]), 0b1100);
});

test('a quarter of a coarse tile that only parts of it are drawn finer in is drawn', () => {
  const some = shared([[2, 0, 0], [0, 0, 0], [0, 1, 0], [0, 0, 1]]);
  assert.equal(quartersOf(some, [2, 0, 0]), allQuarters);
  const all = shared([[2, 0, 0], [0, 0, 0], [0, 1, 0], [0, 0, 1], [0, 1, 1]]);
  assert.equal(quartersOf(all, [2, 0, 0]), 0b1110);
});

test('nothing is drawn twice, and nothing is left out, where levels nest', () => {
  const fine: At[] = ring(0).map(([lod, x, y]) => [lod, x + 2, y + 2]);
  const all: At[] = [...fine, ...ring(1), [2, 0, 0], [2, -1, 0], [2, 0, -1], [2, -1, -1]];
  const tiles = shared(all);
  const drawn = (x: number, y: number): number => {
    let count = 0;
    for (const { tile, quarters } of tiles.tiles.values()) {
      const half = (size * 2 ** tile.lod) / 2;
      const i = Math.floor(x / half) - 2 * tile.x;
      const j = Math.floor(y / half) - 2 * tile.y;
      if ((i | 1) === 1 && (j | 1) === 1 && quarters & (1 << (i + 2 * j))) ++count;
    }
    return count;
  };
  for (let y = -250; y < 250; y += 10) {
    for (let x = -250; x < 250; x += 10) assert.equal(drawn(x, y), 1, `at ${x}, ${y}`);
  }
});

test('a tile is made again once all tiles around it have come, and not with each of them', () => {
  const tiles = tilesOf(ring(0, (x, y) => y === 1 && x < 1));
  const middle = tiles.get(0, 0, 0)!;
  Object.assign(middle, { stale: false, context: tiles.context(middle.tile) });
  tiles.add({ lod: 0, x: -1, y: 1 }, chunkAt(0, -1, 1));
  assert.equal(middle.stale, false);
  tiles.add({ lod: 0, x: 0, y: 1 }, chunkAt(0, 0, 1));
  assert.equal(middle.stale, true);
});

test('what was made with gaps is revised if something has come, and else left alone', () => {
  const tiles = tilesOf(ring(0, (x) => x === 1));
  const middle = tiles.get(0, 0, 0)!;
  Object.assign(middle, { stale: false, context: tiles.context(middle.tile) });
  tiles.revise();
  assert.equal(middle.stale, false);
  tiles.add({ lod: 1, x: 1, y: 0 }, chunkAt(1, 1, 0));
  tiles.revise();
  assert.equal(middle.stale, true);
});

test('tiles that have gone are no reason to make a surface again', () => {
  assert.equal(hasGrown([0b011, 0, 0], [0b111, 0, 0]), false);
  assert.equal(hasGrown([0b1011, 0, 0], [0b111, 0, 0]), true);
});

test('the ground at a place is that of the finest tile, between its samples', () => {
  const tiles = tilesOf([...ring(0), [1, 0, 0], [1, 1, 0]]);
  const at = (x: number, y: number): number | undefined =>
    placeAt(tiles, readerOf(tiles), x, y, size)?.ground;
  assert.equal(at(7, 9), heightOf(7, 9) / 16);
  assert.equal(at(7.5, 9), (heightOf(7, 9) + heightOf(8, 9)) / 32);
  assert.equal(at(2 * size + 4, 8), heightOf(2 * size + 4, 8) / 16);
  assert.equal(at(-9999, 0), undefined);
});
