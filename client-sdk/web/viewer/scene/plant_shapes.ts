import type { BufferGeometry } from 'three';
import { ShapeBuilder, type Tint } from './shape_builder.js';

/** What a kind of placement looks like. */
export type PlantShape =
  | 'conifer'
  | 'broadleaf'
  | 'slender'
  | 'umbrella'
  | 'palm'
  | 'cactus'
  | 'dead'
  | 'bush'
  | 'boulder'
  | 'crag'
  | 'slab';

const bark: Tint = { r: 0.44, g: 0.36, b: 0.28, own: false };
const paleBark: Tint = { r: 0.8, g: 0.79, b: 0.75, own: false };
const leaves: Tint = { r: 1, g: 1, b: 1, own: true };
const darkLeaves: Tint = { r: 0.82, g: 0.84, b: 0.84, own: true };
const lightLeaves: Tint = { r: 1.1, g: 1.09, b: 1, own: true };

const byName: [RegExp, PlantShape][] = [
  [/spruce|pine|fir|larch|cedar|conifer|cypress/, 'conifer'],
  [/palm/, 'palm'],
  [/cact/, 'cactus'],
  [/dead|snag|stump/, 'dead'],
  [/shrub|bush|dwarf|juniper|berr|fern|grass|reed/, 'bush'],
  [/birch|aspen|poplar/, 'slender'],
  [/acacia|umbrella/, 'umbrella'],
  [/slab|clay|fish/, 'slab'],
  [/crag|spire|iron|ore/, 'crag'],
  [/boulder|erratic|rock|stone|gold|gem/, 'boulder'],
];

/** The shape of a kind, by its name; one that says nothing is a tree if it is higher than wide. */
export function shapeOf(name: string, radius: number, height: number): PlantShape {
  for (const [pattern, shape] of byName) if (pattern.test(name.toLowerCase())) return shape;
  return height > 1.2 * radius ? 'broadleaf' : 'boulder';
}

/** Whether it moves in the wind, and how much. */
export function swayOf(shape: PlantShape): number {
  return shape === 'boulder' || shape === 'crag' || shape === 'slab' || shape === 'cactus' ? 0 : 1;
}

/** How much is drawn of it: all leaves, its outline, or a flat picture of it (see Specks). */
export type Detail = 'near' | 'far' | 'speck';

type Draw = (s: ShapeBuilder, near: boolean) => void;

