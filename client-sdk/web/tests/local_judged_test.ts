// Land made by terrane_core.wasm and judged by a real server. Needs TERRANE_CORE_WASM and
// TERRANE_TERRANED.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import {
  type JudgedExploreEvent,
  type JudgedExplorer,
  type JudgedExplorerOptions,
  type LocalWorld,
  TerraneCore,
  TerraneHttp,
  type WebSocketClass,
} from '../src/index.js';
import { loadCore, noCore } from './local_core.js';
import { noServer, type RealServer, startServer } from './real_server.js';
import { ScriptedServer, welcome } from './scripted_server.js';

const skip = noServer || noCore;
const seed = 0x1122_3344_5566_7788n;
const othersSeed = 7n;
const webSocket = WebSocket as unknown as WebSocketClass;

let server: RealServer | undefined;
let core: TerraneCore;
let world: LocalWorld;

before(async () => {
  if (skip) return;
  server = await startServer();
  core = await loadCore();
  world = core.openWorld(await new TerraneHttp(server!.url).worldFile('continents'));
});

after(() => server?.stop());

function judge(options: Partial<JudgedExplorerOptions> = {}): JudgedExplorer {
  const url = `${server!.url.replace('http', 'ws')}/v1/explore`;
  return world.judge({ seed, viewDistances: [2, 1], url, webSocket, ...options });
}

/** Frames until something has happened; half a minute at most. @returns all that has happened */
async function frames(
  explorer: JudgedExplorer,
  isDone: (events: readonly JudgedExploreEvent[]) => boolean | Promise<boolean>,
): Promise<JudgedExploreEvent[]> {
  const events: JudgedExploreEvent[] = [];
  for (const end = performance.now() + 30_000; !(await isDone(events)); await pause(5)) {
    assert.ok(performance.now() < end, `only ${events.map(({ type }) => type).join()}`);
    explorer.move({ x: 100, y: 100 });
    for (let i = 0; i < 8 && explorer.work(); ++i);
    events.push(...explorer.poll());
  }
  return events;
}

const has = (type: string) => (events: readonly JudgedExploreEvent[]) =>
  events.some((event) => event.type === type);

