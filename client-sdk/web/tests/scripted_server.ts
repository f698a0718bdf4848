import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Tile } from '../src/index.js';
import { bytesType, fixed64Type, ProtoReader, tagOf, varintType } from '../src/proto.js';
import { ProtoWriter } from '../src/proto_writer.js';

/** What a client has said: as far as tests look at it. */
export interface Said {
  kind: 'hello' | 'move' | 'ack';
  token: string;
  fingerprint: bigint | undefined;
  /** How many blocks of tiles it says it has. */
  have: number;
  batch: number;
}

/** One connection of a client. */
export class Session {
  private readonly said: Said[] = [];
  private wake = () => {};

  constructor(readonly socket: WebSocket) {
    socket.on('message', (data: Buffer) => {
      this.said.push(readRequest(new Uint8Array(data)));
      this.wake();
    });
  }

  /** The next message of a kind; others before it are passed over. */
  async next(kind: Said['kind']): Promise<Said> {
    for (;;) {
      for (let said = this.said.shift(); said !== undefined; said = this.said.shift()) {
        if (said.kind === kind) return said;
      }
      await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }

  send(bytes: Uint8Array): void {
    this.socket.send(bytes);
  }

  /** Ends the stream as the server does: with an HttpError and a status. */
  end(code: number, status: string, more: object = {}): void {
    this.socket.send(JSON.stringify({ status, message: `${status} it is`, ...more }));
    this.socket.close(4000 + code, status);
  }
}

/** A server whose tests say what it says. */
export class ScriptedServer {
  private readonly server = new WebSocketServer({ port: 0, host: '127.0.0.1' });

  async url(): Promise<string> {
    if (this.server.address() === null) await once(this.server, 'listening');
    return `ws://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1/explore`;
  }

  /** The next connection. */
  async accept(): Promise<Session> {
    const [socket] = (await once(this.server, 'connection')) as [WebSocket];
    return new Session(socket);
  }

  close(): void {
    for (const client of this.server.clients) client.terminate();
    this.server.close();
  }
}

/** An ExploreResponse with a Welcome. */
export function welcome(fingerprint = 7n, heartbeatMs = 60_000): Uint8Array {
  const message = new ProtoWriter();
  message.fixed64(1, fingerprint);
  message.varint(2, 16);
  message.varint(3, 2);
  message.varint(4, heartbeatMs);
  return nested(6, message);
}

/** One with chunks, whose bytes are of no meaning. */
export function batch(number: number, tiles: readonly Tile[]): Uint8Array {
  const response = new ProtoWriter();
  for (const tile of tiles) {
    const coord = new ProtoWriter();
    coord.zigzag(1, tile.x);
    coord.zigzag(2, tile.y);
    const chunk = new ProtoWriter();
    chunk.nested(1, coord.finish());
    chunk.string(2, `chunk ${tile.lod}/${tile.x},${tile.y}`);
    chunk.varint(3, tile.lod);
    response.nested(1, chunk.finish());
  }
  response.varint(3, number);
  return response.finish();
}

/** One that says that a tile is out of range. */
export function outOfRange(tile: Tile): Uint8Array {
  const block = new ProtoWriter();
  block.varint(1, tile.lod);
  block.zigzag(2, tile.x);
  block.zigzag(3, tile.y);
  return nested(5, block);
}

function nested(field: number, inner: ProtoWriter): Uint8Array {
  const response = new ProtoWriter();
  response.nested(field, inner.finish());
  return response.finish();
}

const kinds = ['hello', 'move', 'ack'] as const;

function readRequest(bytes: Uint8Array): Said {
  const request = new ProtoReader(bytes);
  if (!request.next()) throw new Error('an empty request');
  const kind = kinds[(request.tag >> 3) - 1];
  const said: Said = { kind, token: '', fingerprint: undefined, have: 0, batch: 0 };
  const reader = request.message();
  while (reader.next()) {
    if (kind === 'ack' && reader.tag === tagOf(1, varintType)) said.batch = reader.varint();
    else if (kind === 'hello' && reader.tag === tagOf(1, bytesType)) readWorld(reader, said);
    else if (kind === 'hello' && reader.tag === tagOf(5, bytesType)) {
      said.have = countHave(reader.message());
    } else if (kind === 'hello' && reader.tag === tagOf(6, bytesType)) said.token = reader.string();
    else reader.skip();
  }
  return said;
}

function readWorld(reader: ProtoReader, said: Said): void {
  const world = reader.message();
  while (world.next()) {
    if (world.tag === tagOf(3, fixed64Type)) said.fingerprint = world.fixed64();
    else world.skip();
  }
}

function countHave(move: ProtoReader): number {
  let count = 0;
  for (; move.next(); move.skip()) if (move.tag === tagOf(8, bytesType)) ++count;
  return count;
}
