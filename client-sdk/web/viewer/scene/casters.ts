import type { Tile } from '../../src/index.js';
import { plantsOf } from './plant.js';
import type { Plants } from './plants.js';
import type { Caster } from './sunlight.js';
import type { TileSet } from './tiles.js';

const reach = 48; // blocks: how far beyond a tile's edges trees throw shadows into it

/** The trees and boulders that can throw shadows on a tile of lod 0, from it and around it. */
export function castersAround(tiles: TileSet, tile: Tile, plants: Plants): Caster[] {
  const casters: Caster[] = [];
  for (let dy = -1; dy <= 1; ++dy) {
    for (let dx = -1; dx <= 1; ++dx) {
      const other = tiles.get(0, tile.x + dx, tile.y + dy);
      if (!other) continue;
      const { chunk } = other;
      for (const plant of plantsOf(chunk)) {
        const x = plant.x + dx * chunk.size;
        const y = plant.y + dy * chunk.size;
        if (x < -reach || y < -reach || x > chunk.size + reach || y > chunk.size + reach) continue;
        const kind = plants.kinds[plant.kind];
        if (!kind) continue;
        const { scale } = plant;
        casters.push({ x, y, radius: kind.radius * scale, height: kind.height * scale });
      }
    }
  }
  return casters;
}
