// Against a real server, where TERRANE_TERRANED names one.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { WebSocket } from 'ws';
import {
  decodeChunk,
  Explorer,
  TerraneHttp,
  type Variant,
  type WebSocketClass,
} from '../src/index.js';
import { noServer, type RealServer, startServer } from './real_server.js';

const skip = noServer;
let server: RealServer | undefined;

before(async () => {
  server = await startServer();
});

after(() => server?.stop());

async function connect(): Promise<{ http: TerraneHttp; variant: Variant }> {
  const http = new TerraneHttp(server!.url);
  const { world } = await http.world('continents');
  return { http, variant: { world: world.name, seed: '7', fingerprint: world.fingerprint } };
}

test('a bundle holds the chunks that the server sends one by one', { skip }, async () => {
  const { http, variant } = await connect();
  const bundle = await http.bundle(variant, { lod: 0, x: -1, y: 2 });
  assert.equal(bundle.length, 64);
  for (const { tile, bytes } of bundle.slice(0, 5)) {
    assert.deepEqual(decodeChunk(bytes!), decodeChunk(await http.chunk(variant, tile)));
  }
});

test('points say what the chunk holds there', { skip }, async () => {
  const { http, variant } = await connect();
  const { layers } = decodeChunk(await http.chunk(variant, { lod: 0, x: 3, y: -2 }));
  const points = await http.points(variant, [
    { x: 192, y: -128 },
    { x: 192 + 63, y: -128 + 5 },
  ]);
  const at = [0, 5 * 64 + 63];
  assert.deepEqual(
    points.height,
    at.map((i) => layers.height![i]),
  );
  assert.deepEqual(
    points.water,
    at.map((i) => layers.water![i]),
  );
  assert.deepEqual(
    points.biome,
    at.map((i) => layers.biome![i]),
  );
});

test('a structure that is found is there, with as many rooms as it says', { skip }, async () => {
  const { http, variant } = await connect();
  const found = await http.locate(variant, { structure: 'ruin' }, { x: 0, y: 0 }, 20_000);
  assert.ok(found.found && found.structure !== undefined);
  const { structure, rooms } = await http.structure(variant, found.block);
  assert.deepEqual(structure, found.structure);
  assert.equal(rooms.length, structure.rooms);
});

test('a walk shows the chunks that HTTP has, and drops those left behind', { skip }, async () => {
  const { http, variant } = await connect();
  let wake = () => {};
  const explorer = new Explorer({
    url: `${server!.url.replace('http', 'ws')}/v1/explore`,
    world: { world: 'continents', seed: '7' },
    viewDistances: [2, 2],
    webSocket: WebSocket as unknown as WebSocketClass,
    onNews: () => wake(),
  });
  const news = () => new Promise<void>((resolve) => (wake = resolve));
  const seen = new Map<string, Uint8Array>();
  let dropped = 0;
  explorer.move({ x: 32, y: 32 });
  while (dropped < 5) {
    await news();
    for (const event of explorer.poll()) {
      if (event.type === 'chunk') {
        const { lod, x, y } = event.tile;
        seen.set(`${lod}/${x}/${y}`, event.bytes);
      }
      if (event.type === 'outOfRange') ++dropped;
      assert.ok(event.type !== 'ended' && event.type !== 'failed');
    }
    if (seen.size > 15) explorer.move({ x: 32 + 64 * 9, y: 32 });
  }
  explorer.close();
  const first = seen.get('0/0/0');
  assert.ok(first !== undefined);
  const same = await http.chunk(variant, { lod: 0, x: 0, y: 0 });
  assert.deepEqual(decodeChunk(first), decodeChunk(same));
});

test(
  'a world that there is not ends an Explore, and is NOT_FOUND over HTTP',
  { skip },
  async () => {
    const { http } = await connect();
    await assert.rejects(http.world('nowhere'), { status: 'NOT_FOUND', reason: 'WORLD_UNKNOWN' });
    let wake = () => {};
    const explorer = new Explorer({
      url: `${server!.url.replace('http', 'ws')}/v1/explore`,
      world: { world: 'nowhere', seed: '7' },
      viewDistances: [2],
      webSocket: WebSocket as unknown as WebSocketClass,
      onNews: () => wake(),
    });
    const news = new Promise<void>((resolve) => (wake = resolve));
    explorer.move({ x: 0, y: 0 });
    await news;
    const [event] = explorer.poll();
    assert.ok(event.type === 'ended');
    assert.deepEqual([event.error.status, event.error.reason], ['NOT_FOUND', 'WORLD_UNKNOWN']);
  },
);
