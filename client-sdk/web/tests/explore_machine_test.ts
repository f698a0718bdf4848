import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TerraneError, type Tile } from '../src/index.js';
import { toBlocks, tilesOf } from '../src/explore/blocks.js';
import { ExploreMachine, type MachineSettings } from '../src/explore/machine.js';
import { keyOf } from '../src/explore/view.js';
import { batch, welcome } from './scripted_server.js';

const settings: MachineSettings = {
  world: 'classic',
  seed: 1n,
  realm: '',
  fingerprint: undefined,
  layers: [],
  viewDistances: [4, 4],
  keptChunks: 64,
  maxWaiting: 1024,
};
const here = { lod: 0, x: 0, y: 0 };

/** A machine whose viewer stands in chunk (0, 0), and that has been welcomed. */
function makeStreaming(changed: Partial<MachineSettings> = {}): ExploreMachine {
  const machine = new ExploreMachine({ ...settings, ...changed });
  machine.move({ x: 8, y: 8 }, 0);
  machine.openStream();
  assert.equal(kindOf(machine), 'hello');
  machine.receive(welcome(), 0);
  return machine;
}

/** What the machine says next. */
function kindOf(machine: ExploreMachine): string | undefined {
  const message = machine.nextMessage(0);
  return message && ['', 'hello', 'move', 'ack'][message[0] >> 3];
}

/** A range of tiles in a row. */
const row = (from: number, to: number): Tile[] =>
  Array.from({ length: to - from }, (_, i) => ({ lod: 0, x: from + i, y: 0 }));

function expectDataLoss(machine: ExploreMachine, bytes: Uint8Array): void {
  assert.throws(
    () => machine.receive(bytes, 0),
    (error: TerraneError) => error.status === 'DATA_LOSS',
  );
  assert.equal(machine.timing.state, 'ended');
}

test('only the newest of several moves goes out, and standing still is not worth saying', () => {
  const machine = makeStreaming();
  assert.equal(kindOf(machine), undefined, 'the hello has said it');
  machine.move({ x: 24, y: 8 }, 0);
  machine.move({ x: 40, y: 8 }, 0);
  assert.equal(kindOf(machine), 'move');
  assert.equal(kindOf(machine), undefined);
  machine.move({ x: 40, y: 8 }, 0);
  assert.equal(kindOf(machine), undefined);
});

test('moves do not starve acknowledgements', () => {
  const machine = makeStreaming();
  for (let i = 1; i <= 3; ++i) {
    machine.receive(batch(i, [{ lod: 0, x: i, y: 0 }]), 0);
    machine.move({ x: 8 + 16 * i, y: 8 }, 0);
    assert.equal(kindOf(machine), 'move', 'the move is the more urgent');
    machine.move({ x: 8 + 16 * i, y: 24 }, 0);
    assert.equal(kindOf(machine), 'ack');
  }
});

test('a chunk that was sent twice is no news', () => {
  const machine = makeStreaming();
  machine.receive(batch(1, [here, here]), 0);
  machine.receive(batch(2, [here]), 0);
  assert.equal(machine.takeNews().arrived.length, 1);
  assert.equal(machine.counts.repeated, 2);
});

test('what left and came back between two polls is no news', () => {
  const machine = makeStreaming();
  machine.receive(batch(1, [here]), 0);
  machine.takeNews();
  machine.move({ x: 1600, y: 8 }, 0);
  machine.openStream(); // what is out of range is dropped
  assert.equal(machine.inRange, 0);
  machine.move({ x: 8, y: 8 }, 0);
  assert.equal(machine.inRange, 1);
  const { arrived, outOfRange } = machine.takeNews();
  assert.deepEqual([arrived, outOfRange], [[], []]);
});

test('no more chunks out of range are kept than may be, the oldest go first', () => {
  const machine = makeStreaming({ keptChunks: 2 });
  machine.receive(batch(1, row(0, 4)), 0);
  machine.move({ x: 1600, y: 8 }, 0);
  machine.openStream();
  machine.move({ x: 8, y: 8 }, 0);
  assert.deepEqual(
    machine
      .takeNews()
      .arrived.map(({ tile }) => tile.x)
      .sort(),
    [2, 3],
  );
});

test('batches must grow from 1', () => {
  for (const second of [5, 4]) {
    const machine = makeStreaming();
    machine.receive(batch(5, [here]), 0);
    expectDataLoss(machine, batch(second, [{ lod: 0, x: 1, y: 0 }]));
  }
  expectDataLoss(makeStreaming(), batch(0, [here]));
});

