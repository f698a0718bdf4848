import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { decodeChunk, FormatError } from '../src/index.js';
import { codecDir, readVector, textOf, vectorNames } from './vectors.js';

for (const name of vectorNames) {
  test(`decodes the vector ${name} to exactly its text`, () => {
    const expected = readFileSync(path.join(codecDir, `${name}.txt`), 'utf8');
    assert.equal(textOf(decodeChunk(readVector(name))), expected);
  });
}

test('there are vectors', () => {
  assert.ok(vectorNames.length >= 17);
});

test('refuses every vector of refused/, and nothing else about them matters', () => {
  const dir = path.join(codecDir, 'refused');
  const reasons = readFileSync(path.join(dir, 'reasons.txt'), 'utf8').trim().split('\n');
  assert.equal(reasons.length, readdirSync(dir).filter((file) => file.endsWith('.bin')).length);
  for (const reason of reasons) {
    const bytes = readVector(`refused/${reason.slice(0, reason.indexOf(':'))}`);
    assert.throws(() => decodeChunk(bytes), FormatError, reason);
  }
});

test('decodes only the layers that are wanted', () => {
  const bytes = readVector('full_32');
  const all = decodeChunk(bytes);
  const some = decodeChunk(bytes, ['biome', 'placements']);
  assert.deepEqual(Object.keys(some.layers), ['biome']);
  assert.deepEqual(some.layers.biome, all.layers.biome);
  assert.deepEqual(some.placements, all.placements);
  assert.deepEqual(some.rooms, []);
});

test('an unwanted layer with a wrong checksum is refused all the same', () => {
  const bytes = readVector('full_32');
  bytes[bytes.length - 1] ^= 1;
  assert.throws(() => decodeChunk(bytes, ['height']), FormatError);
});

test('every prefix of a chunk is refused', () => {
  const bytes = readVector('full_32');
  for (let length = 0; length < bytes.length; length += length < 200 ? 1 : 37) {
    assert.throws(() => decodeChunk(bytes.subarray(0, length)), FormatError, `${length} bytes`);
  }
});

test('what a chunk decodes to does not depend on the chunk before', () => {
  const texts = new Map(vectorNames.map((name) => [name, textOf(decodeChunk(readVector(name)))]));
  for (const name of [...vectorNames].reverse()) {
    assert.equal(textOf(decodeChunk(readVector(name))), texts.get(name), name);
  }
});
