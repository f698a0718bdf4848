import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BufferGeometry, InstancedBufferGeometry, Mesh } from 'three';
import type { PlacementKindInfo, World } from '../src/index.js';
import { makeAir } from '../viewer/scene/air.js';
import { noiseTexture } from '../viewer/scene/noise_texture.js';
import { detailAt } from '../viewer/scene/plant_detail.js';
import { inGround, plantsOf, type Plant } from '../viewer/scene/plant.js';
import { Plants } from '../viewer/scene/plants.js';
import type { Detail } from '../viewer/scene/plant_shapes.js';
import { chunkAt, size } from './scene_land.js';

const kinds = [
  { id: 0, name: 'oak', color: 0x406030, radius: 56, height: 208 },
  { id: 1, name: 'spruce', color: 0x305030, radius: 32, height: 256 },
  { id: 2, name: 'boulder', color: 0x808080, radius: 16, height: 20 },
] as PlacementKindInfo[];
const world = { placementKinds: kinds } as World;
const air = makeAir(noiseTexture(), 1000);
const plants = new Plants(world, air, true);
const instanced = new Plants(world, air, false);

const oak: Plant = { x: 10, y: 20, z: 30, kind: 0, turn: 0, scale: 1 };

function drawn(list: Plant[], detail: Detail): BufferGeometry {
  return (plants.draw(list, detail) as Mesh).geometry;
}

/** The corners of what is drawn, relative to the middle of the plant's block. */
function cornersOf(plant: Plant): [number, number, number][] {
  const { array } = drawn([plant], 'near').getAttribute('position');
  const corners: [number, number, number][] = [];
  for (let k = 0; k < array.length; k += 3) {
    corners.push([
      array[k] - plant.x - 0.5,
      array[k + 1] - plant.z + inGround,
      array[k + 2] - plant.y - 0.5,
    ]);
  }
  return corners;
}

function topOf(plant: Plant): number {
  return Math.max(...cornersOf(plant).map(([, up]) => up));
}

test('a plant stands in the middle of its block, about as high and wide as its kind', () => {
  const corners = cornersOf(oak);
  const widest = Math.max(...corners.map(([x, , z]) => Math.hypot(x, z)));
  assert.ok(Math.abs(topOf(oak) - 13) < 1, `${topOf(oak)} high`);
  assert.ok(widest > 2.8 && widest < 4.2, `${widest} wide`);
  assert.ok(Math.min(...corners.map(([, up]) => up)) > -1, 'not far into the ground');
});

test('half the scale is half the size', () => {
  const whole = cornersOf(oak);
  cornersOf({ ...oak, scale: 0.5 }).forEach((corner, at) => {
    corner.forEach((part, k) => assert.ok(Math.abs(part - whole[at][k] / 2) < 1e-4));
  });
});

test('a quarter turn takes +x to +y, and leaves heights', () => {
  const before = cornersOf(oak);
  cornersOf({ ...oak, turn: Math.PI / 2 }).forEach(([x, up, z], at) => {
    const [x0, up0, z0] = before[at];
    assert.ok(Math.hypot(x + z0, up - up0, z - x0) < 1e-4, `corner ${at}`);
  });
});

test('normals are as long as one, and turn with the plant', () => {
  const normalsOf = (plant: Plant): ArrayLike<number> =>
    drawn([plant], 'far').getAttribute('bearing').array;
  const [before, after] = [normalsOf(oak), normalsOf({ ...oak, turn: Math.PI })];
  for (let k = 0; k < before.length; k += 4) {
    assert.ok(Math.abs(Math.hypot(before[k], before[k + 1], before[k + 2]) - 127) < 3);
    assert.ok(Math.abs(before[k] + after[k]) <= 2 && Math.abs(before[k + 2] + after[k + 2]) <= 2);
  }
});

test('many plants are one mesh, in which each has its own vertices', () => {
  const one = drawn([oak], 'far');
  const two = drawn([oak, { ...oak, x: 40 }], 'far');
  const count = one.getAttribute('position').count;
  assert.equal(two.getAttribute('position').count, 2 * count);
  const index = Array.from(two.getIndex()!.array);
  const half = index.length / 2;
  assert.ok(index.slice(0, half).every((at) => at < count));
  assert.ok(index.slice(half).every((at, k) => at === index[k] + count));
});

