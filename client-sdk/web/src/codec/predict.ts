/**
 * Numbers of a raster from their residuals: FORMAT.md, section 6. One function for each predictor,
 * in which weights are constants. All work modulo 2^32; who calls looks at all numbers at last.
 */
import { numbers, rowStart, strideOf } from './numbers.js';
import { restoreRow0, restoreRow1, restoreRow2, restoreRow3 } from './rows_simple.js';
import { restoreRow4, restoreRow5, restoreRow6, restoreRow7 } from './rows_weighted.js';
import { signed } from './zigzag.js';

/*
 * Rows are worked out four numbers at a time from number 1 on, so that one more is, which extend()
 * then overwrites: loops that do little in each turn are slow.
 *
 * Where the left neighbour's weight is 8, (8 left + sum) // 16 + r is (left + sum // 8 + 2 r) // 2,
 * so little waits for the left one; and 2 r of a zigzag number z is z or, if z is odd, ~z.
 */

/** Works out the row that begins at `row` from those that begin at `n` and, above it, at `nn`. */
type RestoreRow = (row: number, n: number, nn: number, size: number) => void;

/** Puts numbers in the places of their residuals. @param predictor  0 to 7 */
export function restoreNumbers(predictor: number, size: number): void {
  restoreFirstRow(predictor, size);
  const restoreRow = rowRestorers[predictor];
  const stride = strideOf(size);
  const end = rowStart(size, size);
  for (let row = rowStart(1, size), nn = rowStart(0, size); row < end; row += stride) {
    const n = row - stride;
    const expected = predictor === 0 ? numbers[n] : 2 * numbers[n] - numbers[nn];
    numbers[row] = expected + signed(numbers[row]);
    restoreRow(row, n, nn, size);
    extend(row, size);
    nn = n;
  }
}

function restoreFirstRow(predictor: number, size: number): void {
  const row = rowStart(0, size);
  let number = 0;
  let step = 0;
  for (let i = row; i < row + size; ++i) {
    const change = (signed(numbers[i]) + step) | 0;
    number = (number + change) | 0;
    numbers[i] = number;
    step = predictor === 0 || i === row ? 0 : change;
  }
  extend(row, size);
}

/** Beside their ends rows go on as straight lines. */
function extend(row: number, size: number): void {
  const step = (numbers[row] - numbers[row + 1]) | 0;
  numbers[row - 1] = numbers[row] + step;
  numbers[row - 2] = numbers[row] + 2 * step;
  numbers[row + size] = 2 * numbers[row + size - 1] - numbers[row + size - 2];
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
