import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeChunk, FormatError } from '../src/index.js';
import { xxh3Low32 } from '../src/codec/xxh3.js';
import { readVector, vectorNames } from './vectors.js';

const mutations = 400; // of each vector, with checksums and without

/** Random numbers below 2^32, the same every time. */
function makeRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x45d9f3b);
    return (mixed ^ (mixed >>> 15)) >>> 0;
  };
}

/** Changes some bytes, or cuts off or appends some. */
function mutate(bytes: Uint8Array, random: () => number): Uint8Array {
  const kind = random() % 8;
  if (kind === 0) return bytes.slice(0, random() % bytes.length);
  const mutated = new Uint8Array(bytes.length + (kind === 1 ? 1 + (random() % 64) : 0));
  mutated.set(bytes);
  for (let i = random() % 6; i >= 0; --i) {
    const at = random() % mutated.length;
    mutated[at] = random() % 3 === 0 ? random() : mutated[at] ^ (1 << random() % 8);
  }
  return mutated;
}

/** Makes checksums match, where there is a table: damage then gets as far as the payloads. */
function mendChecksums(bytes: Uint8Array): void {
  if (bytes.length < 8) return;
  const view = new DataView(bytes.buffer);
  let at = 8 + 10 * bytes[6];
  for (let entry = 8; entry < 8 + 10 * bytes[6] && at <= bytes.length; entry += 10) {
    if (entry + 10 > bytes.length) return;
    const length = view.getUint32(entry + 2, true);
    if (length > bytes.length - at) return;
    const seed = bytes[entry] | (bytes[entry + 1] << 8) | (bytes[4] << 16) | (bytes[5] << 24);
    view.setInt32(entry + 6, xxh3Low32(view, at, length, seed, length), true);
    at += length;
  }
}

/** Decodes, and returns whether the bytes were refused; whatever else is thrown fails the test. */
function isRefused(bytes: Uint8Array): boolean {
  try {
    const chunk = decodeChunk(bytes);
    assert.ok([16, 32, 64, 128].includes(chunk.size));
    const most = chunk.size ** 2;
    for (const samples of Object.values(chunk.layers)) assert.equal(samples.length, most);
    assert.ok(chunk.placements.length <= most);
    assert.ok(chunk.structures.length <= most && chunk.rooms.length <= most);
    return false;
  } catch (error) {
    assert.ok(error instanceof FormatError, `${String(error)} is no FormatError`);
    return true;
  }
}

test('damaged chunks are refused: nothing else is thrown, and nothing hangs', () => {
  let count = 0;
  for (const name of vectorNames) {
    if (name === 'nothing') continue; // without sections there is no checksum
    const vector = readVector(name);
    const random = makeRandom(vector.length);
    for (let i = 0; i < mutations; ++i) {
      const bytes = mutate(vector, random);
      if (Buffer.compare(bytes, vector) === 0) continue;
      assert.ok(isRefused(bytes), `${name}, mutation ${i}: a checksum missed it`);
      ++count;
    }
  }
  assert.ok(count > 5000, `${count}`);
});

test('what is damaged behind right checksums is decoded within bounds or refused', () => {
  let refused = 0;
  let slowest = 0;
  for (const name of vectorNames) {
    const vector = readVector(name);
    const random = makeRandom(vector.length + 1);
    for (let i = 0; i < mutations; ++i) {
      const bytes = mutate(vector, random);
      mendChecksums(bytes);
      const begin = performance.now();
      if (isRefused(bytes)) ++refused;
      slowest = Math.max(slowest, performance.now() - begin);
    }
  }
  assert.ok(refused > 1000, `${refused}`);
  assert.ok(slowest < 1000, `${slowest} ms for one chunk`);
});

test('decoding damaged chunks over and over takes no memory', () => {
  const vector = readVector('full_64');
  const random = makeRandom(3);
  const decodeMany = () => {
    for (let i = 0; i < 500; ++i) {
      const bytes = mutate(vector, random);
      mendChecksums(bytes);
      isRefused(bytes);
    }
    return process.memoryUsage().arrayBuffers;
  };
  const before = decodeMany();
  for (let i = 0; i < 4; ++i) decodeMany();
  assert.ok(decodeMany() < before + 256 * 1024 * 1024);
});

test('a table that promises gigabytes is refused before anything is taken for it', () => {
  const bytes = readVector('example');
  new DataView(bytes.buffer).setUint32(10, 0xffffffff, true);
  const before = process.memoryUsage().arrayBuffers;
  assert.ok(isRefused(bytes));
  assert.ok(process.memoryUsage().arrayBuffers < before + 1024 * 1024);
});
