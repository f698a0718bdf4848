import { BufferAttribute, BufferGeometry } from 'three';

/** A colour: square roots of linear values. */
export type Rgb = readonly [number, number, number];
type Corner = readonly [number, number, number];

/** Gathers boxes and flat faces into one mesh; x east, y up, z south. */
export class MeshBoxes {
  readonly #positions: number[] = [];
  readonly #normals: number[] = [];
  readonly #tints: number[] = [];

  get isEmpty(): boolean {
    return this.#positions.length === 0;
  }

  /** Corners in order, counter-clockwise as seen from outside. `low` and `high`: for shading. */
  face(corners: Corner[], color: Rgb, low: number, high: number): void {
    const [a, b, c] = corners;
    const u = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
    const v = [c[0] - a[0], c[1] - a[1], c[2] - a[2]];
    const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
    const length = Math.hypot(n[0], n[1], n[2]) || 1;
    for (let k = 1; k + 1 < corners.length; ++k) {
      for (const corner of [corners[0], corners[k], corners[k + 1]]) {
        this.#positions.push(...corner);
        this.#normals.push(n[0] / length, n[1] / length, n[2] / length);
        const up = Math.min(Math.max((corner[1] - low) / Math.max(high - low, 0.1), 0), 1);
        this.#tints.push(...color, up);
      }
    }
  }

  /** An upright box without a bottom. */
  box(x0: number, y0: number, z0: number, x1: number, y1: number, z1: number, color: Rgb): void {
    const [a, b, c, d]: Corner[] = [
      [x0, y0, z0],
      [x1, y0, z0],
      [x1, y0, z1],
      [x0, y0, z1],
    ];
    const [e, f, g, h]: Corner[] = [
      [x0, y1, z0],
      [x1, y1, z0],
      [x1, y1, z1],
      [x0, y1, z1],
    ];
    this.face([e, h, g, f], color, y0, y1);
    this.face([d, c, g, h], color, y0, y1);
    this.face([b, a, e, f], color, y0, y1);
    this.face([a, d, h, e], color, y0, y1);
    this.face([c, b, f, g], color, y0, y1);
  }

  build(): BufferGeometry {
    const geometry = new BufferGeometry();
    const set = (name: string, list: number[], size: number): void => {
      geometry.setAttribute(name, new BufferAttribute(new Float32Array(list), size));
    };
    set('position', this.#positions, 3);
    set('normal', this.#normals, 3);
    set('tint', this.#tints, 4);
    return geometry;
  }
}
