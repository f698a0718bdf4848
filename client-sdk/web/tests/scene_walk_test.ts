import assert from 'node:assert/strict';
import { test } from 'node:test';
import { standHeight, walk, type Footing, type Solid, type Terrain } from '../viewer/scene/walk.js';

const body = 0.35;

function terrainOf(
  ground: (x: number, y: number) => number,
  solids: Solid[] = [],
  water?: number,
): Terrain {
  const at = (x: number, y: number): Footing => {
    const height = ground(x, y);
    return { ground: height, water: water !== undefined && water > height ? water : undefined };
  };
  return { ground: at, solids: () => solids };
}

const flat = (): number => 10;
const slopeOf = (degrees: number) => (x: number): number =>
  10 + Math.max(x, 0) * Math.tan((degrees / 180) * Math.PI);
const start = { x: -1, y: 0, z: 10 };

function wall(x0: number, y0: number, x1: number, y1: number, height = 3): Solid {
  return { x0, y0, x1, y1, radius: 0, bottom: 10, top: 10 + height };
}

test('walking keeps feet on the ground, up and down', () => {
  const hills = (x: number, y: number): number => 10 + 3 * Math.sin(x / 4) + 2 * Math.cos(y / 5);
  const terrain = terrainOf(hills);
  let feet = { x: 0, y: 0, z: hills(0, 0) };
  for (let step = 0; step < 100; ++step) {
    feet = walk(terrain, feet, 0.4, 0.3);
    assert.ok(Math.abs(feet.z - hills(feet.x, feet.y)) < 1e-9, `in step ${step}`);
  }
  assert.ok(feet.x > 30 && feet.y > 22, 'somewhere else by now');
});

test('a slope of 55 degrees is climbed, and one of 65 is not', () => {
  assert.ok(walk(terrainOf(slopeOf(55)), start, 6, 0).x > 1);
  const stopped = walk(terrainOf(slopeOf(65)), start, 6, 0);
  assert.ok(stopped.x < 0.26 && stopped.x > -0.3, `stopped at ${stopped.x}`);
});

test('a slope of 65 degrees is gone down', () => {
  const down = walk(terrainOf((x) => 100 - slopeOf(65)(x)), { x: 0, y: 0, z: 90 }, 3, 0);
  assert.ok(down.x > 2.9);
});

test('whoever comes to a steep slope at an angle goes along it', () => {
  const feet = walk(terrainOf(slopeOf(70)), start, 6, 6);
  assert.ok(feet.x < 0.3, `not up to ${feet.x}`);
  assert.ok(feet.y > 5, `along, to ${feet.y}`);
});

test('a wall stops whoever walks straight into it', () => {
  const feet = walk(terrainOf(flat, [wall(2, -5, 3, 5)]), start, 8, 0);
  assert.ok(Math.abs(feet.x - (2 - body)) < 0.01, `stopped at ${feet.x}`);
});

test('along a wall one slides', () => {
  const feet = walk(terrainOf(flat, [wall(2, -50, 3, 50)]), start, 6, 6);
  assert.ok(feet.x <= 2 - body + 0.01 && feet.y > 5.5, `at ${feet.x}, ${feet.y}`);
});

test('a step of a hundred blocks does not lead through a thin wall', () => {
  assert.ok(walk(terrainOf(flat, [wall(2, -500, 2.2, 500)]), start, 100, 0).x < 2);
});

test('a gap of one block in a wall lets through', () => {
  const solids = [wall(2, -9, 3, -0.5), wall(2, 0.5, 3, 9)];
  assert.ok(walk(terrainOf(flat, solids), start, 6, 0).x > 4.9);
});

test('a corner of two walls holds, whichever way one pushes', () => {
  const terrain = terrainOf(flat, [wall(2, -9, 3, 9), wall(-9, 2, 9, 3)]);
  for (const [dx, dy] of [[9, 9], [9, 3], [3, 9]] as const) {
    const feet = walk(terrain, start, dx, dy);
    assert.ok(feet.x < 2 && feet.y < 2, `at ${feet.x}, ${feet.y}`);
  }
});

test('a trunk is gone around, and never entered', () => {
  const trunk: Solid = { x0: 3, y0: 0.1, x1: 3, y1: 0.1, radius: 0.4, bottom: 9, top: 24 };
  const terrain = terrainOf(flat, [trunk]);
  let feet = start;
  for (let step = 0; step < 60; ++step) {
    feet = walk(terrain, feet, 0.2, 0);
    const away = Math.hypot(feet.x - 3, feet.y - 0.1);
    assert.ok(away > trunk.radius + body - 1e-3, `${away} from its middle`);
  }
  assert.ok(feet.x > 4, `only as far as ${feet.x}`);
});

test('whoever is inside of something gets out of it', () => {
  const { x, y } = walk(terrainOf(flat, [wall(-2, -1, 1, 1)]), start, 0, 0);
  assert.ok(x <= -2 - body + 1e-6 || Math.abs(y) >= 1 + body - 1e-6, `at ${x}, ${y}`);
});

test('what is a block high is climbed, and stood upon; what is two blocks high is not', () => {
  const low = walk(terrainOf(flat, [wall(2, -5, 6, 5, 1)]), start, 5, 0);
  assert.equal(low.z, 11);
  const high = walk(terrainOf(flat, [wall(2, -5, 6, 5, 2)]), start, 5, 0);
  assert.equal(high.z, 10);
});

test('what is above the head stops nobody', () => {
  const lintel: Solid = { ...wall(2, -5, 3, 5), bottom: 12.4, top: 13 };
  assert.ok(walk(terrainOf(flat, [lintel]), start, 6, 0).x > 4.9);
});

test('shallow water is waded, and deep water swum at its surface', () => {
  const shore = (x: number): number => 10 - 0.2 * Math.max(x, 0);
  const terrain = terrainOf(shore, [], 10);
  const wading = walk(terrain, start, 5, 0);
  assert.ok(Math.abs(wading.z - shore(wading.x)) < 1e-9);
  const swimming = walk(terrain, start, 40, 0);
  assert.ok(swimming.x > 38 && Math.abs(swimming.z - 8.7) < 1e-9, `at ${swimming.z}`);
  const back = walk(terrain, swimming, -40, 0);
  assert.ok(Math.abs(back.z - 10) < 1e-9 && back.x < 0, 'and on land again');
});

test('steep ground under deep water stops no swimmer', () => {
  assert.ok(walk(terrainOf(slopeOf(75), [], 60), { ...start, z: 58.7 }, 8, 0).x > 6.5);
});

test('where nothing is known nobody goes', () => {
  const terrain: Terrain = {
    ground: (x) => (x < 1 ? { ground: 10 } : undefined),
    solids: () => [],
  };
  assert.ok(walk(terrain, start, 5, 0).x < 1);
  assert.equal(standHeight(terrain, { x: 2, y: 0, z: 0 }), undefined);
});
