/** What an Explorer knows, says and expects. */
import { formatVersion, type Tile } from '../chunk.js';
import { FormatError, TerraneError } from '../errors.js';
import { statusName } from '../status.js';
import { toBlocks, type TileBlock, tilesOf } from './blocks.js';
import { type HeldChunk, HeldChunks } from './held.js';
import {
  type ExploreResponse,
  type HelloSettings,
  readResponse,
  type Welcome,
  writeAck,
  writeHello,
  writeMove,
} from './messages.js';
import { checkPose, completePose, isSamePose, type Pose } from './pose.js';
import { type ExploreState, ReconnectTiming } from './timing.js';
import { Underfoot } from './underfoot.js';
import { keyOf, ViewRange } from './view.js';

/** What a machine is to explore, and how. */
export interface MachineSettings extends HelloSettings {
  /** Of the world; undefined: any at first, then the one that there was. */
  fingerprint: bigint | undefined;
  /** Chunks to keep out of range, should the viewer come back. */
  keptChunks: number;
  /** While more chunks than this wait for takeNews(), the server is made to wait. */
  maxWaiting: number;
}

/** What the page is to be told. */
export interface ExploreNews {
  state: ExploreState;
  arrived: HeldChunk[];
  outOfRange: Tile[];
  failed: { tile: Tile; code: number; message: string }[];
  worldChanged: boolean;
  /** Why it ended, or what the last attempt met. */
  error: TerraneError | undefined;
}

const maxChunkSize = 128;
const maxUnwaited = 4096; // chunks that a server may send while it is made to wait

/**
 * The client's side of Explore: poses and the server's bytes in, bytes for the server and news for
 * the page out. No I/O and no clock: times, in milliseconds, and chance are the caller's.
 * tests/golden/explore holds conversations that it replays byte for byte.
 */
export class ExploreMachine {
  readonly timing = new ReconnectTiming();
  readonly counts = { chunks: 0, bytes: 0, repeated: 0, kept: 0 };
  /** What a chunk takes the page, nanoseconds; 0: not known. Acks say it. */
  chunkNs = 0;
  private readonly range: ViewRange;
  private readonly held: HeldChunks;
  private readonly underfoot = new Underfoot();
  private fingerprint: bigint | undefined;
  private failed: ExploreNews['failed'] = [];
  private worldChanged = false;
  private moveNumber = 0;
  private moveDue = false;
  private readonly untold = new Map<string, Tile>(); // held, and the server does not know

  // Of the stream that is under way:
  private saidHello = false;
  private welcomed = false;
  private lastWasMove = false;
  private received = 0; // batch
  private acknowledged = 0; // batch

  constructor(private readonly settings: MachineSettings) {
    this.range = new ViewRange(settings.viewDistances);
    this.held = new HeldChunks(settings.keptChunks);
    this.fingerprint = settings.fingerprint;
  }

  /** Samples along one edge of a chunk; 0 before the first welcome. */
  get chunkSize(): number {
    return this.range.chunkSize;
  }

  /** The world's; undefined before the first welcome, unless it was pinned. */
  get worldFingerprint(): bigint | undefined {
    return this.fingerprint;
  }

  /** How many chunks are at hand and in range, and how many of them the page has not taken. */
  get inRange(): number {
    return this.held.size;
  }
  get waiting(): number {
    return this.held.waiting;
  }

  /** Whether the viewer is anywhere yet. */
  get inUse(): boolean {
    return this.moveNumber > 0;
  }

  /** Whether takeNews() has chunks or changes; state and error aside. */
  get hasNews(): boolean {
    return this.held.hasNews || this.failed.length > 0 || this.worldChanged;
  }

  /** Milliseconds from the latest jump to the chunk underfoot; 0: it hasn't come. */
  get underfootMs(): number {
    return this.underfoot.took;
  }

