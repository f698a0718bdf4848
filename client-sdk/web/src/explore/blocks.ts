/** Sets of tiles as messages carry them: TileBlock in explore.proto. */
import type { Tile } from '../chunk.js';
import { maxCoordinate, maxLod } from './view.js';

/** Some of the tiles of a rectangle of one level. */
export interface TileBlock extends Tile {
  /** Tiles; a message may say 0 for 1. */
  width: number;
  height: number;
  /** A bit for each tile, row by row from (x, y), a byte's lowest bit first; empty: all. */
  bits: Uint8Array;
}

const maxEdge = 64;
const maxTiles = 300_713; // that the blocks of one message may name: all that can be in range

/** The blocks of a set of tiles, in the one form that every client gives them: EXPLORE.md. */
export function toBlocks(tiles: readonly Tile[]): TileBlock[] {
  const squares = new Map<string, Tile[]>();
  for (const tile of tiles) {
    const key = `${tile.lod}/${Math.floor(tile.y / maxEdge)}/${Math.floor(tile.x / maxEdge)}`;
    const inside = squares.get(key);
    if (inside === undefined) squares.set(key, [tile]);
    else inside.push(tile);
  }
  return [...squares.values()].sort(bySquare).map(toBlock);
}

function bySquare([a]: Tile[], [b]: Tile[]): number {
  return (
    a.lod - b.lod ||
    Math.floor(a.y / maxEdge) - Math.floor(b.y / maxEdge) ||
    Math.floor(a.x / maxEdge) - Math.floor(b.x / maxEdge)
  );
}

/** @param tiles  of one square */
function toBlock(tiles: readonly Tile[]): TileBlock {
  let left = Infinity;
  let right = -Infinity;
  let top = Infinity;
  let bottom = -Infinity;
  for (const { x, y } of tiles) {
    left = Math.min(left, x);
    right = Math.max(right, x);
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
  }
  const width = right - left + 1;
  const height = bottom - top + 1;
  const bits = new Uint8Array(Math.ceil((width * height) / 8));
  for (const { x, y } of tiles) {
    const bit = (y - top) * width + (x - left);
    bits[bit >> 3] |= 1 << (bit & 7);
  }
  const block = { lod: tiles[0].lod, x: left, y: top, width, height, bits };
  if (countTiles(block) === width * height) block.bits = new Uint8Array(0);
  return block;
}

/**
 * All tiles of blocks that came in a message.
 * @returns why there can be no such blocks, where there can't
 */
export function tilesOf(blocks: readonly TileBlock[]): Tile[] | string {
  let count = 0;
  for (const block of blocks) {
    const wrong = checkBlock(block);
    if (wrong !== undefined) return wrong;
    count += countTiles(block);
    if (count > maxTiles) return `more than ${maxTiles} tiles in a message`;
  }
  const tiles: Tile[] = [];
  for (const { lod, x, y, width, height, bits } of blocks) {
    const across = Math.max(width, 1);
    for (let i = 0; i < across * Math.max(height, 1); ++i) {
      if (bits.length > 0 && ((bits[i >> 3] >> (i & 7)) & 1) === 0) continue;
      tiles.push({ lod, x: x + (i % across), y: y + Math.floor(i / across) });
    }
  }
  return tiles;
}

function checkBlock(block: TileBlock): string | undefined {
  const width = Math.max(block.width, 1);
  const height = Math.max(block.height, 1);
  if (width > maxEdge || height > maxEdge) return `a block of ${width} x ${height} tiles`;
  if (block.lod > maxLod) return `level of detail ${block.lod}`;
  const end = maxCoordinate(block.lod);
  const isInWorld = (first: number, length: number) => first >= -end && first + length - 1 <= end;
  if (!isInWorld(block.x, width) || !isInWorld(block.y, height)) return 'a block out of the world';
  if (block.bits.length === 0) return undefined;
  const cells = width * height;
  if (block.bits.length !== Math.ceil(cells / 8)) return 'a block with too many or too few bits';
  const last = block.bits[block.bits.length - 1];
  return cells % 8 !== 0 && last >> cells % 8 !== 0 ? 'a block with bits of no tile' : undefined;
}

function countTiles({ width, height, bits }: TileBlock): number {
  if (bits.length === 0) return Math.max(width, 1) * Math.max(height, 1);
  let count = 0;
  for (let byte of bits) for (; byte !== 0; byte &= byte - 1) ++count;
  return count;
}
