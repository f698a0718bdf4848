/** Explore over a WebSocket: the chunks around a moving viewer. */
import type { Tile } from './chunk.js';
import { TerraneError } from './errors.js';
import { ExploreMachine, type ExploreNews } from './explore/machine.js';
import { type ExplorerOptions, invalid, settingsOf } from './explore/options.js';
import type { Pose } from './explore/pose.js';
import { ExploreSocket, type WebSocketClass } from './explore/socket.js';

/** What has happened since the last poll. */
export type ExploreEvent =
  /** A chunk has come into view: its encoded bytes, not to be changed. */
  | { type: 'chunk'; tile: Tile; bytes: Uint8Array }
  /** A chunk has left range: drop it. */
  | { type: 'outOfRange'; tile: Tile }
  /** A chunk can't be had. `status` is a gRPC code. */
  | { type: 'failed'; tile: Tile; status: number; message: string }
  /** The first stream is there. `fingerprint` is a decimal string. */
  | { type: 'welcome'; fingerprint: string; chunkSize: number }
  /** The connection is gone, or can't be made; it is tried again by itself. */
  | { type: 'reconnecting'; error: TerraneError }
  /** The stream goes on with what is at hand. */
  | { type: 'resumed' }
  /** The server has another world under this name now; this stream goes on with the old one. */
  | { type: 'worldChanged' }
  /** It is over for good: a new Explorer, with another token perhaps, is a new attempt. */
  | { type: 'ended'; error: TerraneError };

/** What an Explorer has done. */
export interface ExplorerStats {
  connected: boolean;
  /** Chunks that have come, and their bytes. */
  chunks: number;
  bytes: number;
  /** Chunks that are at hand and in range now. */
  inRange: number;
  /** Of these, those that wait for poll(). */
  waiting: number;
  /** Chunks that were kept, came back into view, and needed not be sent. */
  kept: number;
  reconnects: number;
  /** Milliseconds from the latest jump to the chunk underfoot; 0: it hasn't come. */
  underfootMs: number;
}

const fullPause = 20; // milliseconds until a connection that takes no more is tried again

/**
 * Streams the chunks around a moving viewer over a WebSocket. Connects at the first move(), and
 * anew whenever the connection breaks, with what is at hand. Chunks are acknowledged when they have
 * come, but not while more than `maxWaiting` wait for poll().
 */
export class Explorer {
  private readonly machine: ExploreMachine;
  private readonly webSocket: WebSocketClass;
  private socket: ExploreSocket | undefined;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private isClosed = false;
  private isNewsTold = false;
  // what the page has been told
  private toldWelcome = false;
  private toldReconnects = 0;
  private toldError: TerraneError | undefined;

  /** @throws TerraneError  INVALID_ARGUMENT for options that make no sense */
  constructor(private readonly options: ExplorerOptions) {
    this.machine = new ExploreMachine(settingsOf(options));
    const webSocket = options.webSocket ?? (globalThis.WebSocket as WebSocketClass | undefined);
    if (webSocket === undefined) throw invalid('webSocket: there is no global one');
    this.webSocket = webSocket;
  }

  /**
   * The viewer is there now. Cheap: call it every frame; only the newest pose is sent.
   * @throws TerraneError  INVALID_ARGUMENT or OUT_OF_RANGE; the viewer is then where it was
   */
  move(pose: Pose): void {
    this.machine.move(pose, performance.now());
    this.drive();
  }

  /** What has happened since the last call, in an order that can be followed one by one. */
  poll(): ExploreEvent[] {
    if (this.isClosed) return [];
    this.isNewsTold = false;
    const events = this.eventsOf(this.machine.takeNews());
    this.drive();
    return events;
  }

  /** Ends it: nothing is called back, and poll() has nothing any more. */
  close(): void {
    this.isClosed = true;
    this.letGo();
    clearTimeout(this.timer);
  }

