// Worlds of terrane_core.wasm: what is refused, and that memory comes back. Needs
// TERRANE_CORE_WASM, and TERRANE_TERRANED for the worlds' files.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type LocalWorld, noWater, TerraneCore, TerraneError, TerraneHttp } from '../src/index.js';
import { loadCore, noCore } from './local_core.js';
import { noServer, type RealServer, startServer } from './real_server.js';

const skip = noServer || noCore;
const origin = { lod: 0, x: 0, y: 0 };

let server: RealServer | undefined;
let core: TerraneCore;
let file: Uint8Array;
let world: LocalWorld;

before(async () => {
  if (skip) return;
  server = await startServer();
  core = await loadCore();
  file = await new TerraneHttp(server!.url).worldFile('continents');
  world = core.openWorld(file);
});

after(() => server?.stop());

test('a world file that is cut off, damaged or none is refused', { skip }, () => {
  for (let length = 0; length < file.length; length += length < 200 ? 1 : 487) {
    assert.throws(() => core.openWorld(file.subarray(0, length)), TerraneError, `${length} bytes`);
  }
  assert.throws(() => core.openWorld(file.subarray(0, file.length >> 1)), {
    status: 'INVALID_ARGUMENT',
    message: /./,
  });
  for (let at = 0; at < file.length; at += at < 200 ? 1 : 211) {
    const damaged = file.slice();
    damaged[at] ^= 0x10;
    try {
      core.openWorld(damaged).close(); // what has no checksum: names and colours
    } catch (error) {
      assert.ok(error instanceof TerraneError && error.status !== 'INTERNAL', String(error));
    }
  }
  assert.equal(core.openWorld(file).info.name, 'continents');
});

test('a level that the world does not have is refused with the coarsest', { skip }, () => {
  assert.throws(() => world.chunk(7n, { lod: world.info.maxLod + 1, x: 0, y: 0 }), {
    status: 'OUT_OF_RANGE',
    message: `lod ${world.info.maxLod + 1}: the world's coarsest is ${world.info.maxLod}`,
  });
  for (const lod of [-1, 0.5, 256, NaN]) {
    assert.throws(() => world.chunk(7n, { ...origin, lod }), {
      status: 'INVALID_ARGUMENT',
      field: 'tile.lod',
      value: String(lod),
    });
  }
});

test('chunks and points outside of the world are refused with the limit', { skip }, () => {
  const most = 2 ** 40;
  assert.throws(() => world.chunk(7n, { lod: 0, x: most + 1, y: 0 }), {
    status: 'OUT_OF_RANGE',
    message: /chunk \(1099511627777, 0\) of lod 0: coordinates go up to 1099511627776/,
  });
  assert.ok(world.chunk(7n, { lod: 0, x: most, y: -most }).layers.height!.length === 64 * 64);
  assert.throws(() => world.points(7n, [{ x: 0, y: 2 ** 52 }]), { status: 'OUT_OF_RANGE' });
  for (const x of [2 ** 60, 0.5, NaN, Infinity]) {
    assert.throws(() => world.chunk(7n, { ...origin, x }), {
      status: 'INVALID_ARGUMENT',
      field: 'tile.x',
      value: String(x),
      limit: 'an integer within ±2^53',
    });
    assert.throws(() => world.points(7n, [origin, { x, y: 0 }]), { field: 'blocks[1].x' });
  }
});

test('a seed is a BigInt or decimal, of 64 bits', { skip }, () => {
  const height = (seed: bigint | string) => world.chunk(seed, origin).layers.height!;
  assert.deepEqual(height(18446744073709551615n), height('18446744073709551615'));
  assert.notDeepEqual(height(7n), height(8n));
  for (const seed of [-1n, 1n << 64n, '', '-1', '0x10', '1.5', '18446744073709551616']) {
    assert.throws(() => world.chunk(seed, origin), {
      status: 'INVALID_ARGUMENT',
      field: 'seed',
      value: String(seed),
    });
    assert.throws(() => world.points(seed, []), { field: 'seed' });
  }
});

test('a closed world says so, and others go on', { skip }, () => {
  const second = core.openWorld(file);
  const before = second.chunk(7n, origin);
  second.close();
  second.close();
  for (const use of [
    () => second.chunk(7n, origin),
    () => second.encodedChunk(7n, origin),
    () => second.points(7n, [origin]),
  ]) {
    const message = 'the world continents is closed';
    assert.throws(use, { status: 'FAILED_PRECONDITION', message });
  }
  assert.deepEqual(world.chunk(7n, origin), before);
});

test('only the layers that are wanted are taken over', { skip }, () => {
  const all = world.chunk(7n, origin);
  const some = world.chunk(7n, origin, ['water', 'placements']);
  assert.deepEqual(some.layers, { water: all.layers.water });
  assert.deepEqual([some.placements, some.rooms], [all.placements, []]);
  assert.deepEqual(world.chunk(7n, origin, []).layers, {});
});

test('points are what chunks hold there; of no points there are no samples', { skip }, () => {
  const { layers } = world.chunk(7n, { lod: 0, x: -2, y: 3 });
  const points = world.points(7n, [{ x: -128 + 5, y: 192 + 9 }]);
  const at = 9 * 64 + 5;
  assert.equal(points.height[0], layers.height![at]);
  assert.equal(points.biome[0], layers.biome![at]);
  assert.ok(points.water[0] === layers.water![at] && points.water[0] >= noWater);
  assert.deepEqual(world.points(7n, []).height, []);
});

test('many points at once make the memory grow, and are all there', { skip }, () => {
  const blocks = Array.from({ length: 70_000 }, (_, i) => ({ x: i % 256, y: i >> 8 }));
  const { height } = world.points(7n, blocks);
  assert.equal(height.length, blocks.length);
  const { layers } = world.chunk(7n, { lod: 0, x: 3, y: 1 });
  assert.equal(height[100 * 256 + 200], layers.height![36 * 64 + 8]);
});

test('10,000 chunks, as many errors and 300 worlds leave no memory behind', { skip }, async () => {
  const fresh = await loadCore();
  const perlin = await new TerraneHttp(server!.url).worldFile('perlin');
  const work = (rounds: number, worlds: number): void => {
    for (let opened = 0; opened < worlds; ++opened) {
      const one = fresh.openWorld(perlin);
      for (let i = 0; i < rounds; ++i) {
        one.chunk(BigInt(opened), { lod: 0, x: i, y: -opened }, ['height']);
        assert.throws(() => one.chunk(7n, { ...origin, lod: 99 }), TerraneError);
      }
      fresh.decode(one.encodedChunk(7n, origin));
      assert.throws(() => fresh.decode(perlin));
      one.close();
    }
  };
  work(50, 4);
  const before = fresh.memoryBytes;
  work(34, 300);
  assert.equal(fresh.memoryBytes, before);
});
