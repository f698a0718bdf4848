import type { DecodedChunk } from '../../src/index.js';
import { hash } from './ground_paint.js';
import type { PlantShape } from './plant_shapes.js';

export const inGround = 0.15; // blocks that plants stand deeper than the ground

/** A kind of placement, as it is drawn. */
export interface Kind {
  shape: PlantShape;
  /** Square roots of linear values. */
  hue: [number, number, number];
  /** Blocks, at scale 100. */
  radius: number;
  height: number;
}

/** Something that stands at a block of a tile; blocks, turns in radians. */
export interface Plant {
  x: number;
  y: number;
  z: number;
  kind: number;
  turn: number;
  /** 1 is the kind's own height and radius. */
  scale: number;
}

/** How light it is: no two leaves are alike. The same for the same place. */
export function lightOf(plant: Plant): number {
  return 0.84 + 0.32 * hash(plant.x * 31 + 7, plant.y * 17 + plant.kind);
}

/** What a chunk's placements say, on the ground of that chunk. */
export function plantsOf(chunk: DecodedChunk): Plant[] {
  const height = chunk.layers.height;
  return chunk.placements.map((placement) => ({
    x: placement.x,
    y: placement.y,
    z: height ? height[placement.y * chunk.size + placement.x] / 16 : 0,
    kind: placement.kind,
    turn: (placement.turn / 256) * 2 * Math.PI,
    scale: placement.scale / 100,
  }));
}
