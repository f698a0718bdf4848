import assert from 'node:assert/strict';
import { test } from 'node:test';
import { PatchGrid, allQuarters, skirtDepth } from '../viewer/scene/patch_grid.js';
import type { Surface } from '../viewer/scene/surface.js';
import { size, surfaceOf, tilesOf } from './scene_land.js';

const steps = [1, 2, 4, 8];
const grids = steps.map((step) => new PatchGrid(size, step));

interface Triangle {
  x: number[];
  y: number[];
  skirt: boolean;
}

/** The triangles of an index as corners, x and y in samples, and whether they hang down. */
function trianglesOf(grid: PatchGrid, index: ArrayLike<number>): Triangle[] {
  const triangles: Triangle[] = [];
  for (let k = 0; k < index.length; k += 3) {
    const corners = [index[k], index[k + 1], index[k + 2]];
    triangles.push({
      x: corners.map((at) => grid.grid.getX(at)),
      y: corners.map((at) => grid.grid.getY(at)),
      skirt: corners.some((at) => grid.grid.getZ(at) === 1),
    });
  }
  return triangles;
}

function areaOf({ x, y }: Triangle): number {
  return ((x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0])) / 2;
}

for (const grid of grids) {
  test(`the mesh of step ${grid.step} covers each quarter once, all faces up`, () => {
    for (let quarters = 1; quarters <= allQuarters; ++quarters) {
      const flat = trianglesOf(grid, grid.index(quarters).array).filter((one) => !one.skirt);
      const areas = flat.map(areaOf);
      // y grows towards the south, so that faces up are turned the other way round.
      assert.ok(areas.every((area) => area < 0), `quarters ${quarters}`);
      const covered = -areas.reduce((sum, area) => sum + area, 0);
      const count = [0, 1, 2, 3].filter((bit) => quarters & (1 << bit)).length;
      assert.equal(covered, (count * size * size) / 4, `quarters ${quarters}`);
      for (const { x, y } of flat) {
        const [midX, midY] = [(x[0] + x[1] + x[2]) / 3, (y[0] + y[1] + y[2]) / 3];
        const quarter = (midX < size / 2 ? 0 : 1) + (midY < size / 2 ? 0 : 2);
        assert.ok(quarters & (1 << quarter), `a face in quarter ${quarter} of ${quarters}`);
      }
    }
  });

  test(`skirts of step ${grid.step} hang along edges of what is drawn, and only there`, () => {
    for (let quarters = 1; quarters <= allQuarters; ++quarters) {
      const faces = trianglesOf(grid, grid.index(quarters).array);
      const hanging = new Set(
        faces.filter((one) => one.skirt).map(({ x, y }) => edgeOf(x, y)),
      );
      assert.deepEqual([...hanging].sort(), [...openEdges(grid, quarters)].sort());
    }
  });
}

/** The edge that a hanging face goes along: its two ends, the smaller first. */
function edgeOf(x: number[], y: number[]): string {
  return [Math.min(...x), Math.min(...y), Math.max(...x), Math.max(...y)].join();
}

/** Edges of cells that have a drawn cell on one side alone. */
function openEdges(grid: PatchGrid, quarters: number): Set<string> {
  const { cells, step } = grid;
  const drawn = (i: number, j: number): boolean => {
    if (i < 0 || j < 0 || i >= cells || j >= cells) return false;
    return (quarters & (1 << ((i < cells / 2 ? 0 : 1) + (j < cells / 2 ? 0 : 2)))) !== 0;
  };
  const edges = new Set<string>();
  for (let j = 0; j <= cells; ++j) {
    for (let i = 0; i <= cells; ++i) {
      const [x, y] = [i * step, j * step];
      if (drawn(i, j) !== drawn(i - 1, j)) edges.add([x, y, x, y + step].join());
      if (drawn(i, j) !== drawn(i, j - 1)) edges.add([x, y, x + step, y].join());
    }
  }
  return edges;
}

/** Height of a tile's eastern or western edge at a distance along it, drawn at a step. */
function edgeHeight(surface: Surface, east: boolean, at: number, step: number): number {
  const sample = (j: number): number => surface.height[j * (size + 1) + (east ? size : 0)];
  const low = Math.min(Math.floor(at / step) * step, size - step);
  return sample(low) + ((sample(low + step) - sample(low)) * (at - low)) / step;
}

test('tiles of one level end in the same samples', () => {
  const tiles = tilesOf([[0, 0, 0], [0, 1, 0], [0, 0, 1], [0, 1, 1]]);
  const [west, east] = [surfaceOf(tiles, 0, 0, 0), surfaceOf(tiles, 0, 1, 0)];
  const south = surfaceOf(tiles, 0, 0, 1);
  for (let k = 0; k <= size; ++k) {
    assert.equal(west.height[k * (size + 1) + size], east.height[k * (size + 1)]);
    assert.equal(west.height[size * (size + 1) + k], south.height[k]);
  }
});

test('no crack shows between tiles of one level, whatever their steps are', () => {
  const tiles = tilesOf([[0, 0, 0], [0, 1, 0]]);
  const [west, east] = [surfaceOf(tiles, 0, 0, 0), surfaceOf(tiles, 0, 1, 0)];
  for (const mine of steps) {
    for (const yours of steps) {
      for (let at = 0; at <= size; at += 0.5) {
        const [a, b] = [edgeHeight(west, true, at, mine), edgeHeight(east, false, at, yours)];
        const skirt = skirtDepth((a > b ? west : east).edgeError, 1);
        assert.ok(Math.abs(a - b) <= skirt, `${a} and ${b} at ${at}, steps ${mine}, ${yours}`);
      }
    }
  }
});

for (const lod of [0, 1, 2]) {
  test(`no crack shows between tiles of levels ${lod} and ${lod + 1}`, () => {
    // Fine tiles (0, 0) and (0, 1) lie west of the coarse tile (1, 0).
    const tiles = tilesOf([[lod, 1, 0], [lod, 1, 1], [lod + 1, 0, 0], [lod + 1, 1, 0]]);
    const coarse = surfaceOf(tiles, lod + 1, 1, 0);
    for (const half of [0, 1]) {
      const fine = surfaceOf(tiles, lod, 1, half);
      for (const mine of steps) {
        for (const yours of steps) {
          for (let at = 0; at <= size; at += 0.5) {
            const a = edgeHeight(fine, true, at, mine);
            const b = edgeHeight(coarse, false, (half * size + at) / 2, yours);
            const skirt =
              a > b
                ? skirtDepth(fine.edgeError, 2 ** lod)
                : skirtDepth(coarse.edgeError, 2 ** (lod + 1));
            assert.ok(Math.abs(a - b) <= skirt, `${a} and ${b} at ${at}, ${mine}, ${yours}`);
          }
        }
      }
    }
  });
}

test('heights of all vertices are those of the samples at which they stand', () => {
  const samples = Float32Array.from({ length: (size + 1) ** 2 }, (_, k) => k);
  for (const grid of grids) {
    grid.heights(samples).forEach((height, at) => {
      assert.equal(height, grid.grid.getY(at) * (size + 1) + grid.grid.getX(at));
    });
  }
});
