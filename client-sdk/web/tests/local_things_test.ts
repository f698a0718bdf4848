// What stands on land made by terrane_core.wasm, rooms, rays and what players dig. Needs
// TERRANE_CORE_WASM, and TERRANE_TERRANED for a world's file.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  type Body,
  type DecodedChunk,
  firstBlock,
  type LocalLand,
  type LocalWorld,
  type Obstacle,
  type Room,
  TerraneCore,
  TerraneHttp,
  type Tile,
  tileAt,
} from '../src/index.js';
import { loadCore, noCore } from './local_core.js';
import { noServer, type RealServer, startServer } from './real_server.js';

const skip = noServer || noCore;
const seed = 74n;
const size = 64;
const down = { x: 0, y: 0, height: -1 };

let server: RealServer | undefined;
let core: TerraneCore;
let world: LocalWorld;
/** The land around a structure, its rooms, and where these are. */
let land: LocalLand;
let rooms: { room: Room; tile: Tile }[] = [];
let chunks: { tile: Tile; chunk: DecodedChunk }[] = [];

before(async () => {
  if (skip) return;
  server = await startServer();
  core = await loadCore();
  world = core.openWorld(await new TerraneHttp(server!.url).worldFile('continents'));
  land = core.createLand();
  const middle = structureNear();
  for (let j = -1; j <= 1; ++j) {
    for (let i = -1; i <= 1; ++i) {
      const tile = { lod: 0, x: middle.x + i, y: middle.y + j };
      land.make(world, seed, tile);
      chunks.push({ tile, chunk: world.chunk(seed, tile) });
    }
  }
  rooms = chunks.flatMap(({ tile, chunk }) => chunk.rooms.map((room) => ({ room, tile })));
});

after(() => server?.stop());

/** The tile of a structure with several rooms. */
function structureNear(): Tile {
  for (let x = 0; x < 100; ++x) {
    const tile = { lod: 4, x, y: 0 };
    const { structures } = world.chunk(seed, tile, ['structures']);
    const found = structures.find((structure) => structure.rooms > 2);
    if (found === undefined) continue;
    const first = firstBlock(tile, size);
    return tileAt(first.x + found.x, first.y + found.y, 0, size);
  }
  throw new Error('there is no structure');
}

/** A place in the middle of the land, which nothing stands on. */
function middleOf(): { x: number; y: number } {
  const first = firstBlock(chunks[4].tile, size);
  return { x: first.x + 20.25, y: first.y + 30.75 };
}

test('a ray down meets the ground where that is', { skip }, () => {
  const { x, y } = middleOf();
  const [ground] = land.ground([{ x, y }]);
  const hit = land.ray({ x, y, height: 900 }, down, 1000);
  assert.ok(hit && ground);
  assert.deepEqual([hit.x, hit.y], [x, y]);
  assert.ok(Math.abs(hit.height - ground.height) < 1e-6);
  assert.ok(Math.abs(hit.distance - (900 - hit.height)) < 1e-6);
  hit.normal.forEach((part, k) => assert.ok(Math.abs(part - ground.normal[k]) < 1e-5));
  const across = land.ray({ x, y, height: 900 }, { x: 3, y: -2, height: -100 }, 2000);
  const [below] = land.ground([across!]);
  assert.ok(Math.abs(across!.height - below!.height) < 1e-3);
});

test('rays that meet nothing say so, and those that are none are refused', { skip }, () => {
  const from = { ...middleOf(), height: 900 };
  assert.equal(land.ray(from, down, 10), undefined);
  assert.equal(land.ray(from, { x: 0, y: 0, height: 1 }, 1000), undefined);
  assert.equal(land.ray({ x: 1e7, y: 1e7, height: 900 }, down, 1000), undefined);
  const refused = (message: RegExp) => ({ status: 'INVALID_ARGUMENT', message });
  assert.throws(() => land.ray(from, { x: 0, y: 0, height: 0 }, 10), refused(/length 0/));
  assert.throws(() => land.ray({ ...from, x: NaN }, down, 10), refused(/from\[0\] is no number/));
  assert.throws(() => land.ray(from, down, 1e9), refused(/distance is 1000000000/));
});

