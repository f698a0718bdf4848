/** The messages of Explore (explore.proto) as a client reads and writes them. */
import { readCoord } from '../bundle.js';
import { layerNames, type LayerName, type ListName, type Tile } from '../chunk.js';
import { FormatError } from '../errors.js';
import { bytesType, fixed64Type, ProtoReader, tagOf, varintType } from '../proto.js';
import { ProtoWriter } from '../proto_writer.js';
import type { TileBlock } from './blocks.js';
import type { Pose } from './pose.js';

/** Of a Welcome, what a client acts upon. */
export interface Welcome {
  fingerprint: bigint;
  chunkSize: number;
  format: number;
  heartbeatMs: number;
}

/** An ExploreResponse. */
export interface ExploreResponse {
  chunks: { tile: Tile; bytes: Uint8Array }[];
  failures: { tile: Tile; code: number; message: string }[];
  batch: number;
  outOfRange: TileBlock[];
  welcome?: Welcome;
  /** Of a GoAway. */
  resumeAfterMs?: number;
  worldChanged: boolean;
}

/** A Hello, as far as it does not change from stream to stream. */
export interface HelloSettings {
  /** Empty with a realm. */
  world: string;
  seed: bigint;
  realm: string;
  layers: readonly (LayerName | ListName)[];
  viewDistances: readonly number[];
}

const maxParts = 65_536; // chunks and failures of one message
const maxBlocks = 300_713;

/** Reads an ExploreResponse, which refers to `bytes`. @throws FormatError */
export function readResponse(bytes: Uint8Array): ExploreResponse {
  const response: ExploreResponse = {
    chunks: [],
    failures: [],
    batch: 0,
    outOfRange: [],
    worldChanged: false,
  };
  const reader = new ProtoReader(bytes);
  while (reader.next()) {
    readField(reader, response);
    if (
      response.chunks.length + response.failures.length > maxParts ||
      response.outOfRange.length > maxBlocks
    ) {
      throw new FormatError('a message of too many parts');
    }
  }
  return response;
}

function readField(reader: ProtoReader, response: ExploreResponse): void {
  switch (reader.tag) {
    case tagOf(1, bytesType):
      response.chunks.push(readChunk(reader.message()));
      break;
    case tagOf(2, bytesType):
      response.failures.push(readFailure(reader.message()));
      break;
    case tagOf(3, varintType):
      response.batch = reader.varint();
      break;
    case tagOf(5, bytesType):
      response.outOfRange.push(readBlock(reader.message()));
      break;
    case tagOf(6, bytesType):
      response.welcome ??= { fingerprint: 0n, chunkSize: 0, format: 0, heartbeatMs: 0 };
      readWelcome(reader.message(), response.welcome);
      break;
    case tagOf(7, bytesType):
      response.resumeAfterMs = readGoAway(reader.message());
      break;
    case tagOf(8, bytesType):
      response.worldChanged = true;
      reader.skip();
      break;
    default:
      reader.skip();
  }
}

function readChunk(reader: ProtoReader): { tile: Tile; bytes: Uint8Array } {
  const chunk = { tile: { lod: 0, x: 0, y: 0 }, bytes: new Uint8Array(0) };
  while (reader.next()) {
    if (reader.tag === tagOf(1, bytesType)) readCoord(reader.message(), chunk.tile);
    else if (reader.tag === tagOf(2, bytesType)) chunk.bytes = reader.bytes() as typeof chunk.bytes;
    else if (reader.tag === tagOf(3, varintType)) chunk.tile.lod = reader.varint();
    else reader.skip();
  }
  return chunk;
}

function readFailure(reader: ProtoReader): ExploreResponse['failures'][number] {
  const failure = { tile: { lod: 0, x: 0, y: 0 }, code: 0, message: '' };
  while (reader.next()) {
    if (reader.tag === tagOf(1, bytesType)) readCoord(reader.message(), failure.tile);
    else if (reader.tag === tagOf(2, varintType)) failure.code = reader.int32();
    else if (reader.tag === tagOf(3, bytesType)) failure.message = reader.string();
    else if (reader.tag === tagOf(4, varintType)) failure.tile.lod = reader.varint();
    else reader.skip();
  }
  return failure;
}

