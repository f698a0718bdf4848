import type { DecodedChunk, StructureKindInfo } from '../../src/index.js';
import { hash } from './ground_paint.js';
import { planRoom, type RoomPlan } from './room_plan.js';
import type { Solid } from './walk.js';

/** One storey of a room that stands above the ground. */
export interface Storey {
  plan: RoomPlan;
  level: number;
  /** Of its floor, blocks. */
  floor: number;
  /** Whether nothing stands on it. */
  isTop: boolean;
  /** Number of the structure's kind. */
  kind: number;
}

export const doorHeight = 2.4; // blocks
export const foundation = 2.5; // blocks under the lowest floor
export const plate = 0.08; // by which the floor is higher than its number says

/** Whether walls of structures of that name have fallen, and there is no roof. */
export function isRuin(name: string): boolean {
  return /ruin|broken|old/.test(name);
}

/** The storeys of a chunk's rooms that can be seen. */
export function storeysOf(chunk: DecodedChunk, kinds: readonly StructureKindInfo[]): Storey[] {
  const plans: [RoomPlan, number][] = [];
  for (const room of chunk.rooms) {
    const kind = kinds[room.kind];
    const plan = kind && planRoom(room, kind);
    if (plan) plans.push([plan, room.kind]);
  }
  const storeys: Storey[] = [];
  for (const [plan, kind] of plans) {
    const ground = groundAt(chunk, plan.x + plan.width / 2, plan.y + plan.depth / 2);
    for (let level = 0; level < plan.levels; ++level) {
      const floor = plan.floor + level * plan.storey;
      if (floor + plan.storey <= ground + 0.5) continue; // below the ground
      const isTop = level === plan.levels - 1 && !plans.some(([other]) => liesOn(other, plan));
      storeys.push({ plan, level, floor, isTop, kind });
    }
  }
  return storeys;
}

function groundAt(chunk: DecodedChunk, x: number, y: number): number {
  const last = chunk.size - 1;
  const i = Math.min(Math.max(Math.floor(x), 0), last);
  const j = Math.min(Math.max(Math.floor(y), 0), last);
  return (chunk.layers.height?.[j * chunk.size + i] ?? 0) / 16;
}

function liesOn(upper: RoomPlan, lower: RoomPlan): boolean {
  return (
    upper.floor >= lower.floor + lower.levels * lower.storey - 0.5 &&
    upper.x < lower.x + lower.width &&
    lower.x < upper.x + upper.width &&
    upper.y < lower.y + lower.depth &&
    lower.y < upper.y + upper.depth
  );
}

/** The blocks of a storey's walls, each once. */
export function wallBlocks({ x, y, width, depth }: RoomPlan): [number, number][] {
  const blocks: [number, number][] = [];
  for (let k = 0; k < width; ++k) blocks.push([x + k, y], [x + k, y + depth - 1]);
  for (let k = 1; k + 1 < depth; ++k) blocks.push([x, y + k], [x + width - 1, y + k]);
  return blocks;
}

/** Where a wall block ends at the top. */
export function wallTop({ plan, floor }: Storey, ruined: boolean, x: number, y: number): number {
  if (!ruined) return floor + plan.storey;
  const wave = hash(Math.floor((x + plan.x) / 3), Math.floor((y + plan.y) / 3));
  return floor + plan.storey * Math.min(0.15 + 0.75 * wave + 0.25 * hash(x, y), 1.05);
}

/** Whether a wall block has a door. */
export function hasDoor({ plan, level }: Storey, x: number, y: number): boolean {
  return plan.doors.some((gap) => gap.level === level && gap.x === x && gap.y === y);
}

/** What of a storey is in the way of somebody: its floor, and its walls but for doors. */
export function solidsOfStorey(storey: Storey, ruined: boolean): Solid[] {
  const { plan, floor, level } = storey;
  const { x, y, width, depth } = plan;
  const under = level === 0 ? floor - foundation : floor;
  const slab = { x0: x, y0: y, x1: x + width, y1: y + depth, radius: 0 };
  const solids: Solid[] = [{ ...slab, bottom: under, top: floor + plate }];
  for (const [a, b] of wallBlocks(plan)) {
    const bottom = hasDoor(storey, a, b) ? floor + doorHeight : floor;
    const top = wallTop(storey, ruined, a, b);
    const block = { x0: a, y0: b, x1: a + 1, y1: b + 1, radius: 0 };
    if (top > bottom) solids.push({ ...block, bottom, top });
  }
  return solids;
}
