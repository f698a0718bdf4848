import { BufferAttribute } from 'three';

/** Which quarters of a tile are drawn: bit qx + 2 * qy. */
export type Quarters = number;
export const allQuarters: Quarters = 15;

/**
 * How far skirts hang down, blocks: over what this mesh and one beside it, which may be of the next
 * level, miss the land by.
 * @param error how far the lines that the mesh ends at may be from the land, blocks
 * @param spacing blocks from sample to sample
 */
export function skirtDepth(error: number, spacing: number): number {
  return Math.min(1 + 2 * spacing + 4 * error, 60 * spacing);
}

/**
 * The mesh that all tiles share, at one step: vertices at every `step`-th sample, and skirts that
 * hang down along the tile's edges and its two middle lines, so that no hole shows where meshes of
 * different steps or levels meet.
 */
export class PatchGrid {
  readonly vertices: number;
  /** x, y in samples, 1 on a skirt's lower edge, 0. */
  readonly grid: BufferAttribute;
  /** Along an edge. */
  readonly cells: number;
  readonly #indices = new Map<Quarters, BufferAttribute>();
  /** For each vertex the sample, row by row, that it stands at. */
  readonly #samples: Uint32Array;

  constructor(
    size: number,
    readonly step: number,
  ) {
    const cells = (this.cells = size / step);
    const line = cells + 1;
    this.vertices = line * line + 6 * line;
    const grid = new Uint8Array(4 * this.vertices);
    this.#samples = new Uint32Array(this.vertices);
    let at = 0;
    const add = (i: number, j: number, skirt: number): void => {
      grid.set([i * step, j * step, skirt, 0], 4 * at);
      this.#samples[at++] = j * step * (size + 1) + i * step;
    };
    for (let j = 0; j < line; ++j) for (let i = 0; i < line; ++i) add(i, j, 0);
    for (const column of [0, cells / 2, cells]) for (let j = 0; j < line; ++j) add(column, j, 1);
    for (const row of [0, cells / 2, cells]) for (let i = 0; i < line; ++i) add(i, row, 1);
    this.grid = new BufferAttribute(grid, 4);
  }

  /** The heights of all vertices, from those of all samples. */
  heights(samples: Float32Array): Float32Array {
    const out = new Float32Array(this.vertices);
    for (let k = 0; k < out.length; ++k) out[k] = samples[this.#samples[k]];
    return out;
  }

  /** Triangles of some quarters, with their skirts. */
  index(quarters: Quarters): BufferAttribute {
    let index = this.#indices.get(quarters);
    if (!index) {
      const list: number[] = [];
      for (let quarter = 0; quarter < 4; ++quarter) {
        if (quarters & (1 << quarter)) this.#addQuarter(quarter, quarters, list);
      }
      index = new BufferAttribute(new Uint16Array(list), 1);
      this.#indices.set(quarters, index);
    }
    return index;
  }

  /** Triangles of those cells for which `holds(i, j)`, counted in cells; no skirts. */
  indexWhere(holds: (i: number, j: number) => boolean): BufferAttribute {
    const list: number[] = [];
    for (let j = 0; j < this.cells; ++j) {
      for (let i = 0; i < this.cells; ++i) if (holds(i, j)) this.#addCell(i, j, list);
    }
    return new BufferAttribute(new Uint16Array(list), 1);
  }

  #addCell(i: number, j: number, list: number[]): void {
    const line = this.cells + 1;
    const a = j * line + i;
    list.push(a, a + line, a + 1, a + 1, a + line, a + line + 1);
  }

  #addQuarter(quarter: number, quarters: Quarters, list: number[]): void {
    const half = this.cells / 2;
    const qx = quarter & 1;
    const qy = quarter >> 1;
    const x = qx * half;
    const y = qy * half;
    for (let j = y; j < y + half; ++j) for (let i = x; i < x + half; ++i) this.#addCell(i, j, list);
    const besideX = quarters & (1 << (quarter ^ 1));
    const besideY = quarters & (1 << (quarter ^ 2));
    const open = (outer: boolean, beside: number): boolean => outer || !beside;
    if (open(qx === 0, besideX)) this.#addSkirt(true, qx, y, false, list);
    if (open(qx === 1, besideX)) this.#addSkirt(true, qx + 1, y, true, list);
    if (open(qy === 0, besideY)) this.#addSkirt(false, qy, x, true, list);
    if (open(qy === 1, besideY)) this.#addSkirt(false, qy + 1, x, false, list);
  }

  /** Along half a line: `line` 0, 1 or 2 of the three, from `from` on. */
  #addSkirt(column: boolean, line: number, from: number, flip: boolean, list: number[]): void {
    const edge = this.cells + 1;
    const half = this.cells / 2;
    const low = edge * edge + (column ? line : 3 + line) * edge;
    const top = (k: number): number =>
      column ? k * edge + line * half : line * half * edge + k;
    for (let k = from; k < from + half; ++k) {
      const [a, b, c, d] = [top(k), top(k + 1), low + k, low + k + 1];
      if (flip) list.push(a, b, c, b, d, c);
      else list.push(a, c, b, b, c, d);
    }
  }
}
