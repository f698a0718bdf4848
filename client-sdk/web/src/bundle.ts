/** The bytes of a GetChunksResponse: what bundles are sent as. */
import type { Tile } from './chunk.js';
import { bytesType, ProtoReader, tagOf, varintType } from './proto.js';

/** One chunk of a bundle: its encoded bytes, or why there are none. */
export interface BundleEntry {
  tile: Tile;
  bytes?: Uint8Array;
  failure?: string;
}

/**
 * Reads a GetChunksResponse. Entries refer to `bytes`.
 * @param lod  the level of detail that was asked for, which the message does not say
 * @throws FormatError
 */
export function readBundle(bytes: Uint8Array, lod: number): BundleEntry[] {
  const entries: BundleEntry[] = [];
  const reader = new ProtoReader(bytes);
  while (reader.next()) {
    if (reader.tag === tagOf(1, bytesType)) entries.push(readChunk(reader.message(), lod));
    else if (reader.tag === tagOf(2, bytesType)) entries.push(readFailure(reader.message(), lod));
    else reader.skip();
  }
  return entries;
}

/** Reads a ChunkCoord into a tile. */
export function readCoord(reader: ProtoReader, tile: Tile): void {
  while (reader.next()) {
    if (reader.tag === tagOf(1, varintType)) tile.x = reader.zigzag();
    else if (reader.tag === tagOf(2, varintType)) tile.y = reader.zigzag();
    else reader.skip();
  }
}

function readChunk(reader: ProtoReader, lod: number): BundleEntry {
  const entry: BundleEntry = { tile: { lod, x: 0, y: 0 }, bytes: new Uint8Array(0) };
  while (reader.next()) {
    if (reader.tag === tagOf(1, bytesType)) readCoord(reader.message(), entry.tile);
    else if (reader.tag === tagOf(2, bytesType)) entry.bytes = reader.bytes();
    else reader.skip();
  }
  return entry;
}

function readFailure(reader: ProtoReader, lod: number): BundleEntry {
  const entry: BundleEntry = { tile: { lod, x: 0, y: 0 }, failure: '' };
  while (reader.next()) {
    if (reader.tag === tagOf(1, bytesType)) readCoord(reader.message(), entry.tile);
    else if (reader.tag === tagOf(3, bytesType)) entry.failure = reader.string();
    else reader.skip();
  }
  return entry;
}
