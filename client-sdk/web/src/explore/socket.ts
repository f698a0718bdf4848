/** Explore's connection: a WebSocket whose binary frames are messages. */
import { type ErrorDetails, TerraneError } from '../errors.js';
import { parseHttpError } from '../http_error.js';
import { statusName } from '../status.js';

/** What an Explorer needs of a WebSocket; browsers' and that of the package `ws` have it. */
export interface WebSocketLike {
  binaryType: string;
  readonly bufferedAmount: number;
  onopen: ((event: never) => void) | null;
  onmessage: ((event: never) => void) | null;
  onclose: ((event: never) => void) | null;
  onerror: ((event: never) => void) | null;
  send(data: Uint8Array<ArrayBuffer>): void;
  close(code?: number, reason?: string): void;
}

/** A class like the global WebSocket. */
export type WebSocketClass = new (url: string) => WebSocketLike;

/** What happens to a connection. */
export interface SocketEvents {
  opened(): void;
  received(bytes: Uint8Array): void;
  ended(error: TerraneError): void;
}

const normalClosure = 1000;
const firstStatus = 4000; // close codes from here on are gRPC's status codes
const maxBuffered = 65_536; // bytes that may wait to be sent

/** One connection, which calls back until it is closed from this side or has ended. */
export class ExploreSocket {
  private isOpen = false;
  private said: TerraneError | undefined;

  private constructor(private readonly socket: WebSocketLike) {}

  /** Connects. @throws TerraneError  INVALID_ARGUMENT for a URL that is none */
  static open(webSocket: WebSocketClass, url: string, events: SocketEvents): ExploreSocket {
    const opened = new ExploreSocket(makeSocket(webSocket, url));
    const { socket } = opened;
    socket.binaryType = 'arraybuffer';
    socket.onopen = () => {
      opened.isOpen = true;
      events.opened();
    };
    socket.onmessage = ({ data }: { data: unknown }) => {
      if (typeof data === 'string') opened.said = parseHttpError(data);
      else if (data instanceof ArrayBuffer) events.received(new Uint8Array(data));
    };
    socket.onclose = ({ code, reason }: { code: number; reason: string }) => {
      opened.isOpen = false;
      events.ended(opened.said ?? errorOfClose(code, reason, url));
    };
    socket.onerror = () => {}; // a close follows, and says as much
    return opened;
  }

  /** Whether a message may be sent now, so that it does not wait behind many others. */
  get isReady(): boolean {
    return this.isOpen && this.socket.bufferedAmount <= maxBuffered;
  }

  /** Whether it connects no more and messages wait to be sent. */
  get isFull(): boolean {
    return this.isOpen && !this.isReady;
  }

  send(bytes: Uint8Array<ArrayBuffer>): void {
    this.socket.send(bytes);
  }

  /** Lets go of it: nothing is called back any more. */
  close(): void {
    this.isOpen = false;
    this.socket.onopen = this.socket.onmessage = this.socket.onclose = null;
    this.socket.close(normalClosure);
  }
}

function makeSocket(webSocket: WebSocketClass, url: string): WebSocketLike {
  try {
    return new webSocket(url);
  } catch (cause) {
    throw new TerraneError({ status: 'INVALID_ARGUMENT', message: `url: ${String(cause)}` });
  }
}

/** The error that a close without an HttpError is. */
function errorOfClose(code: number, reason: string, url: string): TerraneError {
  const isStatus = code > firstStatus && code <= firstStatus + 16;
  const status = isStatus ? statusName(code - firstStatus) : 'UNAVAILABLE';
  const details: ErrorDetails = {
    // nobody here has cancelled, and a server that is done is not done with this client
    status: status === 'CANCELLED' ? 'UNAVAILABLE' : status,
    message: `${url}: the connection has ended (close code ${code}${reason && `, ${reason}`})`,
  };
  return new TerraneError(isStatus && reason !== '' ? { ...details, reason } : details);
}