test('a plant far away is a rectangle of its size around the middle of its height', () => {
  const geometry = drawn([{ ...oak, scale: 2 }], 'speck');
  const position = Array.from(geometry.getAttribute('position').array);
  assert.deepEqual([position[0], position[2]], [10.5, 20.5]);
  assert.ok(Math.abs(position[1] - (30 - inGround + 13)) < 1e-5);
  const [radius, height] = geometry.getAttribute('size').array;
  assert.deepEqual([radius, height], [7, 26]);
  const corners = Array.from(geometry.getAttribute('corner').array).join();
  assert.equal(corners, '-1,-1,1,-1,-1,1,1,1');
});

test('instances put the corners of their shape where the merged mesh has them', () => {
  for (const detail of ['near', 'far'] as const) {
    const plant: Plant = { ...oak, turn: 1.1, scale: 0.7 };
    const merged = drawn([plant], detail).getAttribute('position');
    const [mesh] = instanced.draw([plant], detail)!.children as Mesh[];
    const of = (name: string): number[] => Array.from(mesh.geometry.getAttribute(name).array);
    const [x, y, z, turn] = of('place');
    const [radius, height] = of('size');
    const shape = of('position');
    const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
    assert.equal(shape.length, 3 * merged.count);
    for (let k = 0; k < merged.count; ++k) {
      const [a, c] = [radius * shape[3 * k], radius * shape[3 * k + 2]];
      const b = height * shape[3 * k + 1];
      const at = [x + cos * a - sin * c, y + b, z + sin * a + cos * c];
      const expected = [merged.getX(k), merged.getY(k), merged.getZ(k)];
      const off = Math.hypot(...at.map((part, axis) => part - expected[axis]));
      assert.ok(off < 1e-4, `corner ${k} is ${off} off`);
    }
  }
});

test('instances are one mesh for each shape, which share its corners', () => {
  const list = [oak, { ...oak, x: 40 }, { ...oak, kind: 1 }, { ...oak, kind: 2 }];
  const meshes = instanced.draw(list, 'near')!.children as Mesh[];
  const counts = meshes.map(({ geometry }) => (geometry as InstancedBufferGeometry).instanceCount);
  assert.deepEqual(counts.sort(), [1, 1, 2]);
  const again = instanced.draw([oak], 'near')!.children as Mesh[];
  const positions = meshes.map(({ geometry }) => geometry.getAttribute('position'));
  assert.ok(positions.includes(again[0].geometry.getAttribute('position')));
});

test('what is no known kind is not drawn', () => {
  assert.equal(plants.draw([{ ...oak, kind: 9 }], 'far'), undefined);
});

test('placements stand on the ground of their block', () => {
  const chunk = chunkAt(0, 0, 0);
  chunk.placements.push({ x: 7, y: 9, kind: 1, turn: 64, scale: 150 });
  const [plant] = plantsOf(chunk);
  assert.equal(plant.z, chunk.layers.height![9 * size + 7] / 16);
  assert.ok(Math.abs(plant.turn - Math.PI / 2) < 1e-9);
  assert.equal(plant.scale, 1.5);
});

test('plants lose detail as they are farther away, and sooner where more error is allowed', () => {
  const order = ['near', 'far', 'speck'];
  for (const tolerance of [0.001, 0.003, 0.01]) {
    let last = 0;
    for (let away = 0; away < 2000; away += 5) {
      const rank = order.indexOf(detailAt(away, tolerance));
      assert.ok(rank >= last, `at ${away}`);
      assert.ok(rank >= order.indexOf(detailAt(away, tolerance / 2)), `at ${away}`);
      last = rank;
    }
    assert.equal(last, 2);
  }
});

test('a detail that is drawn stays while the eye goes to and fro at its limit', () => {
  let limit = 0;
  while (detailAt(limit, 0.005) !== 'speck') limit += 1;
  assert.equal(detailAt(limit + 5, 0.005, 'far'), 'far');
  assert.equal(detailAt(limit + 5, 0.005, 'speck'), 'speck');
  assert.equal(detailAt(limit * 1.5, 0.005, 'far'), 'speck');
});