  /** The viewer is there now. @throws TerraneError  for a pose that no server would take */
  move(pose: Pose, now: number): void {
    const next = completePose(pose);
    checkPose(next, this.range.chunkSize || maxChunkSize);
    if (this.range.pose !== undefined && isSamePose(next, this.range.pose)) return;
    const from = this.range.underfoot();
    this.range.pose = next;
    ++this.moveNumber;
    this.moveDue = true;
    this.underfoot.moved(from, this.range.underfoot(), this.held, now, this.moveNumber === 1);
    const back = this.held.bringBackInView(this.range);
    this.counts.kept += back.length;
    for (const tile of back) this.untold.set(keyOf(tile), tile);
    this.underfoot.look(this.range.underfoot(), this.held, now);
  }

  /** What has happened since the last call. */
  takeNews(): ExploreNews {
    const news: ExploreNews = {
      ...this.held.takeNews(),
      state: this.timing.state,
      failed: this.failed,
      worldChanged: this.worldChanged,
      error: this.timing.error,
    };
    this.failed = [];
    this.worldChanged = false;
    return news;
  }

  /** Whether to open a stream now. */
  isStreamDue(now: number): boolean {
    return this.inUse && this.timing.isDue(now);
  }

  /** A stream is opened: its first message will say all over again. */
  openStream(): void {
    this.timing.opened();
    this.saidHello = this.welcomed = this.lastWasMove = false;
    this.received = this.acknowledged = 0;
    if (this.range.chunkSize > 0) this.held.dropOutOfRange(this.range); // nobody else will say so
  }

  /** The next ExploreRequest; undefined: nothing. @param token  is asked for the Hello's */
  nextMessage(now: number, token?: () => string | undefined): Uint8Array<ArrayBuffer> | undefined {
    if (!this.saidHello) return this.hello(token?.() ?? '');
    this.timing.connected(now); // the Hello has gone out, else nobody would ask for more
    if (this.moveDue && !(this.lastWasMove && this.owesAck())) {
      this.moveDue = false;
      this.lastWasMove = true;
      return writeMove({ number: this.moveNumber, pose: this.pose(), have: this.takeUntold() });
    }
    if (!this.owesAck()) return undefined;
    this.acknowledged = this.received;
    this.lastWasMove = false;
    return writeAck(this.received, Math.round(this.chunkNs));
  }

  /**
   * Takes in an ExploreResponse. @throws TerraneError  DATA_LOSS for what no server sends,
   * FAILED_PRECONDITION for another world than before: the stream is to be ended, for good
   */
  receive(bytes: Uint8Array, now: number): void {
    try {
      this.takeIn(readResponse(bytes), now);
    } catch (cause) {
      const error = cause instanceof FormatError ? dataLoss(cause.message) : cause;
      if (error instanceof TerraneError) this.timing.gaveUp(error);
      throw error;
    }
  }

  /** The stream has ended. @param jitter  a random number from 0 to below 1 */
  endStream(error: TerraneError, now: number, jitter: number): void {
    this.timing.failed(error, now, jitter);
  }

  private hello(token: string): Uint8Array<ArrayBuffer> {
    this.saidHello = true;
    this.moveDue = false;
    this.untold.clear();
    for (const tile of this.held.all()) this.untold.set(keyOf(tile), tile);
    const move = { number: this.moveNumber, pose: this.pose(), have: this.takeUntold() };
    return writeHello(this.settings, this.fingerprint, formatVersion, move, token);
  }

  private pose(): Required<Pose> {
    return this.range.pose ?? completePose({ x: 0, y: 0 });
  }

  /**
   * What the viewer has and the server does not know of. What has left range before that could be
   * said would count for nothing: the server would never take it back.
   */
  private takeUntold(): TileBlock[] {
    const tiles: Tile[] = [];
    for (const tile of this.untold.values()) {
      if (this.range.chunkSize === 0 || this.range.isInRange(tile)) tiles.push(tile);
      else this.held.drop(tile);
    }
    this.untold.clear();
    return toBlocks(tiles);
  }

  private owesAck(): boolean {
    return this.received > this.acknowledged && this.held.waiting <= this.settings.maxWaiting;
  }

