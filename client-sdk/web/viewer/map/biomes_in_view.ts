/** Which biomes a map shows. */
import type { LandView } from './view.js';

const columns = 48;

/** Names of the biomes that are seen, as a grid of readings finds them. */
export function biomesInView(view: LandView): Set<string> {
  const found = new Set<string>();
  const { map, legend } = view;
  if (!legend) return found;
  const bounds = map.getBounds();
  const rows = columns;
  for (let row = 0; row < rows; row += 1) {
    const y = bounds.getSouth() + ((row + 0.5) / rows) * (bounds.getNorth() - bounds.getSouth());
    for (let column = 0; column < columns; column += 1) {
      const x =
        bounds.getWest() + ((column + 0.5) / columns) * (bounds.getEast() - bounds.getWest());
      const biome = view.readBiome(x, y);
      const name = biome === undefined ? undefined : legend.world.biomes[biome]?.name;
      if (name !== undefined) found.add(name);
    }
  }
  return found;
}