/** How many chunks the server has looked at. */
async function judged(): Promise<number> {
  const metrics = await (await fetch(`${server!.url}/metrics`)).text();
  const counts = metrics.matchAll(/^terrane_judged_chunks_total\S* ([0-9]+)$/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

test('a server judges what is made here, and has nothing to say to it', { skip }, async () => {
  const explorer = judge();
  const before = await judged();
  const events = await frames(explorer, async () => (await judged()) >= before + 2);
  assert.ok(has('connected')(events));
  for (const event of events) {
    assert.ok(event.type === 'connected' || event.type === 'chunk', event.type);
    if (event.type !== 'chunk') continue;
    assert.deepEqual(event.chunk, world.chunk(seed, event.tile));
  }
  const [ground] = explorer.ground([{ x: 100, y: 100 }]);
  assert.equal(ground!.lod, 0);
  assert.ok(explorer.land.takeChanges().length > 0);
  explorer.close();
  assert.throws(() => explorer.move({ x: 0, y: 0 }), { message: 'the JudgedExplorer is closed' });
});

/** A connection to a server that takes the seed for another. */
class Mistaken extends WebSocket {
  override send(data: Uint8Array): void {
    const bytes = Buffer.from(data);
    const said = Buffer.alloc(8);
    said.writeBigUInt64LE(seed);
    const at = bytes.indexOf(said);
    if (at >= 0) bytes.writeBigUInt64LE(othersSeed, at);
    super.send(bytes);
  }
}

test("land that is not the server's is streamed once that shows", { skip }, async () => {
  const explorer = judge({ webSocket: Mistaken as unknown as WebSocketClass });
  const land = new Map<string, unknown>();
  const events = await frames(explorer, (all) => {
    for (const event of all) {
      if (event.type === 'chunk') land.set(JSON.stringify(event.tile), event.chunk);
    }
    const first = JSON.stringify({ lod: 0, x: 1, y: 1 });
    return has('differs')(all) && isOf(othersSeed, land.get(first));
  });
  const difference = events.find(({ type }) => type === 'differs');
  assert.deepEqual(difference, { type: 'differs', tile: { lod: 0, x: 1, y: 1 } });
  assert.ok(!has('ended')(events));
  const [ground] = explorer.ground([{ x: 100, y: 100 }]);
  assert.equal(ground!.height, world.points(othersSeed, [{ x: 100, y: 100 }]).height[0] / 16);
  assert.equal(explorer.work(), false, 'nothing is made here any more');
  explorer.close();

  function isOf(anySeed: bigint, chunk: unknown): boolean {
    const { layers } = world.chunk(anySeed, { lod: 0, x: 1, y: 1 });
    const mine = (chunk as { layers?: typeof layers } | undefined)?.layers?.height;
    return mine !== undefined && Buffer.compare(bytesOf(mine), bytesOf(layers.height!)) === 0;
  }
});

const bytesOf = ({ buffer, byteOffset, byteLength }: Int32Array): Buffer =>
  Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);

test('without a server the land goes on, and it says what it has met', { skip }, async () => {
  const explorer = judge({ url: 'ws://127.0.0.1:9/v1/explore' });
  const events = await frames(explorer, (all) => has('reconnecting')(all) && has('chunk')(all));
  const met = events.find((event) => event.type === 'reconnecting');
  assert.equal(met!.error.status, 'UNAVAILABLE');
  assert.match(met!.error.message, /^ws:\/\/127\.0\.0\.1:9\//);
  explorer.close();
});

test('a world that the server does not have ends the judging, not the land', { skip }, async () => {
  const explorer = judge({ world: 'nowhere' });
  const events = await frames(explorer, (all) => has('ended')(all) && has('chunk')(all));
  const end = events.find((event) => event.type === 'ended');
  assert.equal(end!.error.status, 'NOT_FOUND');
  assert.match(end!.error.message, /nowhere/);
  explorer.close();
});

test('what a server says may be anything', { skip }, async () => {
  const hostile = new ScriptedServer();
  const junk = [new Uint8Array(0), new Uint8Array([255, 255, 255]), new Uint8Array(5000).fill(10)];
  for (const bytes of [...junk, welcome(99n)]) {
    const explorer = judge({ url: await hostile.url() });
    const accepted = hostile.accept();
    explorer.move({ x: 0, y: 0 });
    const session = await accepted;
    await session.next('hello');
    session.send(bytes);
    session.send(new Uint8Array([255]));
    const events = await frames(explorer, (all) => has('ended')(all) || has('reconnecting')(all));
    assert.ok(events.length > 0);
    explorer.close();
  }
  hostile.close();
});

test('it connects for the first move, and not before', { skip }, (t) => {
  const timer = t.mock.method(globalThis, 'setTimeout');
  const explorer = judge();
  assert.deepEqual(explorer.poll(), []);
  assert.equal(explorer.work(), false, 'nobody is there yet');
  assert.equal(timer.mock.callCount(), 0);
  explorer.close();
});

test('what makes no sense is refused', { skip }, () => {
  const status = 'INVALID_ARGUMENT';
  assert.throws(() => judge({ viewDistances: [65] }), { status, message: /65/ });
  assert.throws(() => judge({ world: '' }), { message: /name is empty/ });
  const explorer = judge({ url: 'no address' });
  explorer.move({ x: 0, y: 0 });
  const end = explorer.poll().find((event) => event.type === 'ended');
  assert.equal(end!.error.status, status);
  explorer.close();
  explorer.close();
});

test('judged explorers that are closed leave no memory behind', { skip }, async () => {
  const memoryAfter = (times: number): number => {
    for (let i = 0; i < times; ++i) {
      const explorer = judge({ url: 'ws://127.0.0.1:9/v1/explore', keptChunks: 8 });
      explorer.move({ x: 1000 * (i % 5), y: 0 });
      while (explorer.work());
      explorer.poll();
      explorer.close();
    }
    return core.memoryBytes;
  };
  memoryAfter(20);
  await pause(20); // what was opened has ended
  assert.equal(memoryAfter(20), memoryAfter(40));
});
