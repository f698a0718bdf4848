// How long decodeChunk takes, warmed up: `npm run bench -- URL`, where URL is a server's HTTP port.
// Without one it takes chunks of tests/golden/codec, which are harder than those of a world.
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

async function chunksOfServer(library, url) {
  const http = new library.TerraneHttp(url);
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

const library = await loadLibrary();
const url = process.argv[2];
const chunks = url === undefined ? chunksOfVectors() : await chunksOfServer(library, url);
const passes = Math.ceil(1500 / chunks.length);
const means = [];
const each = chunks.map(() => []);
for (let round = 0; round < rounds; ++round) {
  const begin = performance.now();
  for (let pass = 0; pass < passes; ++pass) for (const chunk of chunks) library.decodeChunk(chunk);
  means.push(((performance.now() - begin) * 1000) / passes / chunks.length);
  chunks.forEach((chunk, i) => {
    const start = performance.now();
    library.decodeChunk(chunk);
    each[i].push((performance.now() - start) * 1000);
  });
}
const bytes = chunks.reduce((sum, chunk) => sum + chunk.length, 0) / chunks.length;
const medians = each.map(median).sort((a, b) => a - b);
console.log(
  `${chunks.length} chunks of ${bytes.toFixed(0)} bytes on average, node ${process.version}`,
);
console.log(
  `mean of all chunks, median of ${rounds} rounds: ${median(means).toFixed(1)} µs a chunk`,
);
console.log(
  `single chunks: median ${median(medians).toFixed(1)} µs, ` +
    `p90 ${medians[Math.floor(medians.length * 0.9)].toFixed(1)} µs`,
);
