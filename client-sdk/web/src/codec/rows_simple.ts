/** Rows by predictors 0 to 3 from those above: FORMAT.md, section 6. See predict.ts. */
import { numbers } from './numbers.js';
import { signed, twice } from './zigzag.js';

export function restoreRow0(row: number, _n: number, _nn: number, size: number): void {
  let left = numbers[row];
  for (let i = 1; i < size; i += 4) {
    left = (left + signed(numbers[row + i])) | 0;
    numbers[row + i] = left;
    left = (left + signed(numbers[row + i + 1])) | 0;
    numbers[row + i + 1] = left;
    left = (left + signed(numbers[row + i + 2])) | 0;
    numbers[row + i + 2] = left;
    left = (left + signed(numbers[row + i + 3])) | 0;
    numbers[row + i + 3] = left;
  }
}

export function restoreRow1(row: number, n: number, _nn: number, size: number): void {
  // What changes along the row above changes along this one: only the difference adds up.
  let change = (numbers[row] - numbers[n]) | 0;
  for (let i = 1; i < size; i += 4) {
    change = (change + signed(numbers[row + i])) | 0;
    numbers[row + i] = numbers[n + i] + change;
    change = (change + signed(numbers[row + i + 1])) | 0;
    numbers[row + i + 1] = numbers[n + i + 1] + change;
    change = (change + signed(numbers[row + i + 2])) | 0;
    numbers[row + i + 2] = numbers[n + i + 2] + change;
    change = (change + signed(numbers[row + i + 3])) | 0;
    numbers[row + i + 3] = numbers[n + i + 3] + change;
  }
}

/** A number of the row above twice, less that of the one above it: their weights are 2 to 1. */
function above2(n: number, nn: number): number {
  return (2 * numbers[n] - numbers[nn]) | 0;
}

export function restoreRow2(row: number, n: number, nn: number, size: number): void {
  let left = numbers[row];
  let c0 = above2(n - 1, nn - 1);
  let c1 = above2(n, nn);
  let c2 = above2(n + 1, nn + 1);
  for (let i = 1; i < size; i += 4) {
    const c3 = above2(n + i + 1, nn + i + 1);
    const c4 = above2(n + i + 2, nn + i + 2);
    const c5 = above2(n + i + 3, nn + i + 3);
    const c6 = above2(n + i + 4, nn + i + 4);
    left = (left + ((((c2 + c3 - c0 - c1 + 2) >> 2) + signed(numbers[row + i])) | 0)) | 0;
    numbers[row + i] = left;
    left = (left + ((((c3 + c4 - c1 - c2 + 2) >> 2) + signed(numbers[row + i + 1])) | 0)) | 0;
    numbers[row + i + 1] = left;
    left = (left + ((((c4 + c5 - c2 - c3 + 2) >> 2) + signed(numbers[row + i + 2])) | 0)) | 0;
    numbers[row + i + 2] = left;
    left = (left + ((((c5 + c6 - c3 - c4 + 2) >> 2) + signed(numbers[row + i + 3])) | 0)) | 0;
    numbers[row + i + 3] = left;
    c0 = c4;
    c1 = c5;
    c2 = c6;
  }
}

export function restoreRow3(row: number, n: number, _nn: number, size: number): void {
  let left = numbers[row];
  for (let i = 1; i < size; i += 4) {
    left = (left + ((numbers[n + i] + 1 + twice(numbers[row + i])) | 0)) >> 1;
    numbers[row + i] = left;
    left = (left + ((numbers[n + i + 1] + 1 + twice(numbers[row + i + 1])) | 0)) >> 1;
    numbers[row + i + 1] = left;
    left = (left + ((numbers[n + i + 2] + 1 + twice(numbers[row + i + 2])) | 0)) >> 1;
    numbers[row + i + 2] = left;
    left = (left + ((numbers[n + i + 3] + 1 + twice(numbers[row + i + 3])) | 0)) >> 1;
    numbers[row + i + 3] = left;
  }
}
