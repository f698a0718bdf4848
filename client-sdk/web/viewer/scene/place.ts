import type { Climate } from './air.js';
import type { Sample, SampleReader } from './grid.js';
import type { TileSet } from './tiles.js';

/** What the eye needs to know of a place. */
export interface Place extends Climate {
  /** Blocks. */
  ground: number;
  /** Blocks: of the water's surface, where it is above the ground. */
  water?: number;
  biome: number;
}

/** A place by the finest chunk that is loaded there; undefined: none is. */
export function placeAt(
  tiles: TileSet,
  reader: SampleReader,
  x: number,
  y: number,
  size: number,
): Place | undefined {
  const one = tiles.finest(x, y, size);
  if (!one) return undefined;
  const { lod } = one.tile;
  const spacing = 2 ** lod;
  const [i, j] = [Math.floor(x / spacing), Math.floor(y / spacing)];
  const [u, v] = [x / spacing - i, y / spacing - j];
  const here: Sample = { height: 0, water: 0, biome: 0, forest: 0 };
  reader.nested(lod, i, j, here);
  const beside: Sample = { ...here };
  const height = (a: number, b: number): number =>
    (reader.nested(lod, i + a, j + b, beside) ? beside.height : here.height) / 16;
  const top = here.height / 16 + (height(1, 0) - here.height / 16) * u;
  const left = height(0, 1);
  const ground = top + (left + (height(1, 1) - left) * u - top) * v;
  const k = (j - one.tile.y * size) * size + i - one.tile.x * size;
  const { temperature, humidity } = one.chunk.layers;
  return {
    ground,
    water: here.water / 16 > ground ? here.water / 16 : undefined,
    biome: here.biome,
    temperature: (temperature?.[k] ?? 120) / 10,
    humidity: (humidity?.[k] ?? 500) / 10,
  };
}
