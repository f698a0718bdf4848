/**
 * Unsigned integers of 64 bits as two of 32, since BigInt would be many times slower. Functions
 * return the lower half and leave the upper one in `high`.
 */

/** The upper half of the latest result. */
export let high = 0;

/** The upper half of a product of two numbers of 32 bits. */
export function mulHigh(a: number, b: number): number {
  const aLow = a & 0xffff;
  const aHigh = a >>> 16;
  const bLow = b & 0xffff;
  const bHigh = b >>> 16;
  const middle = (Math.imul(aHigh, bLow) + (Math.imul(aLow, bLow) >>> 16)) | 0;
  const other = (Math.imul(aLow, bHigh) + (middle & 0xffff)) | 0;
  return (Math.imul(aHigh, bHigh) + (middle >>> 16) + (other >>> 16)) | 0;
}

export function add64(low: number, high_: number, low2: number, high2: number): number {
  const sum = (low + low2) | 0;
  high = (high_ + high2 + (sum >>> 0 < low >>> 0 ? 1 : 0)) | 0;
  return sum;
}

export function sub64(low: number, high_: number, low2: number, high2: number): number {
  high = (high_ - high2 - (low >>> 0 < low2 >>> 0 ? 1 : 0)) | 0;
  return (low - low2) | 0;
}

/** The product modulo 2^64. */
export function mul64(low: number, high_: number, low2: number, high2: number): number {
  high = (mulHigh(low, low2) + Math.imul(low, high2) + Math.imul(high_, low2)) | 0;
  return Math.imul(low, low2);
}

/** The lower and the upper 64 bits of the product, one xor the other. */
export function mulFold64(low: number, high_: number, low2: number, high2: number): number {
  const low0 = Math.imul(low, low2);
  const high0 = mulHigh(low, low2);
  let middle = Math.imul(low, high2);
  let carry = mulHigh(low, high2);
  middle = (middle + high0) | 0;
  if (middle >>> 0 < high0 >>> 0) carry = (carry + 1) | 0;
  const other = Math.imul(high_, low2);
  const carry2 = mulHigh(high_, low2);
  middle = (middle + other) | 0;
  const carry3 = middle >>> 0 < other >>> 0 ? 1 : 0;
  // the upper half of the product: high_ * high2 + carry + carry2 + carry3
  let upper = add64(Math.imul(high_, high2), mulHigh(high_, high2), carry, 0);
  upper = add64(upper, high, carry2, 0);
  upper = add64(upper, high, carry3, 0);
  high ^= middle;
  return low0 ^ upper;
}
