/** What stands on the land, as marks for the painter. */
import type { Bundle } from './bundle.js';
import type { Legend, Look } from './legend.js';
import type { Square } from './level.js';
import type { Mark } from './paint/job.js';

const reach = 64; // blocks: the widest things there are

/** What stands in a square of blocks or reaches into it: placements in relief, rooms if wanted. */
export function marksOf(legend: Legend, look: Look, square: Square, bundles: Bundle[]): Mark[] {
  const placements =
    look.style === 'relief' ? bundles.flatMap((one) => crowns(one, legend, square)) : [];
  const rooms = look.structures ? bundles.flatMap((one) => roomsOf(one, legend, square)) : [];
  return [...placements, ...rooms];
}

function isNear(square: Square, { x, y }: { x: number; y: number }): boolean {
  const past = square.width + reach;
  return (
    x >= square.x - reach && x < square.x + past && y >= square.y - reach && y < square.y + past
  );
}

function crowns({ placements }: Bundle, { world }: Legend, square: Square): Mark[] {
  return placements.flatMap((one) => {
    const kind = world.placementKinds[one.kind];
    if (!kind || !isNear(square, one)) return [];
    const radius = (kind.radius / 16) * (one.scale / 100);
    const [x, y] = [one.x - square.x, one.y - square.y];
    return { x, y, radius, width: 0, height: 0, color: kind.color };
  });
}

function roomsOf({ rooms }: Bundle, { world }: Legend, square: Square): Mark[] {
  return rooms.flatMap((one) => {
    const kind = world.structureKinds[one.kind];
    const piece = kind?.pieces[one.piece];
    if (!kind || !piece || !isNear(square, one)) return [];
    const isAcross = one.turn % 2 === 1;
    return {
      ...{ x: one.x - square.x, y: one.y - square.y, radius: 0, color: kind.color },
      width: isAcross ? piece.depth : piece.width,
      height: isAcross ? piece.width : piece.depth,
    };
  });
}
