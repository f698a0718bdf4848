/** XXH3-64 with a seed (xxHash 0.8), of which chunks' checksums are the lower half. */
import { add64, high, mul64, mulFold64, mulHigh, sub64 } from './u64.js';

// The constants and steps are those of the algorithm (https://xxhash.com), with its default secret.
const secretText =
  'b8fe6c3923a44bbe7c01812cf721ad1cded46de9839097db7240a4a4b7b3671f' +
  'cb79e64eccc0e578825ad07dccff7221b8084674f743248ee03590e6813a264c' +
  '3c2852bb91c300cb88d0658b1b532ea371644897a20df94e3819ef46a9deacd8' +
  'a8fa763fe39c343ff9dcbbc7c70b4f1d8a51e04bcdb45931c89f7ec9d9787364' +
  'eac5ac8334d3ebc3c581a0fffa1363eb170ddd51b7f0da49d316552629d4689e' +
  '2b16be587d47a1fc8ff8b8d17ad031ce45cb3a8f95160428afd7fbcabb4b407e';
const secretBytes = 192;
const stripeBytes = 64; // that eight lanes take in at once
const stripesABlock = (secretBytes - stripeBytes) / 8;
const secret = new DataView(new ArrayBuffer(secretBytes));
for (let i = 0; i < secretBytes; ++i) {
  secret.setUint8(i, parseInt(secretText.slice(2 * i, 2 * i + 2), 16));
}
/** The secret for inputs above 240 bytes, which depends on the seed; in words. */
const seeded = new DataView(new ArrayBuffer(secretBytes));

const prime32 = 0x9e3779b1 | 0; // the first one
// The first three primes of 64 bits, as halves.
const p1Low = 0x85ebca87 | 0;
const p1High = 0x9e3779b1 | 0;
const p2Low = 0x27d4eb4f | 0;
const p2High = 0xc2b2ae3d | 0;
const p3Low = 0x9e3779f9 | 0;
const p3High = 0x165667b1;
/** Eight lanes, lower halves first. */
const lanes = new Int32Array(16);
const firstLanes = Int32Array.of(
  0xc2b2ae3d,
  0,
  p1Low,
  p1High,
  p2Low,
  p2High,
  p3Low,
  p3High,
  0xc2b2ae63,
  0x85ebca77,
  0x85ebca77,
  0,
  0x165667c5,
  0x27d4eb2f,
  prime32,
  0,
);

/**
 * The lower half of the hash of `length` bytes of `view` from `at` on, as a signed number.
 * @param seedLow, seedHigh  the seed's halves
 */
export function xxh3Low32(
  view: DataView,
  at: number,
  length: number,
  seedLow: number,
  seedHigh: number,
): number {
  if (length > 240) return hashLong(view, at, length, seedLow, seedHigh);
  if (length > 16) return hashMiddle(view, at, length, seedLow, seedHigh);
  if (length > 8) return hash9To16(view, at, length, seedLow, seedHigh);
  if (length > 3) return hash4To8(view, at, length, seedLow, seedHigh);
  return hashUpTo3(view, at, length, seedLow, seedHigh);
}

/** The last step of most inputs; its lower half. */
function avalanche(low: number, upper: number): number {
  const mixed = mul64(low ^ (upper >>> 5), upper, 0x9e3779f9 | 0, 0x16566791);
  return mixed ^ high;
}

function hashUpTo3(
  view: DataView,
  at: number,
  length: number,
  seedLow: number,
  seedHigh: number,
): number {
  let low = 0;
  let upper = 0;
  if (length === 0) {
    low = seedLow ^ word(56) ^ word(64);
    upper = seedHigh ^ word(60) ^ word(68);
  } else {
    const middle = view.getUint8(at + (length >> 1));
    const input =
      (view.getUint8(at) << 16) | (middle << 24) | view.getUint8(at + length - 1) | (length << 8);
    low = input ^ add64(word(0) ^ word(4), 0, seedLow, seedHigh);
    upper = high;
  }
  low = mul64(low ^ (upper >>> 1), upper, p2Low, p2High);
  upper = high;
  low = mul64(low ^ ((low >>> 29) | (upper << 3)), upper ^ (upper >>> 29), p3Low, p3High);
  return low ^ high;
}

