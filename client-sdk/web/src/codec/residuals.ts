/** Residuals of a raster, as zigzag numbers: FORMAT.md, section 6. */
import { decodeDigits, digits, digitWords, type Grouping } from './digits.js';
import { numbers, placeOf, strideOf } from './numbers.js';
import { refuse, type Source } from './source.js';

/** By kind of residuals. */
const groupings: readonly Grouping[] = [
  { digits: 1, base: 32, streams: 4 },
  { digits: 2, base: 9, streams: 4 },
  { digits: 2, base: 5, streams: 4 },
  { digits: 1, base: 64, streams: 1 },
];
const sparse = 3;
const tooLarge = 1 << 24;
const large = 32; // sparse: residuals from this digit on are 3 or more

/**
 * Decodes the residuals of a raster of size * size into `numbers`.
 * @param shift  how many low bits of each are said apart
 * @returns a bound: bits that are not set here are set in no residual
 */
export function decodeResiduals(
  source: Source,
  kind: number,
  shift: number,
  sizeLog2: number,
): number {
  if (kind === sparse) return decodeSparse(source, sizeLog2);
  const grouping = groupings[kind];
  decodeDigits(source, grouping, 1 << (2 * sizeLog2));
  widen(1 << sizeLog2);
  source.beginBits();
  let bound = 31 | addEscapes(source, grouping, sizeLog2);
  if (shift > 0) bound = addLowBits(source, shift, sizeLog2);
  source.endBits();
  return bound;
}

function widen(size: number): void {
  const stride = strideOf(size);
  for (let from = 0, row = placeOf(0, 0); from < size * size; from += size, row += stride) {
    for (let i = 0; i < size; i += 4) {
      numbers[row + i] = digits[from + i];
      numbers[row + i + 1] = digits[from + i + 1];
      numbers[row + i + 2] = digits[from + i + 2];
      numbers[row + i + 3] = digits[from + i + 3];
    }
  }
}

/** To digits base - 1 adds what these leave unsaid. */
function addEscapes(source: Source, grouping: Grouping, sizeLog2: number): number {
  const order = grouping.digits === 1 ? 3 : 1;
  const escape = grouping.base - 1;
  const step = (128 - escape) * 0x01010101; // lifts escapes, and nothing else, to 128
  let bound = 0;
  for (let word = 0; word < 1 << (2 * sizeLog2 - 2); ++word) {
    if (((digitWords[word] + step) & 0x80808080) === 0) continue;
    for (let i = 4 * word; i < 4 * word + 4; ++i) {
      if (digits[i] !== escape) continue;
      const residual = escape + source.expGolomb(order);
      bound |= residual;
      numbers[placeOf(i, sizeLog2)] = residual;
    }
  }
  return bound;
}

/** Puts low bits below what is there. */
function addLowBits(source: Source, shift: number, sizeLog2: number): number {
  let bound = 0;
  for (let i = 0; i < 1 << (2 * sizeLog2); ++i) {
    const place = placeOf(i, sizeLog2);
    const residual = numbers[place] * (1 << shift) + source.bits(shift);
    bound |= Math.min(residual, tooLarge);
    numbers[place] = residual;
  }
  return bound;
}

function decodeSparse(source: Source, sizeLog2: number): number {
  const count = 1 << (2 * sizeLog2);
  const said = source.varint();
  if (said > count) refuse('more residuals than samples');
  if (said > 0) decodeDigits(source, groupings[sparse], said);
  numbers.fill(0, 0, placeOf(count, sizeLog2));
  source.beginBits();
  let bound = 0;
  let at = 0;
  for (let i = 0; i < said; ++i) {
    const digit = digits[i];
    const gap = digit & 31;
    if (gap < 8) {
      at += gap;
    } else {
      const bits = 2 + ((gap - 8) >> 1);
      at += ((2 + (gap & 1)) << bits) + source.bits(bits);
    }
    if (at >= count) refuse('a residual lies behind the last sample');
    const residual = digit < large ? 1 + source.bits(1) : 3 + source.expGolomb(1);
    numbers[placeOf(at, sizeLog2)] = residual;
    bound |= residual;
    ++at;
  }
  source.endBits();
  return bound;
}