const drawings: Record<PlantShape, Draw> = {
  conifer(s, near) {
    if (near) s.cone([0, -0.03, 0], 0.1, 0.06, 0.25, 5, bark);
    const tiers = near ? 4 : 2;
    for (let k = 0; k < tiers; ++k) {
      const low = 0.12 + (k * 0.74) / tiers;
      const high = Math.min(low + (near ? 0.42 : 0.6), 1);
      const tint = k % 2 ? leaves : darkLeaves;
      s.cone([0, low, 0], 1 - (k * 0.78) / tiers, 0, high - low, near ? 7 : 5, tint, k * 0.5);
    }
  },
  broadleaf(s, near) {
    s.cone([0, -0.03, 0], 0.11, 0.07, 0.5, near ? 5 : 3, bark);
    if (!near) return s.roundish([0, 0.62, 0], 0.95, 0.39, 5, leaves);
    s.ball([0, 0.7, 0], 0.74, 0.3, 1, 0.22, lightLeaves);
    s.ball([0.42, 0.53, 0.16], 0.58, 0.22, 1, 0.2, leaves);
    s.ball([-0.36, 0.52, 0.34], 0.58, 0.22, 1, 0.2, leaves);
    s.ball([-0.1, 0.55, -0.45], 0.56, 0.21, 1, 0.2, darkLeaves);
  },
  slender(s, near) {
    s.cone([0, -0.03, 0], 0.11, 0.05, 0.55, near ? 5 : 3, paleBark);
    if (!near) return s.roundish([0, 0.64, 0], 0.8, 0.37, 5, leaves);
    s.ball([0, 0.66, 0], 0.78, 0.34, 1, 0.2, leaves);
    s.ball([0.2, 0.45, 0.2], 0.6, 0.18, 1, 0.2, lightLeaves);
  },
  umbrella(s, near) {
    s.cone([0, -0.03, 0], 0.09, 0.05, 0.75, near ? 5 : 3, bark);
    if (!near) return s.roundish([0, 0.84, 0], 0.98, 0.16, 6, leaves);
    s.ball([0, 0.84, 0], 0.98, 0.15, 1, 0.16, leaves);
    s.ball([0.35, 0.72, -0.2], 0.55, 0.1, 1, 0.16, darkLeaves);
  },
  palm(s, near) {
    s.cone([0, -0.03, 0], 0.09, 0.06, 0.95, near ? 6 : 3, bark);
    const fronds = near ? 8 : 5;
    for (let k = 0; k < fronds; ++k) {
      const angle = (k / fronds) * 2 * Math.PI;
      const at = (r: number, y: number, side: number): [number, number, number] => [
        Math.cos(angle + side) * r,
        y,
        Math.sin(angle + side) * r,
      ];
      const tint = k % 2 ? leaves : lightLeaves;
      const [root, tip] = [at(0, 0.92, 0), at(1.15, 0.74, 0)];
      const [left, right] = [at(0.6, 0.98, 0.3), at(0.6, 0.98, -0.3)];
      s.triangle(root, left, right, tint);
      s.triangle(left, tip, right, tint);
      s.triangle(root, right, left, darkLeaves);
      s.triangle(left, right, tip, darkLeaves);
    }
  },
  cactus(s, near) {
    const sides = near ? 7 : 4;
    s.cone([0, -0.03, 0], 0.5, 0.42, 0.93, sides, leaves);
    s.ball([0, 0.9, 0], 0.42, 0.1, near ? 1 : 0, 0, leaves);
    for (const side of [-1, 1]) {
      s.cone([side * 0.85, 0.42 + side * 0.06, 0], 0.26, 0.22, 0.32, sides, lightLeaves);
      s.ball([side * 0.6, 0.44 + side * 0.06, 0], 0.4, 0.06, near ? 1 : 0, 0, leaves);
    }
  },
  dead(s, near) {
    const sides = near ? 5 : 3;
    s.cone([0, -0.03, 0], 0.16, 0.03, 1, sides, { r: 0.56, g: 0.49, b: 0.41, own: false });
    for (let k = 0; k < 4; ++k) {
      const angle = k * 2.2;
      const [c, n] = [Math.cos(angle), Math.sin(angle)];
      const low = 0.4 + 0.12 * k;
      const tint: Tint = { r: 0.5, g: 0.44, b: 0.37, own: false };
      s.triangle([0, low, 0], [0.8 * c, low + 0.22, 0.8 * n], [0, low + 0.06, 0], tint);
      s.triangle([0, low, 0], [0, low + 0.06, 0], [0.8 * c, low + 0.22, 0.8 * n], tint);
    }
  },
  bush(s, near) {
    s.ball([0, 0.4, 0], 0.9, 0.5, near ? 1 : 0, 0.22, leaves);
    if (near) s.ball([0.4, 0.55, 0.3], 0.55, 0.4, 1, 0.22, lightLeaves);
  },
  boulder: (s, near) => s.ball([0, 0.32, 0], 0.95, 0.66, near ? 1 : 0, 0.42, leaves),
  slab: (s, near) => s.ball([0, 0.2, 0], 1.05, 0.7, near ? 1 : 0, 0.34, leaves),
  crag(s, near) {
    s.ball([0, 0.3, 0], 0.8, 0.72, near ? 1 : 0, 0.5, leaves);
    if (near) s.ball([0.35, 0.1, 0.3], 0.6, 0.4, 1, 0.5, darkLeaves);
  },
};

/** The shape's mesh, of radius 1 and height 1, standing on 0. @param near with all leaves */
export function drawPlant(shape: PlantShape, near: boolean): BufferGeometry {
  const builder = new ShapeBuilder();
  drawings[shape](builder, near);
  return builder.build();
}