function readBlock(reader: ProtoReader): TileBlock {
  const block: TileBlock = { lod: 0, x: 0, y: 0, width: 1, height: 1, bits: new Uint8Array(0) };
  while (reader.next()) {
    if (reader.tag === tagOf(1, varintType)) block.lod = reader.varint();
    else if (reader.tag === tagOf(2, varintType)) block.x = reader.zigzag();
    else if (reader.tag === tagOf(3, varintType)) block.y = reader.zigzag();
    else if (reader.tag === tagOf(4, varintType)) block.width = reader.varint();
    else if (reader.tag === tagOf(5, varintType)) block.height = reader.varint();
    else if (reader.tag === tagOf(6, bytesType)) block.bits = reader.bytes();
    else reader.skip();
  }
  return block;
}

function readWelcome(reader: ProtoReader, welcome: Welcome): void {
  while (reader.next()) {
    if (reader.tag === tagOf(1, fixed64Type)) welcome.fingerprint = reader.fixed64();
    else if (reader.tag === tagOf(2, varintType)) welcome.chunkSize = reader.varint();
    else if (reader.tag === tagOf(3, varintType)) welcome.format = reader.varint();
    else if (reader.tag === tagOf(4, varintType)) welcome.heartbeatMs = reader.varint();
    else reader.skip();
  }
}

function readGoAway(reader: ProtoReader): number {
  let resumeAfterMs = 0;
  while (reader.next()) {
    if (reader.tag === tagOf(1, varintType)) resumeAfterMs = reader.varint();
    else reader.skip();
  }
  return resumeAfterMs;
}

/** A Move, as a Hello holds it or as a message of its own. */
export interface Move {
  number: number;
  pose: Required<Pose>;
  have: readonly TileBlock[];
}

/** Writes an ExploreRequest that says Hello. @param fingerprint  of the world; undefined: any */
export function writeHello(
  settings: HelloSettings,
  fingerprint: bigint | undefined,
  format: number,
  move: Move,
  token: string,
): Uint8Array<ArrayBuffer> {
  const world = new ProtoWriter();
  world.string(1, settings.world);
  if (settings.seed !== 0n) world.fixed64(2, settings.seed);
  if (fingerprint !== undefined) world.fixed64(3, fingerprint);
  world.string(4, settings.realm);
  const hello = new ProtoWriter();
  hello.nested(1, world.finish());
  hello.packed(
    2,
    settings.layers.map((name) => layerNames.indexOf(name)).sort((a, b) => a - b),
  );
  hello.packed(3, settings.viewDistances);
  hello.packed(4, [format]);
  hello.nested(5, moveBytes(move));
  hello.string(6, token);
  return request(1, hello.finish());
}

/** Writes an ExploreRequest that says where the viewer is. */
export function writeMove(move: Move): Uint8Array<ArrayBuffer> {
  return request(2, moveBytes(move));
}

/** Writes an ExploreRequest that acknowledges. @param chunkNs  what a chunk takes; 0: not said */
export function writeAck(batch: number, chunkNs: number): Uint8Array<ArrayBuffer> {
  const ack = new ProtoWriter();
  ack.varint(1, batch);
  ack.varint(2, chunkNs);
  return request(3, ack.finish());
}

function request(field: number, event: Uint8Array): Uint8Array<ArrayBuffer> {
  const writer = new ProtoWriter();
  writer.nested(field, event);
  return writer.finish();
}

function moveBytes({ number, pose, have }: Move): Uint8Array<ArrayBuffer> {
  const move = new ProtoWriter();
  move.varint(1, number);
  move.double(2, pose.x);
  move.double(3, pose.y);
  move.double(4, pose.velocityX);
  move.double(5, pose.velocityY);
  move.double(6, pose.directionX);
  move.double(7, pose.directionY);
  for (const block of have) move.nested(8, blockBytes(block));
  return move.finish();
}

function blockBytes({ lod, x, y, width, height, bits }: TileBlock): Uint8Array<ArrayBuffer> {
  const block = new ProtoWriter();
  block.varint(1, lod);
  block.zigzag(2, x);
  block.zigzag(3, y);
  if (width > 1) block.varint(4, width);
  if (height > 1) block.varint(5, height);
  if (bits.length > 0) block.nested(6, bits);
  return block.finish();
}
