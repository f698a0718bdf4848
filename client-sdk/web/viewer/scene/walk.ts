/** Walking: feet on the ground, around what stands there, swimming where water is deep. */

/** Something upright in the way: all that is within `radius` of a box. Blocks; z is up. */
export interface Solid {
  x0: number;
  y0: number;
  x1: number;
  y1: number;
  radius: number;
  bottom: number;
  top: number;
}

/** The land's surface at a place, and that of the water above it. */
export interface Footing {
  ground: number;
  water?: number;
}

/** What there is to walk on and into. */
export interface Terrain {
  /** undefined: not known. */
  ground(x: number, y: number): Footing | undefined;
  /** At least all within a block or two. */
  solids(x: number, y: number): readonly Solid[];
}

/** Where feet are. */
export interface Feet {
  x: number;
  y: number;
  z: number;
}

const steepest = Math.tan(Math.PI / 3); // rise per block that feet still climb
const stepUp = 1.05; // blocks: a block is climbed, as stairs are
const bodyWidth = 0.35; // from its middle
const bodyHeight = 1.8;
const swimDepth = 1.3; // of feet under the water's surface
const longest = 0.25; // blocks at once: less than what is thin

/** Whether water carries somebody there. */
export function swims({ ground, water }: Footing): boolean {
  return water !== undefined && water - ground > swimDepth;
}

/** Height at which somebody stands or swims who comes there at a height: on floors as well. */
export function standHeight(terrain: Terrain, { x, y, z }: Feet): number | undefined {
  const place = terrain.ground(x, y);
  if (!place) return undefined;
  let height = swims(place) ? (place.water ?? 0) - swimDepth : place.ground;
  for (const solid of terrain.solids(x, y)) {
    if (solid.top > height && solid.top <= z + stepUp && reachOf(solid, x, y) < bodyWidth / 2) {
      height = solid.top;
    }
  }
  return height;
}

/** How far a place is from a solid's side; negative inside. */
function reachOf(solid: Solid, x: number, y: number): number {
  const dx = Math.max(solid.x0 - x, x - solid.x1);
  const dy = Math.max(solid.y0 - y, y - solid.y1);
  const outside = Math.hypot(Math.max(dx, 0), Math.max(dy, 0));
  return outside + Math.min(Math.max(dx, dy), 0) - solid.radius;
}

/** The nearest place beside a solid. */
function pushedOut(solid: Solid, x: number, y: number): [number, number] {
  const nearX = Math.min(Math.max(x, solid.x0), solid.x1);
  const nearY = Math.min(Math.max(y, solid.y0), solid.y1);
  const away = Math.hypot(x - nearX, y - nearY);
  const room = solid.radius + bodyWidth;
  if (away > 1e-6) {
    return [nearX + ((x - nearX) / away) * room, nearY + ((y - nearY) / away) * room];
  }
  const ways = [x - solid.x0, solid.x1 - x, y - solid.y0, solid.y1 - y];
  switch (ways.indexOf(Math.min(...ways))) {
    case 0:
      return [solid.x0 - room, y];
    case 1:
      return [solid.x1 + room, y];
    case 2:
      return [x, solid.y0 - room];
    default:
      return [x, solid.y1 + room];
  }
}

function isInWay(solid: Solid, x: number, y: number, z: number): boolean {
  const tall = solid.top > z + stepUp && solid.bottom < z + bodyHeight;
  return tall && reachOf(solid, x, y) < bodyWidth - 1e-6;
}

/** A place beside all solids; undefined: there is none. */
function besideSolids(terrain: Terrain, x: number, y: number, z: number): Feet | undefined {
  for (let pass = 0; pass < 4; ++pass) {
    const hit = terrain.solids(x, y).find((solid) => isInWay(solid, x, y, z));
    if (!hit) return { x, y, z };
    [x, y] = pushedOut(hit, x, y);
  }
  return undefined;
}

/** A short way, as far as the land lets: along slopes that are too steep, not up. */
function alongLand(terrain: Terrain, from: Feet, goX: number, goY: number): [number, number] {
  const height = (x: number, y: number): number => terrain.ground(x, y)?.ground ?? from.z;
  const rise = (x: number, y: number): number =>
    (height(from.x + x, from.y + y) - height(from.x, from.y)) / Math.max(Math.hypot(x, y), 1e-9);
  const up = rise(goX, goY);
  if (up <= steepest) {
    const share = 1 / (1 + 0.4 * Math.max(up, 0) ** 2); // uphill is slow
    return [goX * share, goY * share];
  }
  const r = 0.5;
  const slopeX = height(from.x + r, from.y) - height(from.x - r, from.y);
  const slopeY = height(from.x, from.y + r) - height(from.x, from.y - r);
  const steep = Math.hypot(slopeX, slopeY);
  if (steep < 1e-9) return [0, 0];
  const along = (-goX * slopeY + goY * slopeX) / steep;
  const [x, y] = [(-along * slopeY) / steep, (along * slopeX) / steep];
  return rise(x, y) <= steepest ? [x, y] : [0, 0];
}

/** Walks by (dx, dy) blocks, as far as land and solids let; `from` is where nothing is known. */
export function walk(terrain: Terrain, from: Feet, dx: number, dy: number): Feet {
  const pieces = Math.max(Math.ceil(Math.hypot(dx, dy) / longest), 1);
  let feet = from;
  for (let piece = 0; piece < pieces; ++piece) {
    const place = terrain.ground(feet.x, feet.y);
    if (!place) return feet;
    const [goX, goY] = swims(place)
      ? [dx / pieces, dy / pieces]
      : alongLand(terrain, feet, dx / pieces, dy / pieces);
    const next = besideSolids(terrain, feet.x + goX, feet.y + goY, feet.z);
    const height = next && standHeight(terrain, next);
    if (!next || height === undefined) return feet;
    // What pushes somebody aside must not push them up a wall of rock.
    const way = Math.hypot(next.x - feet.x, next.y - feet.y);
    if (height - feet.z > Math.max(stepUp, steepest * way)) return feet;
    feet = { x: next.x, y: next.y, z: height };
  }
  return feet;
}