test('placements are those of the chunks, the nearest first', { skip }, () => {
  const at = middleOf();
  const expected = chunks
    .flatMap(({ tile, chunk }) => {
      const first = firstBlock(tile, size);
      return chunk.placements.map((p) => ({ ...p, x: first.x + p.x, y: first.y + p.y }));
    })
    .filter(({ x, y }) => Math.hypot(x - at.x, y - at.y) <= 40);
  const found = land.placements(at, 40, 10_000);
  assert.ok(found.length > 0);
  const distances = found.map(({ x, y }) => Math.hypot(x - at.x, y - at.y));
  assert.deepEqual(distances, [...distances].sort((a, b) => a - b));
  const inOrder = (list: typeof found) => [...list].sort((a, b) => a.y - b.y || a.x - b.x);
  assert.deepEqual(inOrder(found), inOrder(expected));
  assert.deepEqual(land.placements(at, 40, 1), found.slice(0, 1));
  assert.deepEqual(land.placements({ x: 1e6, y: 0 }, 40), []);
  assert.throws(() => land.placements(at, 40, -1), { field: 'most' });
});

test('rooms come as boxes that do not overlap, with a floor for each storey', { skip }, () => {
  assert.ok(rooms.length > 2);
  for (const { room } of rooms) {
    const { pieces, storey } = world.info.structureKinds[room.kind];
    const piece = pieces[room.piece];
    const boxes = world.roomBoxes(room);
    const floors = boxes.filter(({ part }) => part === 'floor');
    assert.ok(boxes.some(({ part }) => part === 'wall'));
    for (let level = 0; level < piece.levels; ++level) {
      const floor = floors.find((box) => box.level === level);
      assert.equal(floor!.top, (room.floor + level * storey) / 16);
    }
    const isTurned = room.turn % 2 === 1;
    const [width, depth] = isTurned ? [piece.depth, piece.width] : [piece.width, piece.depth];
    for (const { from, to, bottom, top } of boxes) {
      assert.ok(from.x >= room.x && to.x <= room.x + width, 'within the room');
      assert.ok(from.y >= room.y && to.y <= room.y + depth, 'within the room');
      assert.ok(from.x < to.x && from.y < to.y && bottom < top);
    }
    const isApart = (a: (typeof boxes)[0], b: (typeof boxes)[0]) =>
      a.to.x <= b.from.x ||
      b.to.x <= a.from.x ||
      a.to.y <= b.from.y ||
      b.to.y <= a.from.y ||
      a.top <= b.bottom ||
      b.top <= a.bottom;
    boxes.forEach((a, i) => boxes.slice(i + 1).forEach((b) => assert.ok(isApart(a, b))));
  }
});

/** Moves a body out of everything. @returns what it was in at first */
function pushOut(body: Body): Obstacle | undefined {
  const [[met]] = land.obstacles(world, [body], 1);
  let first = met;
  for (let k = 0; k < 8 && first !== undefined && first.distance < 0; ++k) {
    body.x += first.pushX;
    body.y += first.pushY;
    body.bottom += first.pushUp;
    [[first]] = land.obstacles(world, [body], 1);
  }
  assert.ok(first === undefined || first.distance >= 0, 'nothing holds it any more');
  return met;
}

test('who stands in a wall is told of it, and gets out', { skip }, () => {
  const { room, tile } = rooms[0];
  const first = firstBlock(tile, size);
  const wall = world.roomBoxes(room).find(({ part }) => part === 'wall')!;
  const middle = (from: number, to: number): number => (from + to) / 2;
  const body: Body = {
    x: first.x + middle(wall.from.x, wall.to.x),
    y: first.y + middle(wall.from.y, wall.to.y),
    bottom: wall.bottom,
    radius: 0.3,
    height: 1.8,
  };
  const met = pushOut(body)!;
  assert.ok(met.distance < 0);
  assert.deepEqual(met.of, { x: first.x + room.structureX, y: first.y + room.structureY });
  assert.equal(met.kind, room.kind);
});

