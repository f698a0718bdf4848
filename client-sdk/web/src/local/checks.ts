/** Places and counts for terrane_core: numbers that it can take at all. */
import type { Tile } from '../chunk.js';
import { TerraneError } from '../errors.js';
import type { Block } from '../world.js';
import { blockLayout, tileLayout } from './layouts.js';

const maxSeed = (1n << 64n) - 1n;

/** @throws TerraneError INVALID_ARGUMENT */
export function seedOf(seed: bigint | string): bigint {
  const limit = 'a decimal number from 0 to 2^64 - 1';
  const isNumber = typeof seed === 'bigint' || /^[0-9]+$/.test(seed);
  if (!isNumber) throw refusal('seed', seed, limit);
  const value = BigInt(seed);
  if (value < 0n || value > maxSeed) throw refusal('seed', seed, limit);
  return value;
}

/** Writes a terrane_tile. @throws TerraneError INVALID_ARGUMENT for what is no tile anywhere */
export function putTile(view: DataView, at: number, tile: Tile): void {
  if (!Number.isInteger(tile.lod) || tile.lod < 0 || tile.lod > 255) {
    throw refusal('tile.lod', tile.lod, 'a level of detail, from 0 to maxLod');
  }
  view.setBigInt64(at + tileLayout.x, coordinate('tile.x', tile.x), true);
  view.setBigInt64(at + tileLayout.y, coordinate('tile.y', tile.y), true);
  view.setUint32(at + tileLayout.lod, tile.lod, true);
}

/** Writes terrane_blocks. @throws TerraneError INVALID_ARGUMENT */
export function putBlocks(view: DataView, at: number, blocks: readonly Block[]): void {
  blocks.forEach((block, i) => putBlock(view, at + blockLayout.size * i, `blocks[${i}]`, block));
}

/** Writes a terrane_block. @throws TerraneError INVALID_ARGUMENT */
export function putBlock(view: DataView, at: number, field: string, { x, y }: Block): void {
  view.setBigInt64(at + blockLayout.x, coordinate(`${field}.x`, x), true);
  view.setBigInt64(at + blockLayout.y, coordinate(`${field}.y`, y), true);
}

/** @throws TerraneError INVALID_ARGUMENT unless it is an integer from `least` to `most` */
export function countOf(field: string, value: number, least: number, most: number): number {
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw refusal(field, value, `an integer from ${least} to ${most}`);
}

/** Reads a terrane_block. */
export function takeBlock(view: DataView, at: number): Block {
  return {
    x: Number(view.getBigInt64(at + blockLayout.x, true)),
    y: Number(view.getBigInt64(at + blockLayout.y, true)),
  };
}

/** Reads a terrane_tile. */
export function takeTile(view: DataView, at: number): Tile {
  return { lod: view.getUint32(at + tileLayout.lod, true), ...takeBlock(view, at) };
}

function coordinate(field: string, value: number): bigint {
  if (!Number.isSafeInteger(value)) throw refusal(field, value, 'an integer within ±2^53');
  return BigInt(value);
}

function refusal(field: string, value: unknown, limit: string): TerraneError {
  return new TerraneError({
    status: 'INVALID_ARGUMENT',
    message: `${field} is ${String(value)}: it must be ${limit}`,
    field,
    value: String(value),
    limit,
  });
}
