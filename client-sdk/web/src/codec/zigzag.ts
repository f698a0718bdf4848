/** Signed numbers as unsigned ones: 0, -1, 1, -2, … are 0, 1, 2, 3, … */

/** What a zigzag number stands for. */
export function signed(z: number): number {
  return (z >>> 1) ^ -(z & 1);
}

/** Twice what it stands for. */
export function twice(z: number): number {
  return z ^ -(z & 1);
}
