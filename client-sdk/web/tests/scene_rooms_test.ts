import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Room, StructureKindInfo } from '../src/index.js';
import { planRoom, turned } from '../viewer/scene/room_plan.js';
import { solidsOfStorey, storeysOf, type Storey } from '../viewer/scene/storeys.js';
import { walk, type Terrain } from '../viewer/scene/walk.js';
import { chunkAt } from './scene_land.js';

const kind = {
  name: 'house',
  storey: 48,
  pieces: [
    {
      width: 7,
      depth: 5,
      levels: 2,
      doors: [{ side: 'DOOR_SIDE_MIN_Y', at: 3 }, { side: 'DOOR_SIDE_MAX_X', at: 1 }],
    },
  ],
} as unknown as StructureKindInfo;

function roomOf(change: Partial<Room> = {}): Room {
  const where = { x: 10, y: 20, floor: 160, structureX: 0, structureY: 0 };
  return { ...where, index: 0, kind: 0, piece: 0, turn: 0, openDoors: 1, ...change };
}

/** The storeys of one room on flat ground, ten blocks high. */
function storeysIn(change: Partial<Room> = {}): Storey[] {
  const chunk = chunkAt(0, 0, 0);
  chunk.layers.height!.fill(160);
  chunk.rooms.push(roomOf(change));
  return storeysOf(chunk, [kind]);
}

function terrainOf(change: Partial<Room> = {}): Terrain {
  const solids = storeysIn(change).flatMap((storey) => solidsOfStorey(storey, false));
  return { ground: () => ({ ground: 10 }), solids: () => solids };
}

for (const turn of [0, 1, 2, 3]) {
  test(`turned by ${turn} quarters, blocks of a piece fill its turned box, each once`, () => {
    const [width, depth] = [7, 4];
    const seen = new Set<string>();
    for (let v = 0; v < depth; ++v) {
      for (let u = 0; u < width; ++u) {
        const [x, y] = turned(u, v, width, depth, turn);
        assert.ok(x >= 0 && x < (turn & 1 ? depth : width), `x of ${u}, ${v}`);
        assert.ok(y >= 0 && y < (turn & 1 ? width : depth), `y of ${u}, ${v}`);
        seen.add(`${x},${y}`);
      }
    }
    assert.equal(seen.size, width * depth);
  });
}

test('a quarter turn leads from +x towards +y', () => {
  const [a, b] = [turned(0, 0, 7, 4, 1), turned(6, 0, 7, 4, 1)];
  assert.deepEqual([b[0] - a[0], b[1] - a[1]], [0, 6]);
});

test('four quarter turns are none', () => {
  let at: [number, number] = [5, 1];
  let box: [number, number] = [7, 4];
  for (let k = 0; k < 4; ++k) {
    at = turned(...at, ...box, 1);
    box = [box[1], box[0]];
  }
  assert.deepEqual(at, [5, 1]);
});

test('only open doors are gaps, where the turned piece has them', () => {
  assert.deepEqual(planRoom(roomOf(), kind)?.doors, [{ x: 13, y: 20, level: 0 }]);
  assert.deepEqual(planRoom(roomOf({ openDoors: 2 }), kind)?.doors, [{ x: 16, y: 21, level: 0 }]);
  assert.deepEqual(planRoom(roomOf({ turn: 1 }), kind)?.doors, [{ x: 14, y: 23, level: 0 }]);
});

test('storeys below the ground are not there', () => {
  assert.equal(storeysIn().length, 2);
  assert.deepEqual(storeysIn({ floor: 160 - 48 }).map(({ level }) => level), [1]);
  assert.equal(storeysIn({ floor: 0 }).length, 0);
});

test('through an open door one walks into a house, and nowhere else', () => {
  const inside = ({ x, y }: { x: number; y: number }): boolean =>
    x > 10 && x < 17 && y > 20 && y < 25;
  const terrain = terrainOf();
  const through = walk(terrain, { x: 13.5, y: 18, z: 10 }, 0, 4);
  assert.ok(inside(through), `at ${through.x}, ${through.y}`);
  assert.equal(through.z, 10.08);
  for (const x of [11.5, 15.5]) {
    const stopped = walk(terrain, { x, y: 18, z: 10 }, 0, 4);
    assert.ok(!inside(stopped), `at ${stopped.x}, ${stopped.y}`);
  }
  assert.ok(!inside(walk(terrainOf({ openDoors: 0 }), { x: 13.5, y: 18, z: 10 }, 0, 4)));
});

test('a house does not let out through its walls', () => {
  const terrain = terrainOf();
  for (const [dx, dy] of [[20, 0], [-20, 0], [0, 20], [14, 14]] as const) {
    const { x, y } = walk(terrain, { x: 12.5, y: 22.5, z: 10.08 }, dx, dy);
    assert.ok(x > 10 && x < 17 && y > 20 && y < 25, `at ${x}, ${y}`);
  }
});
