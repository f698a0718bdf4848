// Meshes of land made by terrane_core.wasm. Needs TERRANE_CORE_WASM, and TERRANE_TERRANED for a
// world's file.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  type LandChange,
  type LocalExplorer,
  type LocalLand,
  type LocalWorld,
  TerraneCore,
  TerraneHttp,
  type Tile,
  type TileMesh,
} from '../src/index.js';
import { loadCore, noCore } from './local_core.js';
import { noServer, type RealServer, startServer } from './real_server.js';

const skip = noServer || noCore;
const seed = 74n;
const size = 64;

let server: RealServer | undefined;
let core: TerraneCore;
let file: Uint8Array;
let world: LocalWorld;

before(async () => {
  if (skip) return;
  server = await startServer();
  core = await loadCore();
  file = await new TerraneHttp(server!.url).worldFile('continents');
  world = core.openWorld(file);
});

after(() => server?.stop());

const nameOf = ({ lod, x, y }: Tile): string => `${lod}/${x}/${y}`;

/** Puts the tiles of a square in. */
function fill(land: LocalLand, lod: number, from: number, to: number): void {
  for (let y = from; y <= to; ++y) {
    for (let x = from; x <= to; ++x) land.make(world, seed, { lod, x, y });
  }
}

/** What is drawn once all changes are taken. */
function drawAll(land: LocalLand): TileMesh[] {
  const drawn = new Map<string, TileMesh>();
  for (let changes: LandChange[]; (changes = land.takeChanges(64)).length > 0; ) {
    for (const { type, tile } of changes) {
      if (type === 'draw') drawn.set(nameOf(tile), land.mesh(tile));
      else drawn.delete(nameOf(tile));
    }
  }
  return [...drawn.values()];
}

/** The world's blocks and heights of a mesh's vertex. */
function vertex({ origin, positions }: TileMesh, v: number): [number, number, number] {
  return [origin.x + positions[3 * v], origin.y + positions[3 * v + 1], positions[3 * v + 2]];
}

const groundOf = ({ indices, groundIndexCount }: TileMesh) =>
  indices.subarray(0, groundIndexCount);

/** 5 x 5 tiles of full detail, in the middle of coarse ones. */
function twoLevels(): LocalLand {
  const land = core.createLand();
  fill(land, 0, -2, 2);
  fill(land, 1, -3, 2);
  return land;
}

test('meshes of two levels meet exactly, and are where the ground is', { skip }, () => {
  const land = twoLevels();
  assert.equal(land.count, 25 + 36);
  const meshes = drawAll(land);
  const heights = new Map<string, number>();
  for (const mesh of meshes) {
    for (const v of groundOf(mesh)) {
      const [x, y, z] = vertex(mesh, v);
      const known = heights.get(`${x},${y}`);
      assert.ok(known === undefined || known === z, `${nameOf(mesh.tile)} at ${x}, ${y}`);
      heights.set(`${x},${y}`, z);
    }
  }
  // a vertex that only the finer side of an edge has lies on the coarser side's line
  let between = 0;
  for (const mesh of meshes.filter(({ tile }) => tile.lod === 1)) {
    const indices = groundOf(mesh);
    for (let k = 0; k < indices.length; ++k) {
      const next = k % 3 === 2 ? k - 2 : k + 1;
      const [ax, ay, az] = vertex(mesh, indices[k]);
      const [bx, by, bz] = vertex(mesh, indices[next]);
      const middle = heights.get(`${(ax + bx) / 2},${(ay + by) / 2}`);
      if (middle === undefined) continue;
      assert.equal(middle, (az + bz) / 2);
      ++between;
    }
  }
  assert.equal(between, 4 * 5 * (size / 2), 'all around the 5 x 5');
  // and the ground is that of the meshes; it ends where the last tiles do
  const places = [...heights.keys()].map((key) => key.split(',').map(Number));
  const grounds = land.ground(places.map(([x, y]) => ({ x, y })));
  const known = grounds.filter((ground, i) => {
    assert.ok(!ground || ground.height === heights.get(places[i].join()), places[i].join());
    return ground !== undefined;
  });
  const edge = (2 * 6 * size) / 2; // vertices along one of the land's edges
  assert.ok(places.length - known.length <= 2 * edge + 1, `${places.length - known.length}`);
  assert.ok(known.length > 50_000);
  land.close();
});

