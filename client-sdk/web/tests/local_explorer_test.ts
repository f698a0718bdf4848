// The land around a viewer, made by terrane_core.wasm. Needs TERRANE_CORE_WASM, and
// TERRANE_TERRANED for a world's file.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  type DecodedChunk,
  type LocalExplorer,
  type LocalWorld,
  TerraneCore,
  TerraneHttp,
} from '../src/index.js';
import { loadCore, noCore } from './local_core.js';
import { noServer, type RealServer, startServer } from './real_server.js';

const skip = noServer || noCore;

let server: RealServer | undefined;
let core: TerraneCore;
let world: LocalWorld;

before(async () => {
  if (skip) return;
  server = await startServer();
  core = await loadCore();
  world = core.openWorld(await new TerraneHttp(server!.url).worldFile('perlin'));
});

after(() => server?.stop());

/** Makes all that is in view, and follows the events. */
function follow(explorer: LocalExplorer, held: Map<string, DecodedChunk>): void {
  for (let more = true; more; ) {
    while (explorer.work());
    const events = explorer.poll();
    more = events.length > 0;
    for (const event of events) {
      assert.ok(event.type !== 'failed');
      const { lod, x, y } = event.tile;
      if (event.type === 'chunk') held.set(`${lod}/${x}/${y}`, event.chunk);
      else assert.ok(held.delete(`${lod}/${x}/${y}`), 'only what is there is dropped');
    }
  }
}

test('a walk shows the chunks around it, and drops those left behind', { skip }, () => {
  const explorer = world.explore({ seed: 7n, viewDistances: [2, 2] });
  const held = new Map<string, DecodedChunk>();
  assert.equal(explorer.work(), false, 'nobody is there yet');
  explorer.move({ x: 32, y: 32 });
  assert.equal(explorer.work(), true);
  const [first] = explorer.poll();
  assert.ok(first.type === 'chunk');
  assert.deepEqual(first.tile, { lod: 0, x: 0, y: 0 }, 'underfoot comes first');
  held.set('0/0/0', first.chunk);
  follow(explorer, held);
  const atFirst = held.size;
  assert.ok(atFirst > 15);
  explorer.move({ x: -64_000, y: 32 });
  follow(explorer, held);
  assert.equal(held.has('0/0/0'), false);
  assert.ok(Math.abs(held.size - atFirst) < 5, `${held.size}, before ${atFirst}`);
  for (const [name, chunk] of held) {
    const [lod, x, y] = name.split('/').map(Number);
    assert.deepEqual(chunk, world.chunk(7n, { lod, x, y }), name);
  }
  explorer.close();
});

test('the ground is that of the samples, and is not known elsewhere', { skip }, () => {
  const explorer = world.explore({ seed: 7n, viewDistances: [1] });
  explorer.move({ x: 32, y: 32 });
  follow(explorer, new Map());
  const { layers, size } = world.chunk(7n, { lod: 0, x: 0, y: 0 });
  const height = (x: number, y: number): number => layers.height![y * size + x] / 16;
  const [at, between, far, none] = explorer.ground([
    { x: 10, y: 20 },
    { x: 10.5, y: 20 },
    { x: 1e6, y: 0 },
    { x: NaN, y: 0 },
  ]);
  assert.equal(at!.height, height(10, 20));
  assert.equal(at!.biome, layers.biome![20 * size + 10]);
  assert.equal(at!.lod, 0);
  assert.equal(between!.height, (height(10, 20) + height(11, 20)) / 2);
  assert.equal(at!.depth, Math.max(0, at!.water - at!.height));
  const [east] = at!.normal;
  assert.ok(Math.abs(Math.hypot(...at!.normal) - 1) < 1e-6);
  assert.equal(Math.sign(east), -Math.sign(height(11, 20) - height(10, 20)));
  assert.deepEqual([far, none], [undefined, undefined]);
  assert.deepEqual(explorer.ground([]), []);
  explorer.close();
});

test('options and poses that make no sense are refused by name', { skip }, () => {
  const explore = (options: object) => () =>
    world.explore({ seed: 7n, viewDistances: [2], ...options });
  const refused = (message: RegExp) => ({ status: 'INVALID_ARGUMENT', message });
  assert.throws(explore({ viewDistances: [65] }), refused(/65/));
  assert.throws(explore({ viewDistances: [-1] }), refused(/viewDistances: -1/));
  assert.throws(explore({ viewDistances: new Array(18).fill(1) }), refused(/at most 17/));
  assert.throws(explore({ seed: '-7' }), refused(/seed is -7/));
  assert.throws(explore({ keptChunks: 0 }), refused(/keptChunks: 0; it must be 1 to/));
  const explorer = world.explore({ seed: 7n, viewDistances: [2] });
  assert.throws(() => explorer.move({ x: NaN, y: 0 }), { status: 'INVALID_ARGUMENT' });
  assert.throws(() => explorer.move({ x: 1e15, y: 0 }), { status: 'OUT_OF_RANGE' });
  explorer.close();
});

test('only the layers that are wanted come, and it outlives its world', { skip }, async () => {
  const other = (await loadCore()).openWorld(
    await new TerraneHttp(server!.url).worldFile('perlin'),
  );
  const explorer = other.explore({ seed: '7', viewDistances: [1], layers: ['height'] });
  other.close();
  explorer.move({ x: 0, y: 0 });
  explorer.work();
  const [event] = explorer.poll();
  assert.ok(event.type === 'chunk');
  assert.deepEqual(Object.keys(event.chunk.layers), ['height']);
  explorer.close();
  explorer.close();
  for (const use of [
    () => explorer.move({ x: 0, y: 0 }),
    () => explorer.work(),
    () => explorer.poll(),
    () => explorer.ground([]),
  ]) {
    assert.throws(use, { status: 'FAILED_PRECONDITION', message: 'the LocalExplorer is closed' });
  }
});

test('explorers that are closed leave no memory behind', { skip }, async () => {
  const fresh = await loadCore();
  const one = fresh.openWorld(await new TerraneHttp(server!.url).worldFile('perlin'));
  const walk = (times: number): void => {
    for (let i = 0; i < times; ++i) {
      const explorer = one.explore({ seed: 7n, viewDistances: [2, 1], keptChunks: 8 });
      explorer.move({ x: 1000 * i, y: 0 });
      follow(explorer, new Map());
      explorer.close();
    }
  };
  walk(10);
  const before = fresh.memoryBytes;
  walk(100);
  assert.equal(fresh.memoryBytes, before);
});
