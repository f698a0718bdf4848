/** Rasters: FORMAT.md, section 6. */
import type { Samples } from './layers.js';
import { numbers, rowStart } from './numbers.js';
import { restoreNumbers } from './predict.js';
import { decodeResiduals } from './residuals.js';
import { refuse, type Source } from './source.js';

/** Decodes a raster of size * size samples into `out`. */
export function decodeRaster(source: Source, size: number, out: Samples): void {
  const first = source.byte();
  const predictor = first & 15;
  const kind = first >> 4;
  const second = source.byte();
  const shift = second & 15;
  const isNarrow = second >> 4 === 1;
  if (predictor > 7) refuse('a predictor above 7');
  if (kind > 3) refuse('a kind of residuals above 3');
  if (second >> 4 > 1 || shift > (isNarrow ? 4 : 12)) refuse('a shift is too large');
  if (kind === 3 && shift > 0) refuse('sparse residuals have a shift');
  const base = source.difference();
  const scale = source.varint() | 0;
  const residualBound = decodeResiduals(source, kind, shift, 31 - Math.clz32(size));
  if (residualBound >= (isNarrow ? 1 << 10 : 1 << 24)) refuse('a residual is too large');
  restoreNumbers(predictor, size);
  let bits = 0;
  if (out instanceof Int32Array) bits = scale32(out, size, base, scale);
  else if (out instanceof Int16Array) bits = scale16(out, size, base, scale);
  else bits = scale8(out, size, base, scale);
  if (bits >>> (isNarrow ? 9 : 20) !== 0) refuse('a number is negative or too large');
}

// One function for each type of array: one that took them all would be slower for each.

/** Turns numbers into samples. @returns the bits that any number has */
function scale32(out: Int32Array, size: number, base: number, scale: number): number {
  let bits = 0;
  for (let j = 0, to = 0; j < size; ++j) {
    const row = rowStart(j, size);
    for (let i = row; i < row + size; i += 4, to += 4) {
      const number0 = numbers[i];
      const number1 = numbers[i + 1];
      const number2 = numbers[i + 2];
      const number3 = numbers[i + 3];
      bits |= number0 | number1 | number2 | number3;
      out[to] = base + Math.imul(scale, number0);
      out[to + 1] = base + Math.imul(scale, number1);
      out[to + 2] = base + Math.imul(scale, number2);
      out[to + 3] = base + Math.imul(scale, number3);
    }
  }
  return bits;
}

function scale16(out: Int16Array, size: number, base: number, scale: number): number {
  let bits = 0;
  for (let j = 0, to = 0; j < size; ++j) {
    const row = rowStart(j, size);
    for (let i = row; i < row + size; i += 4, to += 4) {
      const number0 = numbers[i];
      const number1 = numbers[i + 1];
      const number2 = numbers[i + 2];
      const number3 = numbers[i + 3];
      bits |= number0 | number1 | number2 | number3;
      out[to] = base + Math.imul(scale, number0);
      out[to + 1] = base + Math.imul(scale, number1);
      out[to + 2] = base + Math.imul(scale, number2);
      out[to + 3] = base + Math.imul(scale, number3);
    }
  }
  return bits;
}

function scale8(out: Uint8Array, size: number, base: number, scale: number): number {
  let bits = 0;
  for (let j = 0, to = 0; j < size; ++j) {
    const row = rowStart(j, size);
    for (let i = row; i < row + size; i += 4, to += 4) {
      const number0 = numbers[i];
      const number1 = numbers[i + 1];
      const number2 = numbers[i + 2];
      const number3 = numbers[i + 3];
      bits |= number0 | number1 | number2 | number3;
      out[to] = base + Math.imul(scale, number0);
      out[to + 1] = base + Math.imul(scale, number1);
      out[to + 2] = base + Math.imul(scale, number2);
      out[to + 3] = base + Math.imul(scale, number3);
    }
  }
  return bits;
}