test('a mesh says what its vertices are', { skip }, () => {
  const land = twoLevels();
  const mesh = land.mesh({ lod: 0, x: 0, y: 0 });
  const { layers } = world.chunk(seed, mesh.tile);
  assert.deepEqual([mesh.tile, mesh.origin], [{ lod: 0, x: 0, y: 0 }, { x: 0, y: 0 }]);
  assert.equal(mesh.exact, true);
  assert.deepEqual([mesh.leftOut, mesh.holes], [0, 0]);
  assert.equal(mesh.groundIndexCount, 6 * size * size);
  const count = mesh.positions.length / 3;
  assert.ok(count > (size + 1) ** 2, 'and skirts');
  assert.ok(mesh.indices.every((index) => index < count));
  assert.deepEqual([mesh.biomes.length, mesh.weights.length], [4 * count, 4 * count]);
  for (let v = 0; v < (size + 1) ** 2; ++v) {
    const [x, y, z] = vertex(mesh, v);
    assert.deepEqual([x, y], [v % (size + 1), Math.floor(v / (size + 1))]);
    if (x < size && y < size) {
      assert.equal(z, layers.height![y * size + x] / 16);
      const biomes = [...mesh.biomes.subarray(4 * v, 4 * v + 4)];
      assert.ok(biomes.includes(layers.biome![y * size + x]), `${x}, ${y}: ${biomes.join()}`);
    }
    const weights = [...mesh.weights.subarray(4 * v, 4 * v + 4)];
    assert.equal(weights.reduce((sum, weight) => sum + weight), 255);
    const normal = mesh.normals.subarray(3 * v, 3 * v + 3);
    assert.ok(Math.abs(Math.hypot(...normal) - 1) < 1e-5 && normal[2] > 0);
    assert.ok(z >= mesh.minZ && z <= mesh.maxZ);
  }
  // clockwise on a map: (b - a) x (c - a) points up
  const [a, b, c] = [...mesh.indices].map((index) => vertex(mesh, index));
  assert.ok((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) > 0);
  land.close();
});

test('meshes of one shape share their indices, and move to a worker as one piece', { skip }, () => {
  const land = twoLevels();
  const [mesh, other] = [land.mesh({ lod: 0, x: 0, y: 0 }), land.mesh({ lod: 0, x: 1, y: 0 })];
  assert.equal(mesh.indices, other.indices);
  const half = land.mesh({ lod: 1, x: 1, y: 0 });
  assert.equal(half.leftOut, 0b0101, 'its western quarters');
  assert.ok(half.indices !== mesh.indices && half.groundIndexCount === mesh.groundIndexCount / 2);
  const { positions, biomes } = structuredClone(mesh, { transfer: [mesh.positions.buffer] });
  assert.equal(mesh.positions.length, 0);
  assert.equal(positions.length / 3, biomes.length / 4);
  assert.ok(other.indices.length > 0);
  land.close();
});

test('water lies where the samples say, and nowhere else', { skip }, () => {
  const sea = tileWith((water) => water > 0 && water < 64 * 64);
  const land = core.createLand();
  land.make(world, seed, sea);
  const { water, origin } = land.mesh(sea);
  assert.ok(water !== undefined);
  const { positions, depths, indices } = water;
  const count = depths.length;
  assert.equal(positions.length, 3 * count);
  assert.ok(indices.length > 0 && indices.every((index) => index < count));
  assert.ok(depths.some((depth) => depth > 0));
  const dry = tileWith((wet) => wet === 0);
  const spacing = 2 ** sea.lod;
  const { layers } = world.chunk(seed, sea);
  let compared = 0;
  for (let v = 0; v < count; ++v) {
    const [x, y, z] = positions.subarray(3 * v, 3 * v + 3);
    if (depths[v] <= 0 || x >= size * spacing || y >= size * spacing) continue;
    assert.equal(z, layers.water![(y / spacing) * size + x / spacing] / 16);
    const [ground] = land.ground([{ x: origin.x + x, y: origin.y + y }]);
    assert.equal(ground!.depth, depths[v]);
    ++compared;
  }
  assert.ok(compared > 0);
  land.make(world, seed, dry);
  assert.equal(land.mesh(dry).water, undefined);
  land.close();
});

/** One of a coarse level, by how many of its samples are wet. */
function tileWith(isRight: (wet: number) => boolean): Tile {
  for (let x = 0; x < 100; ++x) {
    const tile = { lod: 3, x, y: 0 };
    const { layers } = world.chunk(seed, tile, ['height', 'water']);
    const wet = layers.water!.reduce((sum, w, i) => sum + (w > layers.height![i] ? 1 : 0), 0);
    if (isRight(wet)) return tile;
  }
  throw new Error('there is no such tile');
}

/** What is drawn, as squares of half a chunk of full detail, each as often as it is. */
class Drawn {
  private readonly squares = new Map<string, string[]>();

  act(land: LocalLand, { type, tile }: LandChange): void {
    this.squares.delete(nameOf(tile));
    if (type === 'draw') this.squares.set(nameOf(tile), squaresOf(tile, land.mesh(tile).leftOut));
  }

  all(): string[] {
    return [...this.squares.values()].flat();
  }
}

