// How long decoding and making chunks takes, warmed up: `npm run bench -- URL [terrane_core.wasm]`,
// where URL is a server's HTTP port. Without one it takes chunks of tests/golden/codec, which are
// harder than those of a world. With the module it decodes with that as well, turn by turn, and
// makes chunks of the server's worlds.
import { build } from 'esbuild';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const web = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const rounds = 15;

async function loadLibrary() {
  const outfile = path.join(web, 'node_modules/.bench/terrane.mjs');
  await build({
    entryPoints: [path.join(web, 'src/index.ts')],
    outfile,
    bundle: true,
    format: 'esm',
    target: 'es2020',
  });
  return import(pathToFileURL(outfile).href);
}

async function chunksOfServer(http) {
  const { world } = await http.world('continents');
  const chunks = [];
  for (const seed of ['1', '7', '42']) {
    for (const [x, y] of [
      [0, 0],
      [3, -2],
      [-5, 4],
      [20, 11],
    ]) {
      const variant = { world: 'continents', seed, fingerprint: world.fingerprint };
      const entries = await http.bundle(variant, { lod: 0, x, y });
      for (const { bytes } of entries) if (bytes !== undefined) chunks.push(bytes.slice());
    }
  }
  return chunks;
}

function chunksOfVectors() {
  const dir = path.join(web, '../../tests/golden/codec');
  return readdirSync(dir)
    .filter((file) => file.endsWith('_64.bin'))
    .map((file) => new Uint8Array(readFileSync(path.join(dir, file))));
}

const median = (numbers) => numbers.sort((a, b) => a - b)[numbers.length >> 1];

/** Decodes all chunks with each decoder in turn, several times; prints what a chunk takes. */
function benchDecoders(chunks, decoders) {
  const passes = Math.ceil(1500 / chunks.length);
  const times = decoders.map(() => ({ means: [], each: chunks.map(() => []) }));
  for (let round = 0; round < rounds; ++round) {
    decoders.forEach(({ decode }, d) => {
      const begin = performance.now();
      for (let pass = 0; pass < passes; ++pass) for (const chunk of chunks) decode(chunk);
      times[d].means.push(((performance.now() - begin) * 1000) / passes / chunks.length);
      chunks.forEach((chunk, i) => {
        const start = performance.now();
        decode(chunk);
        times[d].each[i].push((performance.now() - start) * 1000);
      });
    });
  }
  const bytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0) / chunks.length;
  console.log(
    `${chunks.length} chunks of ${bytes.toFixed(0)} bytes on average, node ${process.version}`,
  );
  decoders.forEach(({ name }, d) => {
    const medians = times[d].each.map(median).sort((a, b) => a - b);
    console.log(
      `${name}: ${median(times[d].means).toFixed(1)} µs a chunk (mean of all chunks, median of ` +
        `${rounds} rounds); single chunks: median ${median(medians).toFixed(1)} µs, ` +
        `p90 ${medians[Math.floor(medians.length * 0.9)].toFixed(1)} µs`,
    );
  });
}

/** Makes other chunks in every round, as a viewer who walks does; prints what a chunk takes. */
async function benchMaking(core, http) {
  for (const { name } of (await http.worlds()).worlds) {
    const world = core.openWorld(await http.worldFile(name));
    const coarse = Math.min(4, world.info.maxLod);
    const figures = [0, coarse].map((lod) => {
      const means = [];
      for (let round = 0; round < rounds; ++round) {
        const begin = performance.now();
        for (let i = 0; i < 64; ++i) {
          world.chunk(7n, { lod, x: 8 * round + (i % 8), y: i >> 3 });
        }
        means.push((performance.now() - begin) / 64);
      }
      const mean = median(means);
      return `lod ${lod} ${mean.toFixed(2)} ms (${(1000 / mean).toFixed(0)} a second)`;
    });
    console.log(`making chunks of ${name}: ${figures.join(', ')}`);
    console.log(`meshes of ${name}: ${(1000 * benchMeshes(core, world)).toFixed(0)} µs each`);
    world.close();
  }
}

/** @returns milliseconds that a mesh takes */
function benchMeshes(core, world) {
  const tiles = Array.from({ length: 64 }, (_, i) => ({ lod: 0, x: i % 8, y: i >> 3 }));
  const land = core.createLand();
  for (const tile of tiles) land.make(world, 7n, tile);
  const means = Array.from({ length: rounds }, () => {
    const begin = performance.now();
    for (const tile of tiles) land.mesh(tile);
    return (performance.now() - begin) / tiles.length;
  });
  land.close();
  return median(means);
}

const library = await loadLibrary();
const [url, wasm] = process.argv.slice(2);
const http = url === undefined ? undefined : new library.TerraneHttp(url);
const chunks = http === undefined ? chunksOfVectors() : await chunksOfServer(http);
const core = wasm === undefined ? undefined : await library.TerraneCore.load(readFileSync(wasm));
const decoders = [{ name: 'decodeChunk', decode: (bytes) => library.decodeChunk(bytes) }];
if (core !== undefined) {
  decoders.push({ name: 'TerraneCore.decode', decode: (bytes) => core.decode(bytes) });
}
benchDecoders(chunks, decoders);
if (core !== undefined && http !== undefined) await benchMaking(core, http);
