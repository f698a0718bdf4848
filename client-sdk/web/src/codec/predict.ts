/**
 * Numbers of a raster from their residuals: FORMAT.md, section 6. One function for each predictor,
 * in which weights are constants. All work modulo 2^32; who calls looks at all numbers at last.
 */
import { residuals } from './residuals.js';

const margin = 2; // numbers beside either end of a row
/** Rows of numbers with margins: number (i, j) is at j * (size + 4) + 2 + i. */
export const numbers = new Int32Array((128 + 2 * margin) * 128 + 4);

/** Where row j begins. */
export function rowStart(j: number, size: number): number {
  return j * (size + 2 * margin) + margin;
}

/*
 * Rows are worked out four numbers at a time from number 1 on, so that one more is, which extend()
 * then overwrites: loops that do little in each turn are slow.
 *
 * Where the left neighbour's weight is 8, (8 left + sum) // 16 + r is (left + sum // 8 + 2 r) // 2,
 * so little waits for the left one; and 2 r of a zigzag number z is z or, if z is odd, ~z.
 */

/** One row from the two above it. All are indices of a row's first number. */
type RestoreRow = (row: number, n: number, nn: number, residual: number, size: number) => void;

/** Works all numbers out. @param predictor  0 to 7 */
export function restoreNumbers(predictor: number, size: number): void {
  restoreFirstRow(predictor, size);
  const restoreRow = rowRestorers[predictor];
  const stride = size + 2 * margin;
  let row = margin;
  for (let j = 1; j < size; ++j) {
    row += stride;
    const n = row - stride;
    const nn = j > 1 ? n - stride : n;
    const residual = residuals[j * size];
    const expected = predictor === 0 ? numbers[n] : 2 * numbers[n] - numbers[nn];
    numbers[row] = (expected + ((residual >>> 1) ^ -(residual & 1))) | 0;
    restoreRow(row, n, nn, j * size, size);
    extend(row, size);
  }
}

function restoreFirstRow(predictor: number, size: number): void {
  let number = 0;
  let step = 0;
  for (let i = 0; i < size; ++i) {
    const residual = residuals[i];
    const change = ((residual >>> 1) ^ -(residual & 1)) + step;
    number = (number + change) | 0;
    numbers[margin + i] = number;
    step = predictor === 0 || i === 0 ? 0 : change | 0;
  }
  extend(margin, size);
}

/** Beside their ends rows go on as straight lines. */
function extend(row: number, size: number): void {
  const step = (numbers[row] - numbers[row + 1]) | 0;
  numbers[row - 1] = numbers[row] + step;
  numbers[row - 2] = numbers[row] + 2 * step;
  numbers[row + size] = 2 * numbers[row + size - 1] - numbers[row + size - 2];
}

/** What a zigzag number stands for, and twice that. */
function signed(z: number): number {
  return (z >>> 1) ^ -(z & 1);
}
function twice(z: number): number {
  return z ^ -(z & 1);
}

function restoreRow0(row: number, _n: number, _nn: number, z: number, size: number): void {
  let left = numbers[row];
  for (let i = 1; i < size; i += 4) {
    left = (left + signed(residuals[z + i])) | 0;
    numbers[row + i] = left;
    left = (left + signed(residuals[z + i + 1])) | 0;
    numbers[row + i + 1] = left;
    left = (left + signed(residuals[z + i + 2])) | 0;
    numbers[row + i + 2] = left;
    left = (left + signed(residuals[z + i + 3])) | 0;
    numbers[row + i + 3] = left;
  }
}

function restoreRow1(row: number, n: number, _nn: number, z: number, size: number): void {
  // What changes along the row above changes along this one: only the difference adds up.
  let change = (numbers[row] - numbers[n]) | 0;
  for (let i = 1; i < size; i += 4) {
    change = (change + signed(residuals[z + i])) | 0;
    numbers[row + i] = numbers[n + i] + change;
    change = (change + signed(residuals[z + i + 1])) | 0;
    numbers[row + i + 1] = numbers[n + i + 1] + change;
    change = (change + signed(residuals[z + i + 2])) | 0;
    numbers[row + i + 2] = numbers[n + i + 2] + change;
    change = (change + signed(residuals[z + i + 3])) | 0;
    numbers[row + i + 3] = numbers[n + i + 3] + change;
  }
}

/** A number of the row above twice, less that of the one above it: their weights are 2 to 1. */
function above2(n: number, nn: number): number {
  return (2 * numbers[n] - numbers[nn]) | 0;
}