function hash4To8(
  view: DataView,
  at: number,
  length: number,
  seedLow: number,
  seedHigh: number,
): number {
  const mixedSeed = seedHigh ^ swapped(seedLow);
  let low = sub64(word(8) ^ word(16), word(12) ^ word(20), seedLow, mixedSeed);
  let upper = high ^ view.getInt32(at, true);
  low ^= view.getInt32(at + length - 4, true);
  // rotated to the left by 49 and by 24
  const low49 = (upper << 17) | (low >>> 15);
  const upper49 = (low << 17) | (upper >>> 15);
  const low24 = (low << 24) | (upper >>> 8);
  const upper24 = (upper << 24) | (low >>> 8);
  low = mul64(low ^ low49 ^ low24, upper ^ upper49 ^ upper24, 0x1e98df25, 0x9fb21c65 | 0);
  low = mul64(low ^ ((high >>> 3) + length), high, 0x1e98df25, 0x9fb21c65 | 0);
  return low ^ ((low >>> 28) | (high << 4));
}

function hash9To16(
  view: DataView,
  at: number,
  length: number,
  seedLow: number,
  seedHigh: number,
): number {
  const aLow =
    view.getInt32(at, true) ^ add64(word(24) ^ word(32), word(28) ^ word(36), seedLow, seedHigh);
  const aHigh = view.getInt32(at + 4, true) ^ high;
  const last = at + length - 8;
  const bLow =
    view.getInt32(last, true) ^ sub64(word(40) ^ word(48), word(44) ^ word(52), seedLow, seedHigh);
  const bHigh = view.getInt32(last + 4, true) ^ high;
  let low = add64(swapped(aHigh), swapped(aLow), length, 0);
  low = add64(low, high, bLow, bHigh);
  const upper = high;
  const fold = mulFold64(aLow, aHigh, bLow, bHigh);
  low = add64(low, upper, fold, high);
  return avalanche(low, high);
}

let totalLow = 0;
let totalHigh = 0;

/** Adds 16 bytes to the total. */
function mix(
  view: DataView,
  at: number,
  secretAt: number,
  seedLow: number,
  seedHigh: number,
): void {
  const aLow =
    view.getInt32(at, true) ^ add64(word(secretAt), word(secretAt + 4), seedLow, seedHigh);
  const aHigh = view.getInt32(at + 4, true) ^ high;
  const bLow =
    view.getInt32(at + 8, true) ^ sub64(word(secretAt + 8), word(secretAt + 12), seedLow, seedHigh);
  const bHigh = view.getInt32(at + 12, true) ^ high;
  const fold = mulFold64(aLow, aHigh, bLow, bHigh);
  totalLow = add64(totalLow, totalHigh, fold, high);
  totalHigh = high;
}

function hashMiddle(
  view: DataView,
  at: number,
  length: number,
  seedLow: number,
  seedHigh: number,
): number {
  totalLow = mul64(length, 0, p1Low, p1High);
  totalHigh = high;
  const end = at + length;
  if (length <= 128) {
    for (let i = (length - 1) >> 5; i >= 0; --i) {
      mix(view, at + 16 * i, 32 * i, seedLow, seedHigh);
      mix(view, end - 16 * (i + 1), 32 * i + 16, seedLow, seedHigh);
    }
    return avalanche(totalLow, totalHigh);
  }
  for (let i = 0; i < 8; ++i) mix(view, at + 16 * i, 16 * i, seedLow, seedHigh);
  totalLow = mul64(totalLow ^ (totalHigh >>> 5), totalHigh, 0x9e3779f9 | 0, 0x16566791);
  totalHigh = high;
  totalLow ^= high;
  for (let i = 8; i < length >> 4; ++i) {
    mix(view, at + 16 * i, 16 * (i - 8) + 3, seedLow, seedHigh);
  }
  mix(view, end - 16, 136 - 17, seedLow, seedHigh);
  return avalanche(totalLow, totalHigh);
}

