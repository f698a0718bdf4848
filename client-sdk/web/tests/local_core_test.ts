// terrane_core.wasm without a server, where TERRANE_CORE_WASM names it: how it is loaded, and its
// decoder.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { test } from 'node:test';
import { decodeChunk, FormatError, TerraneCore } from '../src/index.js';
import { wasiImports } from '../src/local/wasi.js';
import { coreBytes, loadCore, noCore as skip } from './local_core.js';
import { codecDir, readVector, textOf, vectorNames } from './vectors.js';

/** A module that looks like terrane_core.wasm; `version` is the code of terrane_abi_version. */
function moduleWith(version: readonly number[]): Uint8Array<ArrayBuffer> {
  const sized = (bytes: readonly number[]): number[] => [bytes.length, ...bytes];
  const section = (id: number, bytes: readonly number[]): number[] => [id, ...sized(bytes)];
  const shown = (name: string, kind: number, index: number): number[] => [
    ...sized([...new TextEncoder().encode(name)]),
    kind,
    index,
  ];
  return new Uint8Array([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, [2, 0x60, 0, 0, 0x60, 0, 1, 0x7f]), // () and () -> i32
    ...section(3, [2, 0, 1]),
    ...section(5, [1, 0, 1]),
    ...section(7, [
      3,
      ...shown('memory', 2, 0),
      ...shown('_initialize', 0, 0),
      ...shown('terrane_abi_version', 0, 1),
    ]),
    ...section(10, [2, ...sized([0, 0x0b]), ...sized([0, ...version, 0x0b])]),
  ]);
}

test('a module of another ABI is refused with both versions', async () => {
  await assert.rejects(TerraneCore.load(moduleWith([0x41, 2])), {
    status: 'FAILED_PRECONDITION',
    field: 'abiVersion',
    value: '2',
    limit: '1',
    message: /ABI version 2; this library is for 1/,
  });
});

test('a module that stops halfway is an error that says what to do', async () => {
  await assert.rejects(TerraneCore.load(moduleWith([0x00])), {
    status: 'INTERNAL',
    message: /terrane_core has failed, load it anew: .*unreachable/,
  });
});

test('what is no WebAssembly, or another module, is refused', async () => {
  await assert.rejects(TerraneCore.load(new Uint8Array([1, 2, 3])), {
    status: 'INVALID_ARGUMENT',
    message: /the bytes are no WebAssembly/,
  });
  await assert.rejects(TerraneCore.load(new Uint8Array([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0])), {
    status: 'INVALID_ARGUMENT',
    message: /not terrane_core\.wasm/,
  });
});

test('it comes from a URL, or compiled, as well', { skip }, async () => {
  const server = createServer((request, response) => {
    response.statusCode = request.url === '/terrane_core.wasm' ? 200 : 404;
    response.end(coreBytes());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const first = await TerraneCore.load(new URL(`${url}/terrane_core.wasm`));
    const second = await TerraneCore.load(first.module);
    const expected = decodeChunk(readVector('full_32'));
    for (const core of [first, second]) {
      assert.deepEqual(core.decode(readVector('full_32')), expected);
    }
    await assert.rejects(TerraneCore.load(`${url}/elsewhere`), { status: 'NOT_FOUND' });
  } finally {
    server.closeAllConnections();
    server.close();
  }
  await assert.rejects(TerraneCore.load(`${url}/terrane_core.wasm`), { status: 'UNAVAILABLE' });
});

test('it decodes every vector as decodeChunk does', { skip }, async () => {
  const core = await loadCore();
  for (const name of vectorNames) {
    const bytes = readVector(name);
    assert.equal(textOf(core.decode(bytes)), textOf(decodeChunk(bytes)), name);
    assert.deepEqual(core.decode(bytes), decodeChunk(bytes), name);
  }
});

test('it decodes only the layers that are wanted', { skip }, async () => {
  const core = await loadCore();
  const bytes = readVector('full_32');
  for (const wanted of [['biome', 'placements'], ['water'], ['structures'], []] as const) {
    assert.deepEqual(core.decode(bytes, wanted), decodeChunk(bytes, wanted), String(wanted));
  }
});

test('it refuses what decodeChunk refuses', { skip }, async () => {
  const core = await loadCore();
  const refused = readdirSync(path.join(codecDir, 'refused')).filter((file) =>
    file.endsWith('.bin'),
  );
  assert.ok(refused.length > 10);
  for (const file of refused) {
    const bytes = readVector(`refused/${file.slice(0, -4)}`);
    assert.throws(() => core.decode(bytes), FormatError, file);
  }
  const bytes = readVector('full_32');
  for (let length = 0; length < bytes.length; length += length < 200 ? 1 : 37) {
    assert.throws(() => core.decode(bytes.subarray(0, length)), FormatError, `${length} bytes`);
  }
});

test('it asks its host for no files and no network, and stays small', { skip }, async () => {
  const { module } = await loadCore();
  const asked = WebAssembly.Module.imports(module).map((part) => `${part.module}.${part.name}`);
  const allowed = ['clock_time_get', 'fd_close', 'fd_seek', 'fd_write', 'proc_exit'];
  for (const name of asked) {
    assert.ok(allowed.some((one) => name === `wasi_snapshot_preview1.${one}`), name);
  }
  assert.ok(coreBytes().length < 1_000_000, `${coreBytes().length} bytes`);
});

test('what it says as it gives up goes to the console', { skip }, async (t) => {
  const said = t.mock.method(console, 'error', () => {});
  const memory = new WebAssembly.Memory({ initial: 1 });
  const imports = wasiImports((await loadCore()).module, () => memory);
  const write = imports['wasi_snapshot_preview1']['fd_write'] as (...values: number[]) => number;
  const view = new DataView(memory.buffer);
  for (const [part, text] of ['no mem', 'ory\n'].entries()) {
    const at = 100 + 50 * part;
    new Uint8Array(memory.buffer).set(new TextEncoder().encode(text), at);
    view.setUint32(8 * part, at, true);
    view.setUint32(8 * part + 4, text.length, true);
  }
  assert.equal(write(2, 0, 2, 64), 0);
  assert.equal(view.getUint32(64, true), 10, 'bytes that were written');
  assert.deepEqual(said.mock.calls.map((call) => call.arguments), [['terrane_core: no memory']]);
  assert.notEqual(write(7, 0, 2, 64), 0, 'there is no other file');
});
