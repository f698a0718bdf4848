// example/local.ts as people run it. Needs TERRANE_CORE_WASM, and TERRANE_TERRANED for a world's
// file.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { TerraneHttp } from '../src/index.js';
import { noCore } from './local_core.js';
import { noServer, type RealServer, startServer } from './real_server.js';

declare const TERRANE_ROOT: string;

const skip = noServer || noCore;
const run = promisify(execFile);
const runner = path.join(TERRANE_ROOT, 'client-sdk/web/example/run.mjs');

let server: RealServer | undefined;
let directory = '';

before(async () => {
  if (skip) return;
  server = await startServer();
  directory = await mkdtemp(path.join(tmpdir(), 'terrane-local-'));
});

after(async () => {
  await server?.stop();
  if (directory !== '') await rm(directory, { recursive: true });
});

test('the example without a server prints a map and the ground at a block', { skip }, async () => {
  const http = new TerraneHttp(server!.url);
  const { world } = await http.world('continents');
  const variant = { world: world.name, seed: '74', fingerprint: world.fingerprint };
  const { height, biome } = await http.points(variant, [{ x: 0, y: 0 }]);
  const file = path.join(directory, 'continents.world');
  await writeFile(file, await http.worldFile('continents'));

  const { stdout } = await run(process.execPath, [
    ...[runner, 'local'],
    ...[process.env['TERRANE_CORE_WASM']!, file, '74'],
  ]);
  const lines = stdout.trimEnd().split('\n');
  assert.equal(lines[0], 'Continents, seed 74');
  const map = lines.slice(1, 33);
  for (const row of map) assert.match(row, /^[~.:=+*#%@-]{64}$/);
  assert.ok(new Set(map.join('')).size > 3, stdout);
  const name = world.biomes[biome[0]].name;
  assert.equal(lines[33], `at 0, 0: ${height[0] / 16} blocks high, ${name}`);
  assert.match(lines[34], /^64 chunks with [0-9]+ trees and rocks, [0-9.]+ ms each$/);
  assert.match(lines[35], /^a mesh of [0-9]+ vertices and [0-9]+ triangles$/);
  assert.equal(lines.length, 36);
});
