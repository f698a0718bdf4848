import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { decodeChunk, fingerprintHex, TerraneHttp, type Variant } from '../src/index.js';
import { ProtoWriter } from '../src/proto_writer.js';
import { readVector } from './vectors.js';

const variant: Variant = { world: 'continents', seed: '7', fingerprint: '3301591870157635022' };
const realm: Variant = { realm: 'survival' };

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Runs `body` with a server that answers so; gives it what was asked for, too. */
async function withServer(
  handler: Handler,
  body: (http: TerraneHttp, asked: IncomingMessage[]) => Promise<void>,
  token?: () => string | undefined,
): Promise<void> {
  const asked: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    asked.push(request);
    handler(request, response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    await body(new TerraneHttp(`http://127.0.0.1:${port}/`, { token }), asked);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const json =
  (value: object, status = 200): Handler =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(value));
  };

test('worlds come as the server names them', () =>
  withServer(
    json({ worlds: [{ name: 'classic' }], limits: {}, realms: [] }),
    async (http, asked) => {
      assert.equal((await http.worlds()).worlds[0].name, 'classic');
      await http.world('a world');
      await http.worldFile('a world');
      assert.deepEqual(
        asked.map(({ url }) => url),
        ['/v1/worlds', '/v1/worlds/a%20world', '/v1/worlds/a%20world/file'],
      );
    },
  ));

test('chunks are asked for where they never change, those of realms where they are', () =>
  withServer(
    (_request, response) => response.end(readVector('example')),
    async (http, asked) => {
      assert.equal(decodeChunk(await http.chunk(variant, { lod: 0, x: -3, y: 4 })).size, 16);
      await http.chunk(realm, { lod: 2, x: 0, y: -1 });
      assert.deepEqual(
        asked.map(({ url }) => url),
        ['/v1/f/2dd19c5036103dce/7/2/chunks/0/-3/4', '/v1/realms/survival/chunks/2/0/-1'],
      );
    },
  ));

test('a bundle is its chunks and what failed', () => {
  const coord = new ProtoWriter();
  coord.zigzag(1, -1_099_511_627_776);
  coord.zigzag(2, 17);
  const chunk = new ProtoWriter();
  chunk.nested(1, coord.finish());
  chunk.nested(2, readVector('example'));
  const failure = new ProtoWriter();
  failure.varint(2, 13);
  failure.string(3, 'no luck');
  const bundle = new ProtoWriter();
  bundle.nested(1, chunk.finish());
  bundle.string(15, 'a field of a later version');
  bundle.nested(2, failure.finish());
  return withServer(
    (_request, response) => response.end(bundle.finish()),
    async (http, asked) => {
      const [first, second] = await http.bundle(variant, { lod: 3, x: 5, y: -6 });
      assert.deepEqual(first.tile, { lod: 3, x: -1_099_511_627_776, y: 17 });
      assert.equal(decodeChunk(first.bytes!).size, 16);
      assert.deepEqual(second, { tile: { lod: 3, x: 0, y: 0 }, failure: 'no luck' });
      assert.equal(asked[0].url, '/v1/f/2dd19c5036103dce/7/2/bundles/3/5/-6');
    },
  );
});

test('an answer that is no bundle is DATA_LOSS', () =>
  withServer(
    (_request, response) => response.end('<html>'),
    (http) => assert.rejects(http.bundle(variant, { lod: 0, x: 0, y: 0 }), { status: 'DATA_LOSS' }),
  ));

const samples = {
  height: [-923, 845],
  temperature: [300, 109],
  humidity: [840, 666],
  biome: [1, 21],
  water: [0, -524288],
  forest: [],
  rocks: [],
};

test('points are named in the URL and come as numbers', () =>
  withServer(json(samples), async (http, asked) => {
    const points = await http.points(variant, [
      { x: 1, y: 2 },
      { x: -5, y: 100_000 },
    ]);
    assert.deepEqual(points, samples);
    assert.equal(asked[0].url, '/v1/continents/7/points/1,2;-5,100000');
  }));

test('more points than a URL holds are asked for in parts, in order', () =>
  withServer(
    (request, response) => {
      const list = request.url!.slice('/v1/continents/7/points/'.length).split(';');
      const height = list.map((point) => Number(point.split(',')[0]));
      response.end(JSON.stringify({ ...samples, height }));
    },
    async (http, asked) => {
      const points = Array.from({ length: 3000 }, (_, i) => ({ x: i - 1500, y: -1e9 }));
      const { height } = await http.points(variant, points);
      assert.deepEqual(
        height,
        points.map(({ x }) => x),
      );
      assert.ok(asked.length > 1 && asked.every(({ url }) => url!.length < 5000));
    },
  ));

const structure = {
  anchor: { x: '-1317', y: '1174' },
  kind: 1,
  rooms: 1,
  firstBlock: { x: '-1330', y: '1170' },
  lastBlock: { x: '-1318', y: '1178' },
};