test('trees are in the way, each by its trunk, and many bodies are asked at once', { skip }, () => {
  const at = middleOf();
  const solid = land.placements(at, 90, 10_000).flatMap(({ x, y, kind }) => {
    const [ground] = land.ground([{ x, y }]);
    const body = { x, y, bottom: ground!.height, radius: 0.3, height: 1.8, reach: 2 };
    const [[met]] = land.obstacles(world, [body], 1);
    return met && met.of.x === x && met.of.y === y ? [{ body, met, kind }] : [];
  });
  assert.ok(solid.length > 3);
  for (const { met, kind } of solid) {
    assert.ok(met.part === 'trunk' || met.part === 'rock');
    assert.equal(met.kind, kind);
    assert.ok(met.halfX > 0 && met.halfX === met.halfY && met.top > met.bottom);
  }
  const bodies = solid.map(({ body }) => body);
  const together = land.obstacles(world, bodies, 3);
  assert.equal(together.length, bodies.length);
  together.forEach(([met], i) => assert.deepEqual(met, solid[i].met));
  assert.deepEqual(land.obstacles(world, [{ ...bodies[0], x: NaN }]), [[]]);
  assert.deepEqual(land.obstacles(world, []), []);
});

test('players dig: meshes, the ground and placements follow, and go back', { skip }, () => {
  const own = core.createLand();
  const { tile } = chunks[4];
  own.make(world, seed, tile);
  while (own.takeChanges().length > 0);
  const first = firstBlock(tile, size);
  const block = { x: first.x + 10, y: first.y + 12 };
  const [tree] = own.placements(middleOf(), 200);
  const anchor = { x: tree.x, y: tree.y };
  const [asItWas] = own.ground([block]);
  own.patch([
    { block, height: 16 * 500, hole: true },
    { block: anchor, noPlacement: true },
  ]);
  assert.deepEqual(own.takeChanges(), [{ type: 'draw', tile }]);
  const [ground] = own.ground([block]);
  assert.deepEqual([ground!.height, ground!.hole], [500, true]);
  const mesh = own.mesh(tile);
  assert.equal(mesh.holes, 1);
  assert.equal(mesh.groundIndexCount, 6 * (size * size - 1));
  assert.ok(mesh.maxZ >= 500);
  const isThere = () => own.placements(anchor, 0.5).length === 1;
  assert.equal(isThere(), false);
  own.patch([{ block }, { block: anchor }]);
  assert.deepEqual(own.ground([block]), [asItWas]);
  assert.equal(own.mesh(tile).groundIndexCount, 6 * size * size);
  assert.equal(isThere(), true);
  assert.throws(() => own.patch([{ block, height: 0.5 }]), { field: 'patches[0].height' });
  assert.throws(() => own.patch([{ block, height: 16 * 40_000 }]), { status: 'OUT_OF_RANGE' });
  own.patch([]);
  own.close();
});

test('holes for rooms are where the ground would lie in them', { skip }, () => {
  for (const { room, tile } of rooms) {
    const first = firstBlock(tile, size);
    const kind = world.info.structureKinds[room.kind];
    const top = room.floor / 16 + (kind.pieces[room.piece].levels * kind.storey) / 16;
    for (const { block, hole } of land.roomHoles(world, tile, room)) {
      assert.equal(hole, true);
      assert.ok(block.x >= first.x + room.x - 1 && block.y >= first.y + room.y - 1);
      const [ground] = land.ground([block]);
      assert.ok(ground!.height < top + 16);
    }
  }
});

test('far forests stand on their tile', { skip }, () => {
  const own = core.createLand();
  let trees = 0;
  for (let x = 0; x < 6; ++x) {
    const tile = { lod: 3, x, y: 0 };
    own.make(world, seed, tile);
    const { origin, minZ, maxZ } = own.mesh(tile);
    for (const tree of own.farTrees(world, tile, 1024)) {
      assert.ok(tree.x >= 0 && tree.x <= size * 8 && tree.y >= 0 && tree.y <= size * 8);
      assert.ok(tree.z >= minZ && tree.z <= maxZ && tree.trees > 0 && tree.height > 0);
      const [ground] = own.ground([{ x: origin.x + tree.x, y: origin.y + tree.y }]);
      assert.ok(Math.abs(ground!.height - tree.z) < 0.01);
      assert.ok(tree.kind < world.info.placementKinds.length);
      ++trees;
    }
  }
  assert.ok(trees > 0);
  assert.deepEqual(own.farTrees(world, { lod: 3, x: 99, y: 0 }), []);
  assert.throws(() => own.farTrees(world, { lod: 3, x: 0, y: 0 }, 3), { field: 'most' });
  own.close();
});
