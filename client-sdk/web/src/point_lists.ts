/** Points as URLs name them. */
import type { Block, PointSamples } from './world.js';

const maxText = 4096; // servers and proxies take requests of 8 KiB, headers and all

/** 'X,Y;X,Y…': as few lists as it takes, each short enough for a URL. */
export function toPointLists(points: readonly Block[]): string[] {
  const lists: string[] = [];
  let list = '';
  for (const { x, y } of points) {
    const point = `${x},${y}`;
    if (list.length + 1 + point.length > maxText) {
      lists.push(list);
      list = '';
    }
    list += list === '' ? point : `;${point}`;
  }
  return [...lists, list];
}

/** The samples of several lists as those of one. */
export function joinSamples(parts: readonly PointSamples[]): PointSamples {
  const join = (layer: keyof PointSamples) => parts.flatMap((part) => part[layer]);
  return {
    height: join('height'),
    temperature: join('temperature'),
    humidity: join('humidity'),
    biome: join('biome'),
    water: join('water'),
    forest: join('forest'),
    rocks: join('rocks'),
  };
}
