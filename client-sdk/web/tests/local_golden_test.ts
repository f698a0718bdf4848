// Chunks that terrane_core.wasm makes are those of a real server, where TERRANE_TERRANED names one
// and TERRANE_CORE_WASM the module.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { decodeChunk, TerraneCore, TerraneHttp, type Tile, type World } from '../src/index.js';
import { loadCore, noCore } from './local_core.js';
import { noServer, type RealServer, startServer } from './real_server.js';

const skip = noServer || noCore;
const seeds = ['0', '18446744073709551615'];
const maxBlock = 2 ** 46;

let server: RealServer | undefined;
let http: TerraneHttp;
let core: TerraneCore;
let worlds: World[];

before(async () => {
  if (skip) return;
  server = await startServer();
  http = new TerraneHttp(server!.url);
  core = await loadCore();
  ({ worlds } = await http.worlds());
});

after(() => server?.stop());

/** Near and far ones, of fine, middling and coarse levels. */
function tilesOf({ chunkSize, maxLod }: World): Tile[] {
  return [0, Math.min(3, maxLod), maxLod].flatMap((lod) => {
    const far = maxBlock / (chunkSize * 2 ** lod);
    const places = [
      [0, 0],
      [-1, 2],
      [2 ** 20, -(2 ** 20)],
      [far, -far],
    ];
    return places.map(([x, y]) => ({ lod, x, y }));
  });
}

test('every chunk made here has the bytes of the server, in all worlds', { skip }, async () => {
  assert.ok(worlds.length >= 6);
  for (const { name, fingerprint, ...world } of worlds) {
    const local = core.openWorld(await http.worldFile(name));
    for (const seed of seeds) {
      for (const tile of tilesOf({ name, fingerprint, ...world })) {
        const bytes = await http.chunk({ world: name, seed, fingerprint }, tile);
        const what = `${name} ${seed} ${JSON.stringify(tile)}`;
        const expected = decodeChunk(bytes);
        assert.ok(expected.layers.height!.length > 0, what);
        assert.deepEqual(local.chunk(seed, tile), expected, what);
        assert.deepEqual(core.decode(bytes), expected, what);
        assert.deepEqual(local.encodedChunk(seed, tile), bytes, what);
      }
    }
    local.close();
  }
});

test('what stands in dense land is the same, too', { skip }, async () => {
  const { fingerprint } = worlds.find(({ name }) => name === 'continents')!;
  const local = core.openWorld(await http.worldFile('continents'));
  const variant = { world: 'continents', seed: '7', fingerprint };
  const found = await http.locate(variant, { structure: 'dungeon' }, { x: 0, y: 0 }, 20_000);
  assert.ok(found.found);
  const { x, y } = { x: Math.floor(found.block.x / 512), y: Math.floor(found.block.y / 512) };
  const count = { placements: 0, structures: 0, rooms: 0 };
  for (const { tile, bytes } of await http.bundle(variant, { lod: 0, x, y })) {
    const chunk = local.chunk(7n, tile);
    assert.deepEqual(chunk, decodeChunk(bytes!), JSON.stringify(tile));
    count.placements += chunk.placements.length;
    count.structures += chunk.structures.length;
    count.rooms += chunk.rooms.length;
  }
  const isDense = count.placements > 50 && count.structures > 0 && count.rooms > 3;
  assert.ok(isDense, JSON.stringify(count));
});

test('points are those that the server tells', { skip }, async () => {
  const blocks = [
    { x: 0, y: 0 },
    { x: -70_001, y: 12_345 },
    { x: 2 ** 40, y: -(2 ** 40) },
  ];
  for (const { name, fingerprint } of worlds) {
    const local = core.openWorld(await http.worldFile(name));
    const expected = await http.points({ world: name, seed: '7', fingerprint }, blocks);
    assert.deepEqual(local.points('7', blocks), expected, name);
  }
});

test('a world file says of its world what the server says', { skip }, async () => {
  for (const { name } of worlds) {
    const { world, places } = await http.world(name);
    const { layers, minBlockCoordinate, maxBlockCoordinate, ...told } = world;
    const { info } = core.openWorld(await http.worldFile(name));
    const expected = { ...told, layers: layers.map((layer) => layer.name), places };
    assert.deepEqual(info, expected);
  }
});
