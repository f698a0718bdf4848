/** What maps need to know of a world. */
import type { World } from '../../src/index.js';
import type { MapLayer } from '../state.js';

/** What a world's maps need to know of it, made once. */
export interface Legend {
  world: World;
  palette: Uint32Array;
  deepest: number;
  highest: number;
  layers: Set<string>;
}

/** @returns the legend of a world */
export function legendOf(world: World): Legend {
  const palette = new Uint32Array(256).fill(0x808080);
  for (const biome of world.biomes) palette[biome.id] = biome.color;
  const height = world.layers.find((layer) => layer.name === 'height');
  return {
    world,
    palette,
    deepest: Math.min(0, (height?.minValue ?? 0) - world.seaLevel) / 16,
    highest: Math.max(0, (height?.maxValue ?? 0) - world.seaLevel) / 16,
    layers: new Set(world.layers.map((layer) => layer.name)),
  };
}

/** Whether a world's chunks can be shown so. */
export function canShow(legend: Legend, style: MapLayer): boolean {
  if (style === 'relief') return legend.layers.has('height') && legend.layers.has('biome');
  return legend.layers.has(style);
}

/** How land is to be painted. */
export interface Look {
  style: MapLayer;
  highlight: string | undefined;
  structures: boolean;
}
