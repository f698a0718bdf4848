/** Where a raster is worked out: residuals first, which numbers then take the places of. */

const margin = 2; // places beside either end of a row
const maxSize = 128;

/** Rows with margins, which look as if rows went on. Longer by what loops look further. */
export const numbers = new Int32Array((maxSize + 2 * margin) * maxSize + 4);

/** Places from one row's first number to the next one's. */
export function strideOf(size: number): number {
  return size + 2 * margin;
}

/** Where row j begins. */
export function rowStart(j: number, size: number): number {
  return j * strideOf(size) + margin;
}

/** Where the i-th of all numbers is. @param sizeLog2  of the raster */
export function placeOf(i: number, sizeLog2: number): number {
  return i + (i >> sizeLog2) * 2 * margin + margin;
}
