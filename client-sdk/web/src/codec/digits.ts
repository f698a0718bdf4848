/** Digits by a prefix code made for them: FORMAT.md, section 5. */
import { refuse, type Source } from './source.js';
import { signed } from './zigzag.js';

/** How digits make symbols, and symbols streams. */
export interface Grouping {
  /** Digits a symbol: 1, or 2 in four streams. */
  readonly digits: 1 | 2;
  /** Digits are below it. */
  readonly base: number;
  readonly streams: 1 | 4;
}

const maxLength = 11; // of a code, bits
const absent = 12;
const firstExpected = 3;
const maxSymbols = 256;

const lengths = new Uint8Array(maxSymbols);
/** Where the next code of each length goes in the table. */
const places = new Int32Array(absent + 1);
/** By the next bits of a stream: digits << 4 | length of the code; a second digit is << 12. */
const table = new Uint32Array(1 << maxLength);
/** Where streams are being read: bits from the source's first byte. */
const cursors = new Int32Array(4);
const starts = new Int32Array(4);

/** What decodeDigits has decoded, from index 0 on. */
export const digits = new Uint8Array(128 * 128);
/** The same, two and four at a time. */
const pairs = new Uint16Array(digits.buffer);
export const digitWords = new Uint32Array(digits.buffer);
const isLittleEndian = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** Decodes `count` digits, which must divide by what streams and symbols hold. */
export function decodeDigits(source: Source, grouping: Grouping, count: number): void {
  const symbols = readLengths(source, grouping);
  const bits = fillTable(grouping, symbols);
  const streams = grouping.streams;
  for (let i = 1; i < streams; ++i) starts[i] = source.u16();
  starts[0] = source.at;
  for (let i = 1; i < streams; ++i) starts[i] += starts[i - 1];
  if (starts[streams - 1] > source.end) refuse('streams are cut off');
  for (let i = 0; i < streams; ++i) cursors[i] = 8 * starts[i];

  if (streams === 1) readStream(source.view, count, 32 - bits);
  else if (grouping.digits === 1) readStreams(source.view, count / 4, 32 - bits);
  else readPairs(source.view, count / 8, 32 - bits);

  for (let i = 0; i < streams; ++i) {
    const end = (cursors[i] + 7) >>> 3;
    if (end > source.end) refuse('a stream is cut off');
    if (i + 1 < streams && end !== starts[i + 1]) refuse('a stream is not as long as is said');
    const padding = (1 << (8 * end - cursors[i])) - 1;
    if ((source.bytes[end - 1] & padding) !== 0) refuse('padding bits are not zero');
    source.at = end;
  }
}

/** Reads the lengths of codes. @returns how many symbols have one */
function readLengths(source: Source, grouping: Grouping): number {
  const { base } = grouping;
  const symbols = source.byte() + 1;
  if (symbols > (grouping.digits === 1 ? base : base * base)) refuse('too many symbols');
  source.beginBits();
  let room = 0;
  for (let symbol = 0; symbol < symbols; ++symbol) {
    const parent = symbol < base ? symbol - 1 : symbol - base;
    const expected = symbol === 0 ? firstExpected : lengths[parent];
    const length =
      expected === absent ? absent - source.expGolomb(0) : expected - signed(source.expGolomb(1));
    if (length < 1 || length > absent) refuse('the length of a code is none');
    lengths[symbol] = length;
    room += (1 << maxLength) >>> length;
  }
  source.endBits();
  if (room !== 1 << maxLength) refuse('the lengths of codes do not fill the code');
  return symbols;
}

/** Fills the table. @returns how many bits it is looked up by */
function fillTable(grouping: Grouping, symbols: number): number {
  places.fill(0);
  for (let symbol = 0; symbol < symbols; ++symbol) ++places[lengths[symbol]];
  let bits = maxLength;
  while (places[bits] === 0) --bits;
  let place = 0;
  for (let length = 1; length <= bits; ++length) {
    const size = places[length] << (bits - length);
    places[length] = place;
    place += size;
  }
  const { base } = grouping;
  for (let symbol = 0, first = 0, second = 0; symbol < symbols; ++symbol) {
    const length = lengths[symbol];
    if (length !== absent) {
      const entry = (entryOf(grouping.digits, first, second) << 4) | length;
      const from = places[length];
      const to = from + (1 << (bits - length));
      places[length] = to;
      if (to - from > 32) table.fill(entry, from, to);
      else for (let i = from; i < to; ++i) table[i] = entry;
    }
    if (++second === base) {
      second = 0;
      ++first;
    }
  }
  return bits;
}

/** What is stored of a symbol: one byte or two, the first digit's first. */
function entryOf(count: number, first: number, second: number): number {
  if (count === 1) return second;
  return isLittleEndian ? first | (second << 8) : second | (first << 8);
}

function readStream(view: DataView, count: number, shift: number): void {
  let at = cursors[0];
  for (let i = 0; i < count; ++i) {
    const entry = table[(view.getUint32(at >>> 3) << (at & 7)) >>> shift];
    at += entry & 15;
    digits[i] = entry >>> 4;
  }
  cursors[0] = at;
}

/** Four streams side by side: none waits for the other. */
function readStreams(view: DataView, count: number, shift: number): void {
  let at0 = cursors[0];
  let at1 = cursors[1];
  let at2 = cursors[2];
  let at3 = cursors[3];
  for (let i = 0; i < count; ++i) {
    const entry0 = table[(view.getUint32(at0 >>> 3) << (at0 & 7)) >>> shift];
    const entry1 = table[(view.getUint32(at1 >>> 3) << (at1 & 7)) >>> shift];
    const entry2 = table[(view.getUint32(at2 >>> 3) << (at2 & 7)) >>> shift];
    const entry3 = table[(view.getUint32(at3 >>> 3) << (at3 & 7)) >>> shift];
    at0 += entry0 & 15;
    at1 += entry1 & 15;
    at2 += entry2 & 15;
    at3 += entry3 & 15;
    digits[i] = entry0 >>> 4;
    digits[i + count] = entry1 >>> 4;
    digits[i + 2 * count] = entry2 >>> 4;
    digits[i + 3 * count] = entry3 >>> 4;
  }
  cursors[0] = at0;
  cursors[1] = at1;
  cursors[2] = at2;
  cursors[3] = at3;
}

/** The same, of symbols of two digits. */
function readPairs(view: DataView, count: number, shift: number): void {
  let at0 = cursors[0];
  let at1 = cursors[1];
  let at2 = cursors[2];
  let at3 = cursors[3];
  for (let i = 0; i < count; ++i) {
    const entry0 = table[(view.getUint32(at0 >>> 3) << (at0 & 7)) >>> shift];
    const entry1 = table[(view.getUint32(at1 >>> 3) << (at1 & 7)) >>> shift];
    const entry2 = table[(view.getUint32(at2 >>> 3) << (at2 & 7)) >>> shift];
    const entry3 = table[(view.getUint32(at3 >>> 3) << (at3 & 7)) >>> shift];
    at0 += entry0 & 15;
    at1 += entry1 & 15;
    at2 += entry2 & 15;
    at3 += entry3 & 15;
    pairs[i] = entry0 >>> 4;
    pairs[i + count] = entry1 >>> 4;
    pairs[i + 2 * count] = entry2 >>> 4;
    pairs[i + 3 * count] = entry3 >>> 4;
  }
  cursors[0] = at0;
  cursors[1] = at1;
  cursors[2] = at2;
  cursors[3] = at3;
}