  private takeIn(response: ExploreResponse, now: number): void {
    this.checkOrder(response);
    if (response.welcome !== undefined) this.takeWelcome(response.welcome);
    if (response.chunks.length > 0) this.received = response.batch;
    if (response.worldChanged) this.worldChanged = true;
    this.takeOutOfRange(response.outOfRange);
    this.takeFailures(response.failures);
    const chunks = this.checkChunks(response.chunks);
    this.timing.heard(now, response.welcome === undefined);
    if (response.welcome !== undefined) this.timing.welcomed(response.welcome.heartbeatMs);
    if (response.resumeAfterMs !== undefined) this.timing.toldToLeave(response.resumeAfterMs, now);
    for (const { tile, bytes } of chunks) this.held.add({ tile, bytes: bytes.slice() });
    this.underfoot.look(this.range.underfoot(), this.held, now);
  }

  private checkOrder(response: ExploreResponse): void {
    if ((response.welcome !== undefined) === this.welcomed) {
      throw dataLoss(this.welcomed ? 'a second welcome' : 'something before its welcome');
    }
    if (response.chunks.length > 0 && response.batch <= this.received) {
      throw dataLoss(`batch ${response.batch} after batch ${this.received}`);
    }
  }

  private takeWelcome(welcome: Welcome): void {
    if (this.fingerprint !== undefined && this.fingerprint !== welcome.fingerprint) {
      throw new TerraneError({
        status: 'FAILED_PRECONDITION',
        reason: 'WORLD_CHANGED',
        message: 'the world is not the one pinned or seen before: drop its chunks and begin anew',
      });
    }
    const size = welcome.chunkSize;
    if (![16, 32, 64, 128].includes(size) || (this.chunkSize > 0 && size !== this.chunkSize)) {
      throw dataLoss(`chunks of ${size} samples`);
    }
    if (welcome.format !== formatVersion) throw dataLoss(`format version ${welcome.format}`);
    this.welcomed = true;
    this.fingerprint = welcome.fingerprint; // never two worlds in one Explorer
    this.range.chunkSize = size;
  }

  private takeOutOfRange(blocks: readonly TileBlock[]): void {
    const tiles = tilesOf(blocks);
    if (typeof tiles === 'string') throw dataLoss(tiles);
    for (const tile of tiles) {
      if (!this.held.holds(tile)) continue;
      if (this.range.isInRange(tile)) {
        this.untold.set(keyOf(tile), tile); // the viewer has come back meanwhile
        this.moveDue = true;
      } else {
        this.held.drop(tile);
        this.untold.delete(keyOf(tile));
      }
    }
  }

  private takeFailures(failures: ExploreResponse['failures']): void {
    for (const failure of failures) {
      if (!this.range.exists(failure.tile)) throw notAsked(failure.tile);
      if (this.failed.length >= this.maxHeld()) throw dataLoss('far too many failures');
      this.failed.push(failure);
    }
  }

  /** Those of the chunks that the viewer lacks; bounds what a server can fill the memory with. */
  private checkChunks(chunks: ExploreResponse['chunks']): ExploreResponse['chunks'] {
    const coming = new Map<string, ExploreResponse['chunks'][number]>();
    for (const chunk of chunks) {
      const { tile, bytes } = chunk;
      if (!this.range.exists(tile)) throw notAsked(tile);
      if (this.held.size + coming.size >= this.maxHeld()) throw dataLoss('far too many chunks');
      if (this.held.waiting + coming.size >= maxUnwaited + this.settings.maxWaiting) {
        throw dataLoss('far too many chunks without an acknowledgement');
      }
      ++this.counts.chunks;
      this.counts.bytes += bytes.length;
      const key = keyOf(tile);
      if (this.held.holds(tile) || this.held.bringBack(tile) || coming.has(key)) {
        ++this.counts.repeated;
      } else {
        coming.set(key, chunk);
      }
    }
    return [...coming.values()];
  }

  /** While those that were left are still on their way out. */
  private maxHeld(): number {
    return 2 * this.range.maxTiles() + maxUnwaited;
  }
}

function dataLoss(what: string): TerraneError {
  return new TerraneError({ status: statusName(15), message: `the server sent ${what}` });
}

function notAsked(tile: Tile): TerraneError {
  return dataLoss(`chunk ${keyOf(tile)}, which was not asked for`);
}