function restoreRow2(row: number, n: number, nn: number, z: number, size: number): void {
  let left = numbers[row];
  let c0 = above2(n - 1, nn - 1);
  let c1 = above2(n, nn);
  let c2 = above2(n + 1, nn + 1);
  for (let i = 1; i < size; i += 4) {
    const c3 = above2(n + i + 1, nn + i + 1);
    const c4 = above2(n + i + 2, nn + i + 2);
    const c5 = above2(n + i + 3, nn + i + 3);
    const c6 = above2(n + i + 4, nn + i + 4);
    left = (left + ((c2 + c3 - c0 - c1 + 2) >> 2) + signed(residuals[z + i])) | 0;
    numbers[row + i] = left;
    left = (left + ((c3 + c4 - c1 - c2 + 2) >> 2) + signed(residuals[z + i + 1])) | 0;
    numbers[row + i + 1] = left;
    left = (left + ((c4 + c5 - c2 - c3 + 2) >> 2) + signed(residuals[z + i + 2])) | 0;
    numbers[row + i + 2] = left;
    left = (left + ((c5 + c6 - c3 - c4 + 2) >> 2) + signed(residuals[z + i + 3])) | 0;
    numbers[row + i + 3] = left;
    c0 = c4;
    c1 = c5;
    c2 = c6;
  }
}

function restoreRow3(row: number, n: number, _nn: number, z: number, size: number): void {
  let left = numbers[row];
  for (let i = 1; i < size; i += 4) {
    left = (left + numbers[n + i] + 1 + twice(residuals[z + i])) >> 1;
    numbers[row + i] = left;
    left = (left + numbers[n + i + 1] + 1 + twice(residuals[z + i + 1])) >> 1;
    numbers[row + i + 1] = left;
    left = (left + numbers[n + i + 2] + 1 + twice(residuals[z + i + 2])) >> 1;
    numbers[row + i + 2] = left;
    left = (left + numbers[n + i + 3] + 1 + twice(residuals[z + i + 3])) >> 1;
    numbers[row + i + 3] = left;
  }
}

/** An eighth of the weighted sum of the neighbours above: a of the row above, b of that above it. */
function sum4(
  a0: number,
  a1: number,
  a2: number,
  a3: number,
  b0: number,
  b1: number,
  b2: number,
  b3: number,
): number {
  return (((a2 + a3) << 3) + a1 - a0 - b0 - b1 - (b2 << 1) - (b3 << 2) + 8) >> 3;
}

function restoreRow4(row: number, n: number, nn: number, z: number, size: number): void {
  let left = numbers[row];
  let a0 = numbers[n - 1];
  let a1 = numbers[n];
  let a2 = numbers[n + 1];
  let b0 = numbers[nn - 1];
  let b1 = numbers[nn];
  let b2 = numbers[nn + 1];
  for (let i = 1; i < size; i += 4) {
    const a3 = numbers[n + i + 1];
    const b3 = numbers[nn + i + 1];
    left = (left + sum4(a0, a1, a2, a3, b0, b1, b2, b3) + twice(residuals[z + i])) >> 1;
    numbers[row + i] = left;
    const a4 = numbers[n + i + 2];
    const b4 = numbers[nn + i + 2];
    left = (left + sum4(a1, a2, a3, a4, b1, b2, b3, b4) + twice(residuals[z + i + 1])) >> 1;
    numbers[row + i + 1] = left;
    const a5 = numbers[n + i + 3];
    const b5 = numbers[nn + i + 3];
    left = (left + sum4(a2, a3, a4, a5, b2, b3, b4, b5) + twice(residuals[z + i + 2])) >> 1;
    numbers[row + i + 2] = left;
    const a6 = numbers[n + i + 4];
    const b6 = numbers[nn + i + 4];
    left = (left + sum4(a3, a4, a5, a6, b3, b4, b5, b6) + twice(residuals[z + i + 3])) >> 1;
    numbers[row + i + 3] = left;
    a0 = a4;
    a1 = a5;
    a2 = a6;
    b0 = b4;
    b1 = b5;
    b2 = b6;
  }
}

/** An eighth of the weighted sum of the neighbours above: a of the row above, b of that above it. */
function sum5(
  a0: number,
  a1: number,
  a2: number,
  a3: number,
  b0: number,
  b1: number,
  b2: number,
  b3: number,
): number {
  return (a0 + (a1 << 1) + Math.imul(a2, 5) + (a3 << 3) - a3 - ((b0 + b1 + b2) << 1) - b3 + 8) >> 3;
}

function restoreRow5(row: number, n: number, nn: number, z: number, size: number): void {
  let left = numbers[row];
  let a0 = numbers[n - 1];
  let a1 = numbers[n];
  let a2 = numbers[n + 1];
  let b0 = numbers[nn - 1];
  let b1 = numbers[nn];
  let b2 = numbers[nn + 1];
  for (let i = 1; i < size; i += 4) {
    const a3 = numbers[n + i + 1];
    const b3 = numbers[nn + i + 1];
    left = (left + sum5(a0, a1, a2, a3, b0, b1, b2, b3) + twice(residuals[z + i])) >> 1;
    numbers[row + i] = left;
    const a4 = numbers[n + i + 2];
    const b4 = numbers[nn + i + 2];
    left = (left + sum5(a1, a2, a3, a4, b1, b2, b3, b4) + twice(residuals[z + i + 1])) >> 1;
    numbers[row + i + 1] = left;
    const a5 = numbers[n + i + 3];
    const b5 = numbers[nn + i + 3];
    left = (left + sum5(a2, a3, a4, a5, b2, b3, b4, b5) + twice(residuals[z + i + 2])) >> 1;
    numbers[row + i + 2] = left;
    const a6 = numbers[n + i + 4];
    const b6 = numbers[nn + i + 4];
    left = (left + sum5(a3, a4, a5, a6, b3, b4, b5, b6) + twice(residuals[z + i + 3])) >> 1;
    numbers[row + i + 3] = left;
    a0 = a4;
    a1 = a5;
    a2 = a6;
    b0 = b4;
    b1 = b5;
    b2 = b6;
  }
}

