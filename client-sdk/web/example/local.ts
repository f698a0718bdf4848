// Makes land without a server, and prints a map of it:
//   curl -o continents.world http://127.0.0.1:4151/v1/worlds/continents/file    (once)
//   npm run example:local -- PATH/terrane_core.wasm continents.world [SEED]
import { readFile } from 'node:fs/promises';
import { noWater, TerraneCore } from '@terrane/client';

const [wasmFile, worldFile, seed = '7'] = process.argv.slice(2);
if (wasmFile === undefined || worldFile === undefined) {
  console.error('usage: npm run example:local -- TERRANE_CORE_WASM WORLD_FILE [SEED]');
  process.exit(2);
}
const core = await TerraneCore.load(await readFile(wasmFile)); // in browsers: load('URL')
const world = core.openWorld(await readFile(worldFile));
const { title, biomes, maxLod } = world.info;
console.log(`${title}, seed ${seed}`);

// one coarse chunk, whose samples are 2^lod blocks apart: every second row, as letters are tall
const lod = Math.min(4, maxLod);
const { size, layers } = world.chunk(seed, { lod, x: 0, y: 0 });
const heights = layers.height!;
const highest = heights.reduce((most, height) => Math.max(most, height));
for (let j = 0; j < size; j += 2) {
  let row = '';
  for (let i = 0; i < size; ++i) {
    const height = heights[j * size + i];
    const water = layers.water?.[j * size + i] ?? noWater;
    row += water > height ? '~' : '.:-=+*#%@'[Math.max(0, Math.floor((height / highest) * 8))];
  }
  console.log(row);
}

// what is at a block, in full detail
const points = world.points(seed, [{ x: 0, y: 0 }]);
console.log(`at 0, 0: ${points.height[0] / 16} blocks high, ${biomes[points.biome[0]]?.name}`);

// how fast chunks are made
const begin = performance.now();
let placements = 0;
for (let i = 0; i < 64; ++i) {
  placements += world.chunk(seed, { lod: 0, x: i % 8, y: i >> 3 }).placements.length;
}
const each = (performance.now() - begin) / 64;
console.log(`64 chunks with ${placements} trees and rocks, ${each.toFixed(2)} ms each`);

// what is to be drawn of a tile
const tile = { lod: 0, x: 0, y: 0 };
const land = core.createLand();
land.make(world, seed, tile);
const { positions, indices } = land.mesh(tile);
console.log(`a mesh of ${positions.length / 3} vertices and ${indices.length / 3} triangles`);
land.close();
world.close();
