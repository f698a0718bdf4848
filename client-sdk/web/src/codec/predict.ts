/**
 * Numbers of a raster from their residuals: FORMAT.md, section 6. One function for each predictor,
 * in which weights are constants. All work modulo 2^32; who calls looks at all numbers at last.
 */
import { residuals } from './residuals.js';

const margin = 2; // numbers beside either end of a row
/** Rows of numbers with margins: number (i, j) is at j * (size + 4) + 2 + i. */
export const numbers = new Int32Array((128 + 2 * margin) * 128);

/** Where row j begins. */
export function rowStart(j: number, size: number): number {
  return j * (size + 2 * margin) + margin;
}

/*
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

const restoreRow0: RestoreRow = (row, _n, _nn, residual, size) => {
  let left = numbers[row];
  for (let i = 1; i < size; ++i) {
    const r = residuals[residual + i];
    left = (left + ((r >>> 1) ^ -(r & 1))) | 0;
    numbers[row + i] = left;
  }
};

const restoreRow1: RestoreRow = (row, n, _nn, residual, size) => {
  let left = numbers[row];
  let a1 = numbers[n];
  for (let i = 1; i < size; ++i) {
    const r = residuals[residual + i];
    const a2 = numbers[n + i];
    left = (left + a2 - a1 + ((r >>> 1) ^ -(r & 1))) | 0;
    numbers[row + i] = left;
    a1 = a2;
  }
};

const restoreRow2: RestoreRow = (row, n, nn, residual, size) => {
  let left = numbers[row];
  // 2 a - b, as their weights are twice each other's
  let c0 = 2 * numbers[n - 1] - numbers[nn - 1];
  let c1 = 2 * numbers[n] - numbers[nn];
  let c2 = 2 * numbers[n + 1] - numbers[nn + 1];
  for (let i = 1; i < size; ++i) {
    const c3 = (2 * numbers[n + i + 1] - numbers[nn + i + 1]) | 0;
    const r = residuals[residual + i];
    const sum = (c2 + c3 - c0 - c1 + 2) | 0;
    left = (left + (sum >> 2) + ((r >>> 1) ^ -(r & 1))) | 0;
    numbers[row + i] = left;
    c0 = c1 | 0;
    c1 = c2 | 0;
    c2 = c3;
  }
};

const restoreRow3: RestoreRow = (row, n, _nn, residual, size) => {
  let left = numbers[row];
  for (let i = 1; i < size; ++i) {
    const r = residuals[residual + i];
    left = (left + numbers[n + i] + 1 + (r ^ -(r & 1))) >> 1;
    numbers[row + i] = left;
  }
};

const restoreRow4: RestoreRow = (row, n, nn, residual, size) => {
  let left = numbers[row];
  let a0 = numbers[n - 1];
  let a1 = numbers[n];
  let a2 = numbers[n + 1];
  let b0 = numbers[nn - 1];
  let b1 = numbers[nn];
  let b2 = numbers[nn + 1];
  for (let i = 1; i < size; ++i) {
    const a3 = numbers[n + i + 1];
    const b3 = numbers[nn + i + 1];
    const r = residuals[residual + i];
    const sum = (((a2 + a3) << 3) + a1 - a0 - b0 - b1 - (b2 << 1) - (b3 << 2) + 8) | 0;
    left = (left + (sum >> 3) + (r ^ -(r & 1))) >> 1;
    numbers[row + i] = left;
    a0 = a1;
    a1 = a2;
    a2 = a3;
    b0 = b1;
    b1 = b2;
    b2 = b3;
  }
};

const restoreRow5: RestoreRow = (row, n, nn, residual, size) => {
  let left = numbers[row];
  let a0 = numbers[n - 1];
  let a1 = numbers[n];
  let a2 = numbers[n + 1];
  let b0 = numbers[nn - 1];
  let b1 = numbers[nn];
  let b2 = numbers[nn + 1];
  for (let i = 1; i < size; ++i) {
    const a3 = numbers[n + i + 1];
    const b3 = numbers[nn + i + 1];
    const r = residuals[residual + i];
    const above = (a0 + (a1 << 1) + (a2 << 2) + a2 + (a3 << 3) - a3) | 0;
    const sum = (above - ((b0 + b1 + b2) << 1) - b3 + 8) | 0;
    left = (left + (sum >> 3) + (r ^ -(r & 1))) >> 1;
    numbers[row + i] = left;
    a0 = a1;
    a1 = a2;
    a2 = a3;
    b0 = b1;
    b1 = b2;
    b2 = b3;
  }
};

const restoreRow6: RestoreRow = (row, n, nn, residual, size) => {
  let left = numbers[row];
  let a0 = numbers[n - 1];
  let a1 = numbers[n];
  let a2 = numbers[n + 1];
  for (let i = 1; i < size; ++i) {
    const a3 = numbers[n + i + 1];
    const r = residuals[residual + i];
    const above = (Math.imul(a1, 11) + Math.imul(a2, 3) - (a0 << 2) - a3) | 0;
    const sum = (above - (numbers[nn + i - 2] << 1) + numbers[nn + i + 1] + 8) | 0;
    left = (left + (sum >> 3) + (r ^ -(r & 1))) >> 1;
    numbers[row + i] = left;
    a0 = a1;
    a1 = a2;
    a2 = a3;
  }
};

const restoreRow7: RestoreRow = (row, n, nn, residual, size) => {
  let left = numbers[row];
  let a0 = numbers[n - 1];
  let a1 = numbers[n];
  let a2 = numbers[n + 1];
  for (let i = 1; i < size; ++i) {
    const a3 = numbers[n + i + 1];
    const r = residuals[residual + i];
    const above = (a0 + Math.imul(a1, 3) + Math.imul(a2, 5) + (a3 << 3) - a3) | 0;
    const before = (numbers[nn + i - 2] + numbers[nn + i - 1]) | 0;
    const sum = (above - Math.imul(before, 3) - (numbers[nn + i] << 1) + 8) | 0;
    left = (left + (sum >> 3) + (r ^ -(r & 1))) >> 1;
    numbers[row + i] = left;
    a0 = a1;
    a1 = a2;
    a2 = a3;
  }
};

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
