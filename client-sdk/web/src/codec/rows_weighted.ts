/** Rows by predictors 4 to 7, which weigh many numbers, from those above. See predict.ts. */
import { numbers } from './numbers.js';
import { twice } from './zigzag.js';

/** An eighth of the weighted sum of the numbers above: a of the row above, b of that above it. */
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

export function restoreRow4(row: number, n: number, nn: number, size: number): void {
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
    left = (left + ((sum4(a0, a1, a2, a3, b0, b1, b2, b3) + twice(numbers[row + i])) | 0)) >> 1;
    numbers[row + i] = left;
    const a4 = numbers[n + i + 2];
    const b4 = numbers[nn + i + 2];
    left = (left + ((sum4(a1, a2, a3, a4, b1, b2, b3, b4) + twice(numbers[row + i + 1])) | 0)) >> 1;
    numbers[row + i + 1] = left;
    const a5 = numbers[n + i + 3];
    const b5 = numbers[nn + i + 3];
    left = (left + ((sum4(a2, a3, a4, a5, b2, b3, b4, b5) + twice(numbers[row + i + 2])) | 0)) >> 1;
    numbers[row + i + 2] = left;
    const a6 = numbers[n + i + 4];
    const b6 = numbers[nn + i + 4];
    left = (left + ((sum4(a3, a4, a5, a6, b3, b4, b5, b6) + twice(numbers[row + i + 3])) | 0)) >> 1;
    numbers[row + i + 3] = left;
    a0 = a4;
    a1 = a5;
    a2 = a6;
    b0 = b4;
    b1 = b5;
    b2 = b6;
  }
}

/** An eighth of the weighted sum of the numbers above: a of the row above, b of that above it. */
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

export function restoreRow5(row: number, n: number, nn: number, size: number): void {
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
    left = (left + ((sum5(a0, a1, a2, a3, b0, b1, b2, b3) + twice(numbers[row + i])) | 0)) >> 1;
    numbers[row + i] = left;
    const a4 = numbers[n + i + 2];
    const b4 = numbers[nn + i + 2];
    left = (left + ((sum5(a1, a2, a3, a4, b1, b2, b3, b4) + twice(numbers[row + i + 1])) | 0)) >> 1;
    numbers[row + i + 1] = left;
    const a5 = numbers[n + i + 3];
    const b5 = numbers[nn + i + 3];
    left = (left + ((sum5(a2, a3, a4, a5, b2, b3, b4, b5) + twice(numbers[row + i + 2])) | 0)) >> 1;
    numbers[row + i + 2] = left;
    const a6 = numbers[n + i + 4];
    const b6 = numbers[nn + i + 4];
    left = (left + ((sum5(a3, a4, a5, a6, b3, b4, b5, b6) + twice(numbers[row + i + 3])) | 0)) >> 1;
    numbers[row + i + 3] = left;
    a0 = a4;
    a1 = a5;
    a2 = a6;
    b0 = b4;
    b1 = b5;
    b2 = b6;
  }
}

/** An eighth of the weighted sum of the numbers above: a of the row above, b of that above it. */
function sum6(a0: number, a1: number, a2: number, a3: number, b0: number, b3: number): number {
  return (Math.imul(a1, 11) + Math.imul(a2, 3) - (a0 << 2) - a3 - (b0 << 1) + b3 + 8) >> 3;
}

export function restoreRow6(row: number, n: number, nn: number, size: number): void {
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
    left = (left + ((sum6(a0, a1, a2, a3, b0, b3) + twice(numbers[row + i])) | 0)) >> 1;
    numbers[row + i] = left;
    const a4 = numbers[n + i + 2];
    const b4 = numbers[nn + i + 2];
    left = (left + ((sum6(a1, a2, a3, a4, b1, b4) + twice(numbers[row + i + 1])) | 0)) >> 1;
    numbers[row + i + 1] = left;
    const a5 = numbers[n + i + 3];
    const b5 = numbers[nn + i + 3];
    left = (left + ((sum6(a2, a3, a4, a5, b2, b5) + twice(numbers[row + i + 2])) | 0)) >> 1;
    numbers[row + i + 2] = left;
    const a6 = numbers[n + i + 4];
    const b6 = numbers[nn + i + 4];
    left = (left + ((sum6(a3, a4, a5, a6, b3, b6) + twice(numbers[row + i + 3])) | 0)) >> 1;
    numbers[row + i + 3] = left;
    a0 = a4;
    a1 = a5;
    a2 = a6;
    b0 = b4;
    b1 = b5;
    b2 = b6;
  }
}

/** An eighth of the weighted sum of the numbers above: a of the row above, b of that above it. */
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

export function restoreRow7(row: number, n: number, nn: number, size: number): void {
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
    left = (left + ((sum7(a0, a1, a2, a3, b0, b1, b2) + twice(numbers[row + i])) | 0)) >> 1;
    numbers[row + i] = left;
    const a4 = numbers[n + i + 2];
    const b4 = numbers[nn + i + 2];
    left = (left + ((sum7(a1, a2, a3, a4, b1, b2, b3) + twice(numbers[row + i + 1])) | 0)) >> 1;
    numbers[row + i + 1] = left;
    const a5 = numbers[n + i + 3];
    const b5 = numbers[nn + i + 3];
    left = (left + ((sum7(a2, a3, a4, a5, b2, b3, b4) + twice(numbers[row + i + 2])) | 0)) >> 1;
    numbers[row + i + 2] = left;
    const a6 = numbers[n + i + 4];
    const b6 = numbers[nn + i + 4];
    left = (left + ((sum7(a3, a4, a5, a6, b3, b4, b5) + twice(numbers[row + i + 3])) | 0)) >> 1;
    numbers[row + i + 3] = left;
    a0 = a4;
    a1 = a5;
    a2 = a6;
    b0 = b4;
    b1 = b5;
    b2 = b6;
  }
}