function squaresOf({ lod, x, y }: Tile, leftOut = 0): string[] {
  const edge = 2 ** lod;
  const squares: string[] = [];
  for (let j = 0; j < 2 * edge; ++j) {
    for (let i = 0; i < 2 * edge; ++i) {
      const quarter = 2 * (j >= edge ? 1 : 0) + (i >= edge ? 1 : 0);
      if ((leftOut & (1 << quarter)) !== 0) continue;
      squares.push(`${2 * edge * x + i},${2 * edge * y + j}`);
    }
  }
  return squares;
}

/** Makes what is in view; and knows what is at hand. */
function follow(explorer: LocalExplorer, held: Map<string, Tile>): void {
  while (explorer.work());
  for (const event of explorer.poll()) {
    if (event.type === 'chunk') held.set(nameOf(event.tile), event.tile);
    else held.delete(nameOf(event.tile));
  }
}

test('a walk never opens a hole, and draws everything once in the end', { skip }, () => {
  const explorer = world.explore({ seed, viewDistances: [2, 2, 2] });
  const held = new Map<string, Tile>();
  const drawn = new Drawn();
  for (let step = 0; step < 12; ++step) {
    explorer.move({ x: 48 * step, y: 20 * step });
    follow(explorer, held);
    const atHand = new Set([...held.values()].flatMap((tile) => squaresOf(tile)));
    const before = drawn.all().filter((square) => atHand.has(square));
    // two at a time, as a frame that has little time does
    for (let changes: LandChange[]; (changes = explorer.land.takeChanges(2)).length > 0; ) {
      for (const change of changes) drawn.act(explorer.land, change);
      const now = new Set(drawn.all());
      assert.ok(before.every((square) => now.has(square)), `step ${step}`);
    }
    const all = drawn.all();
    assert.equal(new Set(all).size, all.length, 'nothing is drawn twice');
    assert.deepEqual(all.sort(), [...atHand].sort());
  }
  explorer.close();
  assert.throws(() => explorer.land.takeChanges(), { status: 'FAILED_PRECONDITION' });
});

test('a land takes chunks as servers send them', { skip }, () => {
  const tile = { lod: 2, x: 3, y: -2 };
  const [land, made] = [core.createLand(), core.createLand()];
  made.make(world, seed, tile);
  land.put(tile, world.encodedChunk(seed, tile));
  assert.deepEqual(land.mesh(tile), made.mesh(tile));
  assert.equal(land.count, 1);
  land.remove({ ...tile, x: 4 });
  assert.equal(land.count, 1);
  land.remove(tile);
  assert.equal(land.count, 0);
  assert.throws(() => land.mesh(tile), { status: 'NOT_FOUND', message: /\(3, -2\) of lod 2/ });
  for (const one of [land, made]) one.close();
});

test('what makes no sense is refused by name', { skip }, async () => {
  const land = core.createLand();
  const tile = { lod: 0, x: 0, y: 0 };
  assert.throws(() => land.put(tile, new Uint8Array([1, 2, 3])), { name: 'FormatError' });
  assert.throws(() => land.put({ ...tile, lod: 1 }, world.encodedChunk(seed, tile)), {
    name: 'FormatError',
  });
  assert.throws(() => land.make(world, seed, { ...tile, lod: 99 }), { status: 'OUT_OF_RANGE' });
  assert.throws(() => land.mesh({ ...tile, x: 0.5 }), { field: 'tile.x' });
  assert.throws(() => land.takeChanges(0), { field: 'most', limit: 'an integer from 1 to 65536' });
  const other = (await loadCore()).openWorld(file);
  assert.throws(() => land.make(other, seed, tile), { message: /another TerraneCore/ });
  other.close();
  const explorer = world.explore({ seed, viewDistances: [1] });
  assert.throws(() => explorer.land.make(world, seed, tile), { message: /explorer's/ });
  explorer.close();
  land.close();
  land.close();
  assert.throws(() => land.count, { status: 'FAILED_PRECONDITION', message: 'the land is closed' });
});

test('1,000 meshes leave no memory behind once they are closed', { skip }, async () => {
  const fresh = await loadCore();
  const one = fresh.openWorld(file);
  const draw = (rounds: number): number => {
    let meshes = 0;
    for (let round = 0; round < rounds; ++round) {
      const explorer = one.explore({ seed, viewDistances: [3, 2], keptChunks: 8 });
      explorer.move({ x: 0, y: 640 * (round % 5) });
      follow(explorer, new Map());
      meshes += drawAll(explorer.land).length;
      explorer.close();
      const land = fresh.createLand();
      land.make(one, seed, { lod: 0, x: round % 5, y: 0 });
      meshes += drawAll(land).length;
      land.close();
    }
    return meshes;
  };
  draw(70); // by then pieces of all sizes have found their places
  const before = fresh.memoryBytes;
  const meshes = draw(40);
  assert.ok(meshes >= 1000, `${meshes}`);
  assert.equal(fresh.memoryBytes, before);
});
