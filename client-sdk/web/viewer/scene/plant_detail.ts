import type { Detail } from './plant_shapes.js';

/** Finest first: blocks away at most, and how large an error there may be of the same size. */
const steps: readonly { detail: Detail; blocks: number; error: number }[] = [
  { detail: 'near', blocks: 80, error: 0.25 },
  { detail: 'far', blocks: Infinity, error: 0.6 },
];

const slack = 1.2; // by how much things must change before a detail is given up for a coarser one

function rank(detail: Detail | undefined): number {
  const found = steps.findIndex((step) => step.detail === detail);
  return found < 0 ? steps.length : found;
}

/**
 * How much is drawn of the plants so many blocks away.
 * @param tolerance blocks of error allowed a block away
 * @param now what is drawn of them, if anything is
 */
export function detailAt(away: number, tolerance: number, now?: Detail): Detail {
  const drawn = rank(now);
  const found = steps.find(({ blocks, error }, k) => {
    const reach = Math.min(blocks, error / tolerance);
    return away < (k >= drawn ? reach * slack : reach);
  });
  return found?.detail ?? 'speck';
}