  stats(): ExplorerStats {
    const { machine } = this;
    return {
      connected: !this.isClosed && machine.timing.state === 'streaming',
      chunks: machine.counts.chunks,
      bytes: machine.counts.bytes,
      inRange: machine.inRange,
      waiting: machine.waiting,
      kept: machine.counts.kept,
      reconnects: machine.timing.reconnects,
      underfootMs: machine.underfootMs,
    };
  }

  private eventsOf(news: ExploreNews): ExploreEvent[] {
    const events: ExploreEvent[] = [];
    const { chunkSize, worldFingerprint, timing } = this.machine;
    if (!this.toldWelcome && chunkSize > 0 && worldFingerprint !== undefined) {
      this.toldWelcome = true;
      events.push({ type: 'welcome', fingerprint: worldFingerprint.toString(), chunkSize });
    }
    if (timing.reconnects > this.toldReconnects) events.push({ type: 'resumed' });
    this.toldReconnects = timing.reconnects;
    for (const tile of news.outOfRange) events.push({ type: 'outOfRange', tile });
    for (const { tile, bytes } of news.arrived) events.push({ type: 'chunk', tile, bytes });
    for (const { tile, code, message } of news.failed) {
      events.push({ type: 'failed', tile, status: code, message });
    }
    if (news.worldChanged) events.push({ type: 'worldChanged' });
    const { error } = news;
    if (error !== undefined && error !== this.toldError) {
      events.push({ type: news.state === 'ended' ? 'ended' : 'reconnecting', error });
    }
    this.toldError = error;
    return events;
  }

  /** Does all that can be done now, and sees to it that it is looked at again in time. */
  private drive(): void {
    if (this.isClosed) return;
    const now = performance.now();
    if (this.machine.timing.isOverdue(now)) {
      const message = `${this.options.url}: the server has been silent for too long`;
      this.letGo();
      this.lose(new TerraneError({ status: 'UNAVAILABLE', message }));
    }
    if (this.machine.isStreamDue(now)) this.open();
    this.flush(now);
    this.tellNews();
    const look = this.machine.inUse ? this.machine.timing.nextLook() : undefined;
    const wait = this.socket?.isFull ? fullPause : (look ?? Infinity) - performance.now();
    clearTimeout(this.timer);
    if (wait < Infinity) this.timer = setTimeout(() => this.drive(), Math.max(0, Math.ceil(wait)));
  }

  private open(): void {
    this.machine.openStream();
    try {
      this.socket = ExploreSocket.open(this.webSocket, this.options.url, {
        opened: () => this.drive(),
        received: (bytes) => this.receive(bytes),
        ended: (error) => {
          this.socket = undefined;
          this.lose(error);
          this.drive();
        },
      });
    } catch (error) {
      if (!(error instanceof TerraneError)) throw error;
      this.machine.timing.gaveUp(error);
    }
  }

  private flush(now: number): void {
    while (this.socket?.isReady) {
      const message = this.machine.nextMessage(now, this.options.token);
      if (message === undefined) return;
      this.socket.send(message);
    }
  }

  private receive(bytes: Uint8Array): void {
    try {
      this.machine.receive(bytes, performance.now());
    } catch (error) {
      this.letGo();
      if (!(error instanceof TerraneError)) throw error;
    }
    this.drive();
  }

  private lose(error: TerraneError): void {
    this.machine.endStream(error, performance.now(), Math.random());
  }

  private letGo(): void {
    this.socket?.close();
    this.socket = undefined;
  }

  private tellNews(): void {
    if (this.isNewsTold || this.options.onNews === undefined) return;
    const { timing, hasNews, chunkSize } = this.machine;
    const isNew =
      hasNews ||
      timing.error !== this.toldError ||
      timing.reconnects > this.toldReconnects ||
      (!this.toldWelcome && chunkSize > 0);
    if (!isNew) return;
    this.isNewsTold = true;
    queueMicrotask(() => {
      if (!this.isClosed) this.options.onNews?.();
    });
  }
}