test('chunks that cannot have been asked for end it', () => {
  const far = 2 ** 40 + 1;
  for (const [lod, x, y] of [
    [2, 0, 0],
    [17, 0, 0],
    [256, 0, 0],
    [0, far, 0],
    [0, 0, -far],
    [1, far / 2 + 1, 0],
  ]) {
    expectDataLoss(makeStreaming(), batch(1, [{ lod, x, y }]));
  }
});

test('a server can’t fill the memory with chunks that nobody takes back', () => {
  const machine = makeStreaming({ viewDistances: [1], maxWaiting: 1_000_000 });
  const most = 2 * 7 * 7 + 4096;
  machine.receive(batch(1, row(0, most)), 0);
  expectDataLoss(machine, batch(2, row(most, most + 1)));
});

test('a server can’t fill the memory of a page that polls nothing', () => {
  const machine = makeStreaming({ viewDistances: [64], maxWaiting: 10 });
  machine.receive(batch(1, row(0, 4106)), 0);
  expectDataLoss(machine, batch(2, row(4106, 4107)));
});

test('the widest view held as a checkerboard is said in one hello of less than 64 KiB', () => {
  const machine = makeStreaming({
    viewDistances: new Array<number>(17).fill(64),
    maxWaiting: 1_000_000,
  });
  let held = 0;
  let number = 0;
  for (let lod = 0; lod <= 16; ++lod) {
    for (let y = -64; y <= 64; ++y) {
      const tiles: Tile[] = [];
      for (let x = -64; x <= 64; ++x) {
        if (((x + y) & 1) === 0 && x * x + y * y <= 64 * 64) tiles.push({ lod, x, y });
      }
      held += tiles.length;
      machine.receive(batch(++number, tiles), 0);
    }
  }
  assert.ok(held > 100_000);
  assert.equal(machine.inRange, held);
  machine.openStream();
  assert.ok(machine.nextMessage(0)!.length < 65_536);
});

test('blocks name exactly the tiles that they were made of', () => {
  const tiles: Tile[] = [];
  for (let i = 0; i < 500; ++i) {
    const mixed = Math.imul(i + 1, 0x9e3779b1) >>> 0;
    tiles.push({ lod: mixed % 3, x: ((mixed >>> 4) % 200) - 100, y: ((mixed >>> 14) % 200) - 100 });
  }
  const read = tilesOf(toBlocks(tiles)) as Tile[];
  assert.deepEqual(new Set(read.map(keyOf)), new Set(tiles.map(keyOf)));
});

test('pauses between attempts grow from 0.1 to 5 seconds, spread by chance', () => {
  const machine = makeStreaming();
  const pauses: number[] = [];
  for (let i = 0; i < 8; ++i) {
    machine.endStream(new TerraneError({ status: 'UNAVAILABLE', message: '' }), 1000, 0.5);
    pauses.push(machine.timing.nextLook()! - 1000);
    machine.openStream();
  }
  assert.deepEqual(pauses, [100, 200, 400, 800, 1600, 3200, 5000, 5000]);
});

test('a token that ends when the server said so is no end', () => {
  const machine = makeStreaming();
  machine.receive(Uint8Array.of(0x3a, 0x02, 0x08, 0x0a), 1000); // go away, for 10 ms
  const expired = { status: 'UNAUTHENTICATED', message: '', reason: 'TOKEN_EXPIRED' };
  machine.endStream(new TerraneError(expired), 1000, 0);
  assert.equal(machine.isStreamDue(1009), false);
  assert.equal(machine.isStreamDue(1010), true);
});

test('tells how long the chunk underfoot took after a jump, and a step is no jump', () => {
  const machine = makeStreaming();
  machine.receive(batch(1, [{ lod: 0, x: 1, y: 0 }]), 20);
  assert.equal(machine.underfootMs, 0, 'that was not the one');
  machine.receive(batch(2, [here]), 40);
  assert.equal(machine.underfootMs, 40);
  machine.move({ x: 24, y: 24 }, 1000);
  machine.receive(batch(3, [{ lod: 0, x: 1, y: 1 }]), 1005);
  assert.equal(machine.underfootMs, 40);
  machine.move({ x: 16_008, y: 16_008 }, 2000);
  assert.equal(machine.underfootMs, 0);
  machine.move({ x: 16_024, y: 16_008 }, 2007);
  machine.receive(batch(4, [{ lod: 0, x: 1001, y: 1000 }]), 2014);
  assert.equal(machine.underfootMs, 14, 'walking on does not start it again');
});