const named = { name: 'Old Mill', block: { x: '3', y: '-4' }, spawn: true };

test('a search says what it has found, with numbers for the strings', () =>
  withServer(
    json({ found: { block: { x: '-1317', y: '1174' }, distance: 1764.3, structure } }),
    async (http, asked) => {
      const found = await http.locate(variant, { structure: 'ruin' }, { x: 0, y: -9 }, 20_000);
      assert.ok(found.found);
      assert.deepEqual(found.block, { x: -1317, y: 1174 });
      assert.deepEqual(found.structure?.lastBlock, { x: -1318, y: 1178 });
      assert.equal(asked[0].url, '/v1/continents/7/locate/structure/ruin/0/-9/20000');
    },
  ));

test('a place comes by its name, with numbers for the strings', () =>
  withServer(
    json({
      found: { block: { x: '3', y: '-4' }, distance: 5, place: named },
    }),
    async (http, asked) => {
      const found = await http.locate(variant, { place: 'Old Mill' }, { x: 0, y: 0 }, 0);
      assert.ok(found.found);
      assert.deepEqual(found.place, { name: 'Old Mill', block: { x: 3, y: -4 }, spawn: true });
      assert.equal(asked[0].url, '/v1/continents/7/locate/place/Old%20Mill/0/0/0');
    },
  ));

test('a world comes with its places, and without where the server knows none', async () => {
  await withServer(json({ world: { name: 'a' }, limits: {}, places: [named] }), async (http) => {
    const { places } = await http.world('a');
    assert.deepEqual(places, [{ name: 'Old Mill', block: { x: 3, y: -4 }, spawn: true }]);
  });
  await withServer(json({ world: { name: 'a' }, limits: {} }), async (http) =>
    assert.deepEqual((await http.world('a')).places, []),
  );
});

test('a search says when there is nothing', () =>
  withServer(json({ nothing: { radius: 500 } }), async (http, asked) => {
    const nothing = await http.locate(realm, { biome: 'Deep Ocean' }, { x: 0, y: 0 }, 500);
    assert.deepEqual(nothing, { found: false, radius: 500 });
    assert.equal(asked[0].url, '/v1/realms/survival/locate/biome/Deep%20Ocean/0/0/500');
  }));

test('a structure comes with its rooms', () => {
  const room = { corner: { x: '-1320', y: '1172' }, floor: 900, index: 0, piece: 2, turn: 1 };
  return withServer(
    json({ structure, rooms: [{ ...room, openDoors: 3 }] }),
    async (http, asked) => {
      const { structure: read, rooms } = await http.structure(variant, { x: -1317, y: 1174 });
      assert.deepEqual(read.firstBlock, { x: -1330, y: 1170 });
      assert.deepEqual(rooms[0].corner, { x: -1320, y: 1172 });
      assert.equal(asked[0].url, '/v1/continents/7/structures/-1317/1174');
    },
  );
});

test('the token is shown, and asked for at each request', () => {
  let count = 0;
  return withServer(
    json({}),
    async (http, asked) => {
      await http.worlds();
      await http.worlds();
      const shown = asked.map(({ headers }) => headers.authorization);
      assert.deepEqual(shown, ['Bearer token 1', 'Bearer token 2']);
    },
    () => `token ${++count}`,
  );
});

test('a refusal is an error with all that the server says', () => {
  const said = {
    status: 'OUT_OF_RANGE',
    message: 'lod = 99: too much',
    reason: 'FIELD_OUT_OF_RANGE',
    field: 'lod',
    value: '99',
    limit: '0 to 8',
    retryAfterMs: 0,
  };
  return withServer(json(said, 400), (http) => assert.rejects(http.worlds(), said));
});

test('a refusal that says nothing is known by its HTTP status', () =>
  withServer(
    (_request, response) => response.writeHead(503, { 'retry-after': '2' }).end('<html>'),
    (http) => assert.rejects(http.worlds(), { status: 'UNAVAILABLE', retryAfterMs: 2000 }),
  ));

test('a server that is not there is UNAVAILABLE', async () => {
  const http = new TerraneHttp('http://127.0.0.1:1');
  await assert.rejects(http.worlds(), { name: 'TerraneError', status: 'UNAVAILABLE' });
});

test('an aborted request rejects with the reason, and the server notices', () => {
  const abort = new AbortController();
  const reason = new Error('out of view');
  let gone: Promise<unknown> = Promise.resolve();
  return withServer(
    (request) => {
      gone = once(request.socket, 'close');
      abort.abort(reason);
    },
    async (http) => {
      await assert.rejects(http.worlds(abort.signal), reason);
      await gone;
    },
  );
});

test('fingerprints are written as URLs have them', () => {
  assert.equal(fingerprintHex('3301591870157635022'), '2dd19c5036103dce');
  assert.equal(fingerprintHex('10'), '000000000000000a');
});