function hashLong(
  view: DataView,
  at: number,
  length: number,
  seedLow: number,
  seedHigh: number,
): number {
  for (let i = 0; i < secretBytes; i += 16) {
    seeded.setInt32(i, add64(word(i), word(i + 4), seedLow, seedHigh), true);
    seeded.setInt32(i + 4, high, true);
    seeded.setInt32(i + 8, sub64(word(i + 8), word(i + 12), seedLow, seedHigh), true);
    seeded.setInt32(i + 12, high, true);
  }
  lanes.set(firstLanes);
  const stripes = Math.floor((length - 1) / stripeBytes);
  for (let stripe = 0; stripe < stripes; ++stripe) {
    const inBlock = stripe % stripesABlock;
    takeIn(view, at + stripe * stripeBytes, inBlock * 8);
    if (inBlock === stripesABlock - 1) scramble();
  }
  takeIn(view, at + length - stripeBytes, secretBytes - stripeBytes - 7);

  totalLow = mul64(length, 0, p1Low, p1High);
  totalHigh = high;
  for (let i = 0; i < 4; ++i) {
    const key = 11 + 16 * i;
    const fold = mulFold64(
      lanes[4 * i] ^ seeded.getInt32(key, true),
      lanes[4 * i + 1] ^ seeded.getInt32(key + 4, true),
      lanes[4 * i + 2] ^ seeded.getInt32(key + 8, true),
      lanes[4 * i + 3] ^ seeded.getInt32(key + 12, true),
    );
    totalLow = add64(totalLow, totalHigh, fold, high);
    totalHigh = high;
  }
  return avalanche(totalLow, totalHigh);
}

/** Adds a stripe to the lanes. */
function takeIn(view: DataView, at: number, secretAt: number): void {
  for (let i = 0; i < 16; i += 2) {
    const low = view.getInt32(at + 4 * i, true);
    const upper = view.getInt32(at + 4 * i + 4, true);
    const keyLow = low ^ seeded.getInt32(secretAt + 4 * i, true);
    const keyHigh = upper ^ seeded.getInt32(secretAt + 4 * i + 4, true);
    const other = i ^ 2;
    const sum = (lanes[other] + low) | 0;
    const carry = sum >>> 0 < low >>> 0 ? 1 : 0;
    lanes[other + 1] = lanes[other + 1] + upper + carry;
    lanes[other] = sum;
    const product = Math.imul(keyLow, keyHigh);
    const sum2 = (lanes[i] + product) | 0;
    const carry2 = sum2 >>> 0 < product >>> 0 ? 1 : 0;
    lanes[i + 1] = lanes[i + 1] + mulHigh(keyLow, keyHigh) + carry2;
    lanes[i] = sum2;
  }
}

/** Mixes the lanes at the end of a block. */
function scramble(): void {
  for (let i = 0; i < 16; i += 2) {
    const key = secretBytes - stripeBytes + 4 * i;
    const low = lanes[i] ^ (lanes[i + 1] >>> 15) ^ seeded.getInt32(key, true);
    const upper = lanes[i + 1] ^ seeded.getInt32(key + 4, true);
    lanes[i] = mul64(low, upper, prime32, 0);
    lanes[i + 1] = high;
  }
}

/** 4 bytes of the secret. */
function word(at: number): number {
  return secret.getInt32(at, true);
}

/** The four bytes in the opposite order. */
function swapped(value: number): number {
  return (value << 24) | ((value << 8) & 0xff0000) | ((value >>> 8) & 0xff00) | (value >>> 24);
}
