import { DoubleSide, Mesh, ShaderMaterial } from 'three';
import type { DecodedChunk, World } from '../../src/index.js';
import type { AirUniforms } from './air.js';
import { MeshBoxes, type Rgb } from './mesh_boxes.js';
import { hueOf } from './plants.js';
import type { RoomPlan } from './room_plan.js';
import { buildingFragment, buildingVertex } from './shaders/objects.js';
import {
  doorHeight,
  foundation,
  hasDoor,
  isRuin,
  plate,
  storeysOf,
  wallBlocks,
  wallTop,
  type Storey,
} from './storeys.js';

/** How a kind of structure is built. */
interface Style {
  wall: Rgb;
  stone: Rgb;
  roof: Rgb;
  door: Rgb;
  /** Walls have fallen, and there is no roof. */
  ruined: boolean;
}

function styleOf(name: string, color: number): Style {
  const own = hueOf(color);
  const stone: Rgb = [0.58, 0.56, 0.53];
  const door: Rgb = [0.3, 0.21, 0.15];
  if (isRuin(name)) return { wall: own, stone: own, roof: own, door, ruined: true };
  if (/dungeon|crypt|cave|mine/.test(name)) {
    return { wall: stone, stone, roof: [0.42, 0.41, 0.42], door: [0.1, 0.09, 0.1], ruined: false };
  }
  return { wall: [0.86, 0.81, 0.7], stone, roof: own, door, ruined: false };
}

/** Draws the rooms that stand above the ground. One for the scene. */
export class Buildings {
  readonly #styles: Style[];
  readonly #material: ShaderMaterial;

  constructor(
    private readonly world: World,
    air: AirUniforms,
  ) {
    this.#styles = world.structureKinds.map((kind) => styleOf(kind.name, kind.color));
    this.#material = new ShaderMaterial({
      vertexShader: buildingVertex,
      fragmentShader: buildingFragment,
      uniforms: air,
      side: DoubleSide,
    });
  }

  /** A mesh of the chunk's buildings, relative to it; undefined: it has none. */
  draw(chunk: DecodedChunk): Mesh | undefined {
    const boxes = new MeshBoxes();
    for (const storey of storeysOf(chunk, this.world.structureKinds)) {
      drawStorey(boxes, storey, this.#styles[storey.kind]);
    }
    if (boxes.isEmpty) return undefined;
    const mesh = new Mesh(boxes.build(), this.#material);
    mesh.frustumCulled = false;
    return mesh;
  }

  dispose(): void {
    this.#material.dispose();
  }
}

function drawStorey(boxes: MeshBoxes, storey: Storey, style: Style): void {
  const { plan, floor, level, isTop } = storey;
  const { x, y, width, depth } = plan;
  if (level === 0) {
    boxes.box(x, floor - foundation, y, x + width, floor + plate, y + depth, style.stone);
  }
  for (const [a, b] of wallBlocks(plan)) drawWallBlock(boxes, storey, style, a, b);
  if (isTop && !style.ruined) drawRoof(boxes, plan, style, floor + plan.storey);
}

/** One block of a wall: whole, with a door, with a window, or fallen down to some height. */
function drawWallBlock(
  boxes: MeshBoxes,
  storey: Storey,
  style: Style,
  x: number,
  y: number,
): void {
  const { plan, floor } = storey;
  const top = wallTop(storey, style.ruined, x, y);
  const corner =
    (x === plan.x || x === plan.x + plan.width - 1) &&
    (y === plan.y || y === plan.y + plan.depth - 1);
  const color: Rgb = corner || style.ruined ? style.stone : style.wall;
  if (!hasDoor(storey, x, y)) {
    boxes.box(x, floor, y, x + 1, top, y + 1, color);
    const windowed = !style.ruined && !corner && (x + 2 * y + plan.x) % 3 === 0;
    if (windowed) drawWindow(boxes, plan, floor, x, y);
    return;
  }
  if (top > floor + doorHeight) {
    boxes.box(x, floor + doorHeight, y, x + 1, top, y + 1, style.stone);
  }
  if (!style.ruined) {
    const alongX = y === plan.y || y === plan.y + plan.depth - 1;
    const inset = 0.4;
    if (alongX) {
      boxes.box(x, floor, y + inset, x + 1, floor + doorHeight, y + 1 - inset, style.door);
    } else {
      boxes.box(x + inset, floor, y, x + 1 - inset, floor + doorHeight, y + 1, style.door);
    }
  }
}

const glass: Rgb = [0.2, 0.24, 0.28];

function drawWindow(boxes: MeshBoxes, plan: RoomPlan, floor: number, x: number, y: number): void {
  const [low, high] = [floor + 1.2, floor + 2.4];
  const out = 0.03;
  if (y === plan.y || y === plan.y + plan.depth - 1) {
    boxes.box(x + 0.2, low, y - out, x + 0.8, high, y + 1 + out, glass);
  } else {
    boxes.box(x - out, low, y + 0.2, x + 1 + out, high, y + 0.8, glass);
  }
}

/** A saddle roof along the longer side, with gables. */
function drawRoof(boxes: MeshBoxes, plan: RoomPlan, style: Style, base: number): void {
  const eave = 0.6;
  const alongX = plan.width >= plan.depth;
  const span = (alongX ? plan.depth : plan.width) / 2;
  const ridge = base + 0.85 * span;
  const drop = base - 0.85 * eave;
  const [lo, hi] = alongX ? [plan.y, plan.y + plan.depth] : [plan.x, plan.x + plan.width];
  const [from, to] = alongX
    ? [plan.x - 0.4, plan.x + plan.width + 0.4]
    : [plan.y - 0.4, plan.y + plan.depth + 0.4];
  const mid = (lo + hi) / 2;
  const at = (along: number, up: number, across: number): [number, number, number] =>
    alongX ? [along, up, across] : [across, up, along];
  const slope = (eaveAt: number, flip: boolean): void => {
    const corners = [
      at(from, drop, eaveAt),
      at(to, drop, eaveAt),
      at(to, ridge, mid),
      at(from, ridge, mid),
    ];
    boxes.face(flip ? corners.reverse() : corners, style.roof, drop - 2, ridge);
  };
  slope(hi + eave, !alongX);
  slope(lo - eave, alongX);
  for (const [end, flip] of [
    [from + 0.4, alongX],
    [to - 0.4, !alongX],
  ] as const) {
    const corners = [at(end, base, lo), at(end, base, hi), at(end, ridge - 0.1, mid)];
    boxes.face(flip ? corners : corners.reverse(), style.wall, base - 3, ridge);
  }
}