/** An eighth of the weighted sum of the neighbours above: a of the row above, b of that above it. */
function sum6(
  a0: number,
  a1: number,
  a2: number,
  a3: number,
  b0: number,
  b3: number,
): number {
  return (Math.imul(a1, 11) + Math.imul(a2, 3) - (a0 << 2) - a3 - (b0 << 1) + b3 + 8) >> 3;
}

function restoreRow6(row: number, n: number, nn: number, z: number, size: number): void {
  let left = numbers[row];
  let a0 = numbers[n - 1];
  let a1 = numbers[n];
  let a2 = numbers[n + 1];
  let b0 = numbers[nn - 1];
  let b1 = numbers[nn];
  let b2 = numbers[nn + 1];
  for (let i = 1; i < size; i += 4) {
    const a3 = numbers[n + i + 1];
    const b3 = numbers[nn + i + 1];
    left = (left + sum6(a0, a1, a2, a3, b0, b3) + twice(residuals[z + i])) >> 1;
    numbers[row + i] = left;
    const a4 = numbers[n + i + 2];
    const b4 = numbers[nn + i + 2];
    left = (left + sum6(a1, a2, a3, a4, b1, b4) + twice(residuals[z + i + 1])) >> 1;
    numbers[row + i + 1] = left;
    const a5 = numbers[n + i + 3];
    const b5 = numbers[nn + i + 3];
    left = (left + sum6(a2, a3, a4, a5, b2, b5) + twice(residuals[z + i + 2])) >> 1;
    numbers[row + i + 2] = left;
    const a6 = numbers[n + i + 4];
    const b6 = numbers[nn + i + 4];
    left = (left + sum6(a3, a4, a5, a6, b3, b6) + twice(residuals[z + i + 3])) >> 1;
    numbers[row + i + 3] = left;
    a0 = a4;
    a1 = a5;
    a2 = a6;
    b0 = b4;
    b1 = b5;
    b2 = b6;
  }
}

/** An eighth of the weighted sum of the neighbours above: a of the row above, b of that above it. */
function sum7(
  a0: number,
  a1: number,
  a2: number,
  a3: number,
  b0: number,
  b1: number,
  b2: number,
): number {
  return (a0 + Math.imul(a1 - b0 - b1, 3) + Math.imul(a2, 5) + (a3 << 3) - a3 - (b2 << 1) + 8) >> 3;
}

function restoreRow7(row: number, n: number, nn: number, z: number, size: number): void {
  let left = numbers[row];
  let a0 = numbers[n - 1];
  let a1 = numbers[n];
  let a2 = numbers[n + 1];
  let b0 = numbers[nn - 1];
  let b1 = numbers[nn];
  let b2 = numbers[nn + 1];
  for (let i = 1; i < size; i += 4) {
    const a3 = numbers[n + i + 1];
    const b3 = numbers[nn + i + 1];
    left = (left + sum7(a0, a1, a2, a3, b0, b1, b2) + twice(residuals[z + i])) >> 1;
    numbers[row + i] = left;
    const a4 = numbers[n + i + 2];
    const b4 = numbers[nn + i + 2];
    left = (left + sum7(a1, a2, a3, a4, b1, b2, b3) + twice(residuals[z + i + 1])) >> 1;
    numbers[row + i + 1] = left;
    const a5 = numbers[n + i + 3];
    const b5 = numbers[nn + i + 3];
    left = (left + sum7(a2, a3, a4, a5, b2, b3, b4) + twice(residuals[z + i + 2])) >> 1;
    numbers[row + i + 2] = left;
    const a6 = numbers[n + i + 4];
    const b6 = numbers[nn + i + 4];
    left = (left + sum7(a3, a4, a5, a6, b3, b4, b5) + twice(residuals[z + i + 3])) >> 1;
    numbers[row + i + 3] = left;
    a0 = a4;
    a1 = a5;
    a2 = a6;
    b0 = b4;
    b1 = b5;
    b2 = b6;
  }
}

const rowRestorers: readonly RestoreRow[] = [
  restoreRow0,
  restoreRow1,
  restoreRow2,
  restoreRow3,
  restoreRow4,
  restoreRow5,
  restoreRow6,
  restoreRow7,
];
