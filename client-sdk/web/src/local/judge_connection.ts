/** The connection of a judged explorer, over a WebSocket. */
import { TerraneError } from '../errors.js';
import { ExploreSocket, type WebSocketClass } from '../explore/socket.js';
import { statusCode } from '../status.js';
import type { CoreMemory, Pointer } from './core_memory.js';

/** Where to connect to, and how. */
export interface JudgeOptions {
  url: string;
  token: (() => string | undefined) | undefined;
  webSocket: WebSocketClass;
}

const never = 2n ** 63n - 1n;
const fullPause = 20; // milliseconds until a connection that takes no more is tried again
const longestWait = 60_000; // milliseconds: a timer does not take any number
const usualMessage = 4096; // bytes; most have some tens

/** The clock of explorers. */
export function nowNs(): bigint {
  return BigInt(Math.round(performance.now() * 1e6));
}

/** Carries the messages of a terrane_explorer, and opens what it wants to have open. */
export class JudgeConnection {
  private socket: ExploreSocket | undefined;
  private isOpen = false;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isClosed = false;

  constructor(
    private readonly core: CoreMemory,
    private readonly explorer: Pointer,
    private readonly options: JudgeOptions,
  ) {}

  /** Does all that can be done now, and sees to it that it is looked at again. Once moved. */
  drive(): void {
    if (this.isClosed) return;
    const { core, explorer } = this;
    if (core.call('terrane_explorer_is_overdue', explorer, nowNs()) !== 0) {
      const message = `${this.options.url}: the server has been silent for too long`;
      this.letGo();
      this.lose(new TerraneError({ status: 'UNAVAILABLE', message }));
    }
    const isWanted = core.call('terrane_explorer_wants_stream', explorer, nowNs()) !== 0;
    if (isWanted && this.socket === undefined) this.open();
    this.flush();
    clearTimeout(this.timer);
    const wait = this.wait();
    if (wait < Infinity) this.timer = setTimeout(() => this.later(() => {}), wait);
  }

  /** Nothing is called back any more. The explorer is not looked at again. */
  close(): void {
    this.isClosed = true;
    this.letGo();
    clearTimeout(this.timer);
  }

  /** Milliseconds until drive() has something to do, if nothing else happens. */
  private wait(): number {
    if (this.socket !== undefined && !this.isOpen) return Infinity; // it calls back
    if (this.socket?.isFull) return fullPause;
    const look = this.core.callBig('terrane_explorer_next_look', this.explorer);
    if (look === never) return Infinity;
    return Math.min(longestWait, Math.max(1, Math.ceil(Number(look - nowNs()) / 1e6)));
  }

  private open(): void {
    const { url, webSocket } = this.options;
    try {
      this.socket = ExploreSocket.open(webSocket, url, {
        opened: () => this.later(() => this.opened()),
        received: (bytes) => this.later(() => this.receive(bytes)),
        ended: (error) => {
          this.isOpen = false;
          this.socket = undefined;
          this.later(() => this.lose(error));
        },
      });
    } catch (error) {
      if (!(error instanceof TerraneError)) throw error;
      this.lose(error); // a URL that is none: for good
    }
  }

  private opened(): void {
    const { core, explorer } = this;
    const token = this.options.token?.();
    core.check('terrane_explorer_set_token', explorer, token ? core.putText(token) : 0);
    core.check('terrane_explorer_opened', explorer);
    this.isOpen = true;
  }

  private receive(bytes: Uint8Array): void {
    const { core, explorer } = this;
    const at = core.put(bytes);
    core.check('terrane_explorer_receive', explorer, at, bytes.length, nowNs());
  }

  private flush(): void {
    const { core, explorer } = this;
    while (this.socket?.isReady && this.isOpen) {
      let room = usualMessage;
      let to = core.reserve(room);
      const next = () => core.call('terrane_explorer_next_message', explorer, nowNs(), to, room);
      let size = next();
      if (size > room) {
        room = size;
        to = core.reserve(room);
        size = next();
      }
      if (size === 0) return;
      this.socket.send(core.bytes.slice(to, to + size));
    }
  }

  /** Something has happened: what the explorer refuses ends the connection. */
  private later(happens: () => void): void {
    try {
      try {
        happens();
      } catch (error) {
        if (!(error instanceof TerraneError)) throw error;
        this.letGo();
        this.lose(error);
      }
      this.drive();
    } catch (error) {
      if (!(error instanceof TerraneError)) throw error;
      this.close(); // terrane_core has failed, which the program's next call is told
    }
  }

  private lose({ status, message, retryAfterMs }: TerraneError): void {
    const { core, explorer } = this;
    const text = core.putText(message);
    const pause = BigInt(Math.ceil(retryAfterMs));
    core.call('terrane_explorer_closed', explorer, statusCode(status), text, pause, nowNs());
  }

  private letGo(): void {
    this.isOpen = false;
    this.socket?.close();
    this.socket = undefined;
  }
}
