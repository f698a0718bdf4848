/** Residuals of a raster, as zigzag numbers: FORMAT.md, section 6. */
import { decodeDigits, digits, digitWords, type Grouping } from './digits.js';
import { refuse, type Source } from './source.js';

/** By kind of residuals. */
const groupings: readonly Grouping[] = [
  { digits: 1, base: 32, streams: 4 },
  { digits: 2, base: 9, streams: 4 },
  { digits: 2, base: 5, streams: 4 },
  { digits: 1, base: 64, streams: 1 },
];
const sparse = 3;
const large = 32; // sparse: residuals from this digit on are 3 or more

/** What decodeResiduals has decoded, from index 0 on; with room for what looks further. */
export const residuals = new Int32Array(128 * 128 + 4);

/**
 * Decodes `count` residuals.
 * @param shift  how many low bits of each are said apart
 * @returns a bound: bits that are not set here are set in no residual
 */
export function decodeResiduals(
  source: Source,
  kind: number,
  shift: number,
  count: number,
): number {
  if (kind === sparse) return decodeSparse(source, count);
  const grouping = groupings[kind];
  decodeDigits(source, grouping, count);
  widen(count);
  source.beginBits();
  let bound = 31 | addEscapes(source, grouping, count);
  if (shift > 0) bound = addLowBits(source, shift, count);
  source.endBits();
  return bound;
}

function widen(count: number): void {
  for (let i = 0; i < count; i += 4) {
    residuals[i] = digits[i];
    residuals[i + 1] = digits[i + 1];
    residuals[i + 2] = digits[i + 2];
    residuals[i + 3] = digits[i + 3];
  }
}

/** To digits base - 1 adds what these leave unsaid. */
function addEscapes(source: Source, grouping: Grouping, count: number): number {
  const order = grouping.digits === 1 ? 3 : 1;
  const escape = grouping.base - 1;
  const step = (128 - escape) * 0x01010101; // lifts escapes, and nothing else, to 128
  let bound = 0;
  for (let word = 0; word < count >>> 2; ++word) {
    if (((digitWords[word] + step) & 0x80808080) === 0) continue;
    for (let i = 4 * word; i < 4 * word + 4; ++i) {
      if (digits[i] !== escape) continue;
      residuals[i] = escape + source.expGolomb(order);
      bound |= residuals[i];
    }
  }
  return bound;
}

/** Puts low bits below what is there. */
function addLowBits(source: Source, shift: number, count: number): number {
  let bound = 0;
  for (let i = 0; i < count; ++i) {
    if (residuals[i] >= 1 << 24) refuse('a residual is too large');
    const residual = residuals[i] * (1 << shift) + source.bits(shift);
    bound |= residual >= 1 << 24 ? 1 << 24 : residual;
    residuals[i] = residual;
  }
  return bound;
}

function decodeSparse(source: Source, count: number): number {
  const said = source.varint();
  if (said > count) refuse('more residuals than samples');
  if (said > 0) decodeDigits(source, groupings[sparse], said);
  residuals.fill(0, 0, count);
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
    residuals[at] = residual;
    bound |= residual;
    ++at;
  }
  source.endBits();
  return bound;
}
