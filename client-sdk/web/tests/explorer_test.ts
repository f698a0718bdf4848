import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WebSocket } from 'ws';
import {
  type ExploreEvent,
  Explorer,
  type ExplorerOptions,
  TerraneError,
  type WebSocketClass,
} from '../src/index.js';
import { batch, outOfRange, ScriptedServer, type Session, welcome } from './scripted_server.js';

const webSocket = WebSocket as unknown as WebSocketClass;
const here = { lod: 0, x: 0, y: 0 };
const beside = { lod: 0, x: 1, y: 0 };

/** An Explorer whose events can be waited for. */
class Viewer {
  readonly explorer: Explorer;
  private readonly events: ExploreEvent[] = [];
  private wake = () => {};

  constructor(url: string, options: Partial<ExplorerOptions> = {}) {
    this.explorer = new Explorer({
      url,
      world: { world: 'classic', seed: '1' },
      viewDistances: [4],
      webSocket,
      onNews: () => this.wake(),
      ...options,
    });
  }

  /** The next event of a type; others before it are passed over. */
  async next<T extends ExploreEvent['type']>(type: T): Promise<ExploreEvent & { type: T }> {
    for (;;) {
      this.events.push(...this.explorer.poll());
      for (let event = this.events.shift(); event !== undefined; event = this.events.shift()) {
        if (event.type === type) return event as ExploreEvent & { type: T };
      }
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }
}

/** Runs `body` with a server and a viewer of it who stands in chunk (0, 0). */
async function withViewer(
  options: Partial<ExplorerOptions>,
  body: (server: ScriptedServer, viewer: Viewer, session: Session) => Promise<void>,
): Promise<void> {
  const server = new ScriptedServer();
  const viewer = new Viewer(await server.url(), options);
  try {
    const accepted = server.accept();
    viewer.explorer.move({ x: 8, y: 8 });
    await body(server, viewer, await accepted);
  } finally {
    viewer.explorer.close();
    server.close();
  }
}

test('a stream begins with a hello, and chunks that come are acknowledged and polled', () =>
  withViewer({ token: () => 'secret' }, async (_server, viewer, session) => {
    const hello = await session.next('hello');
    assert.equal(hello.token, 'secret');
    assert.equal(hello.fingerprint, undefined);
    session.send(welcome());
    const { fingerprint, chunkSize } = await viewer.next('welcome');
    assert.deepEqual([fingerprint, chunkSize], ['7', 16]);
    session.send(batch(1, [here, beside]));
    const first = await viewer.next('chunk');
    assert.deepEqual(first.tile, here);
    assert.equal(Buffer.from(first.bytes).toString(), 'chunk 0/0,0');
    assert.deepEqual((await viewer.next('chunk')).tile, beside);
    assert.equal((await session.next('ack')).batch, 1);
    const { connected, chunks, inRange, waiting } = viewer.explorer.stats();
    assert.deepEqual(
      { connected, chunks, inRange, waiting },
      {
        connected: true,
        chunks: 2,
        inRange: 2,
        waiting: 0,
      },
    );
  }));

test('what leaves range is said, and comes from what is kept when the viewer is back', () =>
  withViewer({}, async (_server, viewer, session) => {
    session.send(welcome());
    session.send(batch(1, [here]));
    await viewer.next('chunk');
    viewer.explorer.move({ x: 16 * 20, y: 8 });
    await session.next('move');
    session.send(outOfRange(here));
    assert.deepEqual((await viewer.next('outOfRange')).tile, here);
    viewer.explorer.move({ x: 8, y: 8 });
    assert.deepEqual((await viewer.next('chunk')).tile, here);
    assert.equal(viewer.explorer.stats().kept, 1);
  }));

test('acks are withheld while more chunks than may wait for a poll', () =>
  withViewer({ maxWaiting: 1 }, async (_server, viewer, session) => {
    session.send(welcome());
    session.send(batch(1, [here]));
    assert.equal((await session.next('ack')).batch, 1);
    session.send(batch(2, [beside]));
    session.send(batch(3, [{ lod: 0, x: 0, y: 1 }]));
    const ack = session.next('ack');
    while (viewer.explorer.stats().waiting < 3) await new Promise((r) => setImmediate(r));
    viewer.explorer.poll();
    assert.equal((await ack).batch, 3, 'one ack for both, after the poll');
  }));

test('a connection that breaks is made anew, with what is at hand and the world pinned', () =>
  withViewer({}, async (server, viewer, session) => {
    session.send(welcome());
    session.send(batch(1, [here, beside]));
    await viewer.next('chunk');
    const again = server.accept();
    session.socket.terminate();
    assert.equal((await viewer.next('reconnecting')).error.status, 'UNAVAILABLE');
    assert.equal(viewer.explorer.stats().connected, false);
    const second = await again;
    const hello = await second.next('hello');
    assert.equal(hello.fingerprint, 7n);
    assert.equal(hello.have, 1, 'neighbours share a block');
    second.send(welcome());
    await viewer.next('resumed');
    assert.equal(viewer.explorer.stats().reconnects, 1);
  }));

test('a server that is silent for too long is given up, and another connection made', () =>
  withViewer({}, async (server, viewer, session) => {
    const again = server.accept();
    session.send(welcome(7n, 20));
    await viewer.next('welcome');
    assert.match((await viewer.next('reconnecting')).error.message, /silent/);
    await (await again).next('hello');
  }));

test('what the server ends a stream with says whether to come back', () =>
  withViewer({}, async (server, viewer, session) => {
    const again = server.accept();
    session.send(welcome());
    session.end(8, 'RESOURCE_EXHAUSTED', { retryAfterMs: 30, reason: 'STREAM_MEMORY_FULL' });
    const { error } = await viewer.next('reconnecting');
    assert.deepEqual([error.status, error.reason], ['RESOURCE_EXHAUSTED', 'STREAM_MEMORY_FULL']);
    (await again).end(16, 'UNAUTHENTICATED', { reason: 'TOKEN_EXPIRED' });
    const ended = await viewer.next('ended');
    assert.deepEqual(
      [ended.error.status, ended.error.reason],
      ['UNAUTHENTICATED', 'TOKEN_EXPIRED'],
    );
    assert.deepEqual(viewer.explorer.poll(), [], 'it is said once');
  }));

test('a close code alone says as much as an HttpError', () =>
  withViewer({}, async (_server, viewer, session) => {
    session.socket.close(4007, 'NOT_PERMITTED');
    const { error } = await viewer.next('ended');
    assert.deepEqual([error.status, error.reason], ['PERMISSION_DENIED', 'NOT_PERMITTED']);
  }));

test('another world than the one pinned ends it', () =>
  withViewer(
    { world: { world: 'classic', seed: '1', fingerprint: '8' } },
    async (_server, viewer, session) => {
      session.send(welcome(7n));
      assert.equal((await viewer.next('ended')).error.status, 'FAILED_PRECONDITION');
    },
  ));

test('bytes that no server sends end it', () =>
  withViewer({}, async (_server, viewer, session) => {
    session.send(Uint8Array.of(0xff, 0xff));
    assert.equal((await viewer.next('ended')).error.status, 'DATA_LOSS');
  }));

test('a server that is not there is tried again', async () => {
  const server = new ScriptedServer();
  const url = await server.url();
  server.close();
  const viewer = new Viewer(url);
  viewer.explorer.move({ x: 0, y: 0 });
  assert.equal((await viewer.next('reconnecting')).error.status, 'UNAVAILABLE');
  await viewer.next('reconnecting');
  viewer.explorer.close();
});

test('a closed explorer says goodbye and nothing else', () =>
  withViewer({}, async (_server, viewer, session) => {
    await session.next('hello');
    const code = new Promise((resolve) => session.socket.on('close', resolve));
    viewer.explorer.close();
    assert.equal(await code, 1000);
    viewer.explorer.move({ x: 50, y: 50 });
    assert.deepEqual(viewer.explorer.poll(), []);
    assert.equal(viewer.explorer.stats().connected, false);
  }));

test('options and poses that make no sense are refused by name', () => {
  const refuses = (name: string, options: Partial<ExplorerOptions>) =>
    assert.throws(
      () => new Viewer('ws://127.0.0.1:1', options),
      (error: TerraneError) =>
        error.status === 'INVALID_ARGUMENT' && error.message.startsWith(name),
    );
  refuses('viewDistances', { viewDistances: [] });
  refuses('viewDistances', { viewDistances: [0, 0] });
  refuses('viewDistances', { viewDistances: [65] });
  refuses('viewDistances', { viewDistances: [8, -1] });
  refuses('viewDistances', { viewDistances: new Array<number>(18).fill(1) });
  refuses('world: ', { world: { realm: '' } });
  refuses('world.seed', { world: { world: 'classic', seed: '18446744073709551616' } });
  refuses('maxWaiting', { maxWaiting: 0 });
  const { explorer } = new Viewer('ws://127.0.0.1:1');
  const statusOf = (move: () => void) => {
    try {
      move();
      return undefined;
    } catch (error) {
      return (error as TerraneError).status;
    }
  };
  assert.equal(
    statusOf(() => explorer.move({ x: NaN, y: 0 })),
    'INVALID_ARGUMENT',
  );
  assert.equal(
    statusOf(() => explorer.move({ x: 0, y: 0, directionY: Infinity })),
    'INVALID_ARGUMENT',
  );
  assert.equal(
    statusOf(() => explorer.move({ x: 0, y: 0, velocityY: -2e6 })),
    'OUT_OF_RANGE',
  );
  assert.equal(
    statusOf(() => explorer.move({ x: 2 ** 48, y: 0 })),
    'OUT_OF_RANGE',
  );
  explorer.close();
});
