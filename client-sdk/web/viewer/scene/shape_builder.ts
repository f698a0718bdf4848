import { BufferAttribute, BufferGeometry } from 'three';

export type Point = readonly [number, number, number];

/** A part's colour: square roots of linear values; `own`: times the instance's colour. */
export interface Tint {
  r: number;
  g: number;
  b: number;
  own: boolean;
}

/** Gathers triangles with flat or given normals; y is up. */
export class ShapeBuilder {
  readonly #positions: number[] = [];
  readonly #normals: number[] = [];
  readonly #tints: number[] = [];

  /** A triangle, counter-clockwise as seen from outside; normals towards where it faces. */
  triangle(a: Point, b: Point, c: Point, tint: Tint, normals?: readonly Point[]): void {
    const flat = faceNormal(a, b, c);
    [a, b, c].forEach((point, k) => {
      this.#positions.push(...point);
      this.#normals.push(...(normals?.[k] ?? flat));
      this.#tints.push(tint.r, tint.g, tint.b, tint.own ? 1 : 0);
    });
  }

  /** A cone or, with a top radius, a stump of one, around a vertical line; `sides` faces. */
  cone(
    [x, y, z]: Point,
    bottom: number,
    top: number,
    height: number,
    sides: number,
    tint: Tint,
    turn = 0,
  ): void {
    const lean = (bottom - top) / height;
    const ring = (k: number, radius: number, at: number): Point => {
      const angle = turn + (k / sides) * 2 * Math.PI;
      return [x + radius * Math.cos(angle), y + at, z + radius * Math.sin(angle)];
    };
    const normal = (k: number): Point => {
      const angle = turn + (k / sides) * 2 * Math.PI;
      return [Math.cos(angle), lean, Math.sin(angle)];
    };
    for (let k = 0; k < sides; ++k) {
      const [a, b] = [ring(k, bottom, 0), ring(k + 1, bottom, 0)];
      const [c, d] = [ring(k, top, height), ring(k + 1, top, height)];
      this.triangle(a, c, b, tint, [normal(k), normal(k + 0.5), normal(k + 1)]);
      if (top > 0) this.triangle(b, c, d, tint, [normal(k + 1), normal(k), normal(k + 1)]);
    }
  }

  /** A ball of few faces around a vertical line, for what is far away. */
  roundish([x, y, z]: Point, rx: number, ry: number, sides: number, tint: Tint): void {
    const rings: [number, number][] = [
      [-1, 0],
      [-0.35, 0.95],
      [0.45, 0.82],
      [1, 0],
    ];
    const at = (k: number, [up, out]: [number, number]): { p: Point; n: Point } => {
      const angle = (k / sides) * 2 * Math.PI;
      const n: Point = [out * Math.cos(angle), up, out * Math.sin(angle)];
      return { n, p: [x + rx * n[0], y + ry * n[1], z + rx * n[2]] };
    };
    for (let k = 0; k < sides; ++k) {
      for (let r = 0; r < 3; ++r) {
        const [a, b] = [at(k, rings[r]), at(k + 1, rings[r])];
        const [c, d] = [at(k, rings[r + 1]), at(k + 1, rings[r + 1])];
        if (r < 2) this.triangle(a.p, c.p, d.p, tint, [a.n, c.n, d.n]);
        if (r === 1) this.triangle(a.p, d.p, b.p, tint, [a.n, d.n, b.n]);
        if (r === 2) this.triangle(a.p, c.p, b.p, tint, [a.n, c.n, b.n]);
      }
    }
  }

  /** An uneven ball with radii `rx` and `ry`: an octahedron, each face split `splits` times. */
  ball([x, y, z]: Point, rx: number, ry: number, splits: number, uneven: number, tint: Tint): void {
    const shift = (p: Point): Point => {
      const wave = Math.sin(p[0] * 12.9 + x * 7 + p[1] * 78.2 + p[2] * 37.7 + z * 3) * 43758.5;
      const r = 1 + uneven * (wave - Math.floor(wave) - 0.5);
      return [x + p[0] * rx * r, y + p[1] * ry * r, z + p[2] * rx * r];
    };
    const face = (a: Point, b: Point, c: Point, left: number): void => {
      if (left === 0) {
        this.triangle(shift(a), shift(b), shift(c), tint, uneven > 0.25 ? undefined : [a, b, c]);
        return;
      }
      const [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
      face(a, ab, ca, left - 1);
      face(ab, b, bc, left - 1);
      face(ca, bc, c, left - 1);
      face(ab, bc, ca, left - 1);
    };
    const poles: Point[] = [
      [0, 1, 0],
      [0, -1, 0],
    ];
    const girdle: Point[] = [
      [1, 0, 0],
      [0, 0, 1],
      [-1, 0, 0],
      [0, 0, -1],
    ];
    for (let k = 0; k < 4; ++k) {
      face(poles[0], girdle[(k + 1) % 4], girdle[k], splits);
      face(poles[1], girdle[k], girdle[(k + 1) % 4], splits);
    }
  }

  /** The mesh; corners that are alike are one vertex. */
  build(): BufferGeometry {
    const seen = new Map<string, number>();
    const index: number[] = [];
    const [positions, normals, tints]: [number[], number[], number[]] = [[], [], []];
    for (let k = 0; k < this.#positions.length / 3; ++k) {
      const position = this.#positions.slice(3 * k, 3 * k + 3);
      const normal = this.#normals.slice(3 * k, 3 * k + 3);
      const tint = this.#tints.slice(4 * k, 4 * k + 4);
      const key = [...position, ...normal, ...tint].map((part) => part.toFixed(4)).join();
      let at = seen.get(key);
      if (at === undefined) {
        seen.set(key, (at = seen.size));
        positions.push(...position);
        normals.push(...normal);
        tints.push(...tint);
      }
      index.push(at);
    }
    const geometry = new BufferGeometry();
    geometry.setIndex(index);
    geometry.setAttribute('position', new BufferAttribute(new Float32Array(positions), 3));
    geometry.setAttribute('normal', new BufferAttribute(new Float32Array(normals), 3));
    geometry.setAttribute('tint', new BufferAttribute(new Float32Array(tints), 4));
    return geometry;
  }
}

function faceNormal(a: Point, b: Point, c: Point): Point {
  const u = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
  const v = [c[0] - a[0], c[1] - a[1], c[2] - a[2]];
  const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
  const length = Math.hypot(n[0], n[1], n[2]) || 1;
  return [n[0] / length, n[1] / length, n[2] / length];
}

function middle(a: Point, b: Point): Point {
  const sum = [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
  const length = Math.hypot(sum[0], sum[1], sum[2]) || 1;
  return [sum[0] / length, sum[1] / length, sum[2] / length];
}
