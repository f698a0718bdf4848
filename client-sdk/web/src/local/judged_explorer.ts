/** The land around a viewer, made here and judged by a server. */
import type { Tile } from '../chunk.js';
import { TerraneError } from '../errors.js';
import type { Pose } from '../explore/pose.js';
import { invalid } from '../explore/options.js';
import type { WebSocketClass } from '../explore/socket.js';
import { abiVersion, type CoreMemory, type Pointer } from './core_memory.js';
import {
  type ConnectionEvent,
  type LocalExploreEvent,
  type LocalExplorerOptions,
  moveExplorer,
  pollExplorer,
  putOptions,
} from './explorer_calls.js';
import type { Ground } from './ground.js';
import { JudgeConnection, nowNs } from './judge_connection.js';
import { LocalLand } from './local_land.js';

/** Settings of a JudgedExplorer. */
export interface JudgedExplorerOptions extends LocalExplorerOptions {
  /** 'wss://example.com/v1/explore' */
  url: string;
  /** What the server calls the world; none: as its file does. */
  world?: string;
  /** The bearer token to show, asked for anew at each connection; undefined: none. */
  token?: () => string | undefined;
  /** The class to connect with where there is no global WebSocket (node before 22). */
  webSocket?: WebSocketClass;
}

/** What has happened since the last poll. */
export type JudgedExploreEvent =
  | LocalExploreEvent
  /** The server is there, for the first time or again: it judges, or streams. */
  | { type: 'connected' }
  /** The connection is gone, or can't be made; it is tried again by itself. The land goes on. */
  | { type: 'reconnecting'; error: TerraneError }
  /** This one, made here, is not the server's: all of the land is streamed from now on. */
  | { type: 'differs'; tile: Tile }
  /** The server has another world under this name now; this goes on with the old one. */
  | { type: 'worldChanged' }
  /** There will be no connection any more. What is made here is judged by nobody. */
  | { type: 'ended'; error: TerraneError };

const worldChanged = 5;
const differs = 6;
const connecting = 0;
const streaming = 1;

/**
 * A LocalExplorer whose land a server judges: about once a second it is told of one chunk, in 13
 * bytes, and answers with its own where that is another. Then all of the land is streamed; what was
 * made here stays until it is replaced. Made by LocalWorld.judge. Connects at the first move(), and
 * goes on where there is no connection. Every method throws TerraneError: FAILED_PRECONDITION once
 * closed.
 */
export class JudgedExplorer {
  /** What polls have told of and is in range, if heights are among `layers`; goes with this. */
  readonly land: LocalLand;
  private readonly connection: JudgeConnection;
  private handle: Pointer;
  private hasMoved = false; // before that it has nothing to connect for

  /** Not for programs: LocalWorld.judge. @param name  of the world, as its file has it */
  constructor(
    private readonly core: CoreMemory,
    world: Pointer,
    name: string,
    options: JudgedExplorerOptions,
  ) {
    const webSocket = options.webSocket ?? (globalThis.WebSocket as WebSocketClass | undefined);
    if (webSocket === undefined) throw invalid('webSocket: there is no global one');
    const at = putOptions(core, options, core.putText(options.world ?? name));
    this.handle = core.make('terrane_explorer_create_judged', abiVersion, world, at);
    this.land = new LocalLand(core, core.call('terrane_explorer_land', this.handle));
    const { url, token } = options;
    this.connection = new JudgeConnection(core, this.handle, { url, token, webSocket });
  }

  /**
   * The viewer is there now: once a frame. Returns at once.
   * @throws TerraneError  INVALID_ARGUMENT or OUT_OF_RANGE; the viewer is then where it was
   */
  move(pose: Pose): void {
    moveExplorer(this.core, this.open(), pose, nowNs());
    this.hasMoved = true;
    this.connection.drive();
  }

  /**
   * Follows the viewer, makes the chunk that is needed most, and has one judged. Once a frame, at
   * least.
   * @returns false  when there is nothing to be made until the next move() or poll()
   */
  work(): boolean {
    return this.core.call('terrane_explorer_work', this.open()) !== 0;
  }

  /** What has happened since the last call, in an order that can be followed one by one. */
  poll(): JudgedExploreEvent[] {
    const handle = this.open();
    const events: JudgedExploreEvent[] = [];
    for (const event of pollExplorer(this.core, handle)) {
      const told = event.type === 'connection' ? this.eventOf(handle, event) : event;
      if (told !== undefined) events.push(told);
    }
    if (this.hasMoved) this.connection.drive();
    return events;
  }

  /** As LocalExplorer.ground. */
  ground(places: readonly { x: number; y: number }[]): (Ground | undefined)[] {
    this.open();
    return this.land.ground(places);
  }

  /** Ends the connection, and frees its memory. May be called again. */
  close(): void {
    const { handle } = this;
    this.handle = 0;
    this.connection.close();
    this.land.close();
    if (handle !== 0) this.core.call('terrane_explorer_destroy', handle);
  }

  private eventOf(
    handle: Pointer,
    { kind, tile, state }: ConnectionEvent,
  ): JudgedExploreEvent | undefined {
    if (kind === differs) return { type: 'differs', tile };
    if (kind === worldChanged) return { type: 'worldChanged' };
    if (state === streaming) return { type: 'connected' };
    const error = this.core.errorOf('terrane_explorer_get_error', handle);
    if (error === undefined) return undefined; // it connects, and has met nothing yet
    return { type: state === connecting ? 'reconnecting' : 'ended', error };
  }

  private open(): Pointer {
    if (this.handle !== 0) return this.handle;
    throw new TerraneError({
      status: 'FAILED_PRECONDITION',
      message: 'the JudgedExplorer is closed',
    });
  }
}
