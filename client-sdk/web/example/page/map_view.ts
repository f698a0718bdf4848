/** Which tiles of the map are in view, and where on the canvas. Pure. */
import type { Tile } from '@terrane/client';
import { tilePixels } from './messages.js';

/** The block in the middle, and how many blocks a pixel of the canvas shows. */
export interface View {
  x: number;
  y: number;
  scale: number;
}

export interface Size {
  width: number;
  height: number;
}

const edge = 2 ** 44; // blocks: far from where worlds end
const finest = 1 / 8; // blocks a pixel

/** The view itself, or the nearest that there is. @param maxLod  of the world */
export function clamped({ x, y, scale }: View, maxLod: number): View {
  const within = (value: number, least: number, most: number): number =>
    Math.min(Math.max(value, least), most);
  return {
    x: within(x, -edge, edge),
    y: within(y, -edge, edge),
    scale: within(scale, finest, 2 ** (maxLod + 1)),
  };
}

/** The level whose samples are about as large as pixels. */
export function lodOf({ scale }: View, maxLod: number): number {
  return Math.min(Math.max(Math.round(Math.log2(scale)), 0), maxLod);
}

/** The tiles of a level that are in view, those nearest to the middle first. */
export function tilesIn(view: View, { width, height }: Size, lod: number): Tile[] {
  const blocks = tilePixels * 2 ** lod;
  const middleX = view.x / blocks - 0.5;
  const middleY = view.y / blocks - 0.5;
  const reachX = (width * view.scale) / 2;
  const reachY = (height * view.scale) / 2;
  const tiles: Tile[] = [];
  for (let y = Math.floor((view.y - reachY) / blocks); y * blocks < view.y + reachY; ++y) {
    for (let x = Math.floor((view.x - reachX) / blocks); x * blocks < view.x + reachX; ++x) {
      tiles.push({ lod, x, y });
    }
  }
  const distance = ({ x, y }: Tile): number => Math.hypot(x - middleX, y - middleY);
  return tiles.sort((a, b) => distance(a) - distance(b));
}

/** Where a tile lies on the canvas, in pixels. */
interface Place {
  x: number;
  y: number;
  edge: number;
}

export function placeOf(tile: Tile, view: View, size: Size): Place {
  const blocks = tilePixels * 2 ** tile.lod;
  return {
    x: (tile.x * blocks - view.x) / view.scale + size.width / 2,
    y: (tile.y * blocks - view.y) / view.scale + size.height / 2,
    edge: blocks / view.scale,
  };
}

/** The block under a pixel of the canvas. */
export function blockAt(view: View, size: Size, x: number, y: number): { x: number; y: number } {
  return {
    x: view.x + (x - size.width / 2) * view.scale,
    y: view.y + (y - size.height / 2) * view.scale,
  };
}
