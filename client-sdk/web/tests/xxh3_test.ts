import assert from 'node:assert/strict';
import { test } from 'node:test';
import { xxh3Low32 } from '../src/codec/xxh3.js';

const seed = 0x9e3779b97f4a7c15n;
const input = Uint8Array.from({ length: 6000 }, (_, i) => (i * 7 + (i >> 8)) & 255);

/** What xxHash 0.8.1 says: the lower half, by how much of the input and with which seed. */
const expected: [number, bigint, string][] = [
  [0, 0n, '38d394c2'],
  [1, 0n, '074eecdb'],
  [3, 0n, 'e968ad9e'],
  [4, 0n, '19014e89'],
  [8, 0n, 'f6bf6980'],
  [9, 0n, 'd730d826'],
  [16, 0n, 'adf2be1e'],
  [17, 0n, 'f5a112d1'],
  [128, 0n, '0fa93185'],
  [129, 0n, 'c25f5b25'],
  [240, 0n, '0ef8eed7'],
  [241, 0n, '6f0052e8'],
  [1024, 0n, '238addb4'],
  [1025, 0n, 'e1bbf7ad'],
  [5000, 0n, '6d138bd8'],
  [0, seed, 'd6662c8b'],
  [1, seed, '4e01441a'],
  [3, seed, 'b9bf6b14'],
  [4, seed, 'f20014ce'],
  [8, seed, 'ad256de3'],
  [9, seed, '97105a63'],
  [16, seed, '420ca675'],
  [17, seed, '47eb92db'],
  [128, seed, 'a7b79257'],
  [129, seed, '6996f1c9'],
  [240, seed, '86b7eac3'],
  [241, seed, '19587a84'],
  [1024, seed, '3088fe8e'],
  [1025, seed, '70315844'],
  [5000, seed, '78470579'],
];

function hash(length: number, by: bigint): number {
  const view = new DataView(input.buffer);
  const low = Number(by & 0xffffffffn) | 0;
  return xxh3Low32(view, 0, length, low, Number(by >> 32n) | 0) >>> 0;
}

test('hashes are those of xxHash, for inputs of every kind of length', () => {
  for (const [length, by, hex] of expected) {
    assert.equal(hash(length, by).toString(16).padStart(8, '0'), hex, `${length} bytes`);
  }
});

test('hashes of all lengths up to 2,199 are those of xxHash', () => {
  for (const [by, sum] of [
    [0n, 0xd5f20ad3],
    [seed, 0x58e06dfd],
  ] as const) {
    let all = 0;
    for (let length = 0; length < 2200; ++length)
      all = (Math.imul(all, 31) + hash(length, by)) >>> 0;
    assert.equal(all, sum);
  }
});
