/** The land around a viewer, made here. */
import { TerraneError } from '../errors.js';
import type { Pose } from '../explore/pose.js';
import { abiVersion, type CoreMemory, type Pointer } from './core_memory.js';
import {
  type LocalExploreEvent,
  type LocalExplorerOptions,
  moveExplorer,
  pollExplorer,
  putOptions,
} from './explorer_calls.js';
import type { Ground } from './ground.js';
import { LocalLand } from './local_land.js';

/**
 * The chunks around a moving viewer, the most needed first, made on the thread that calls work().
 * Made by LocalWorld.explore. Every method throws TerraneError: FAILED_PRECONDITION once closed.
 */
export class LocalExplorer {
  /** What polls have told of and is in range, if heights are among `layers`; goes with this. */
  readonly land: LocalLand;
  private handle: Pointer;

  /** Not for programs: LocalWorld.explore. @param world  a terrane_world */
  constructor(
    private readonly core: CoreMemory,
    world: Pointer,
    options: LocalExplorerOptions,
  ) {
    const at = putOptions(core, options);
    this.handle = core.make('terrane_explorer_create_local', abiVersion, world, at);
    this.land = new LocalLand(core, core.call('terrane_explorer_land', this.handle));
  }

  /**
   * The viewer is there now: once a frame. Returns at once.
   * @throws TerraneError  INVALID_ARGUMENT or OUT_OF_RANGE; the viewer is then where it was
   */
  move(pose: Pose): void {
    moveExplorer(this.core, this.open(), pose);
  }

  /**
   * Follows the viewer, so that poll() tells of what is out of range, and makes the chunk that is
   * needed most: some tenths of a millisecond, of coarse levels a few. Once a frame, at least.
   * @returns false  when there is nothing to be made until the next move() or poll()
   */
  work(): boolean {
    return this.core.call('terrane_explorer_work', this.open()) !== 0;
  }

  /** What has happened since the last call, in an order that can be followed one by one. */
  poll(): LocalExploreEvent[] {
    const events = pollExplorer(this.core, this.open());
    return events.filter((event) => event.type !== 'connection');
  }

  /**
   * The ground at places, in blocks, by the chunks that poll() has told of and that are in range.
   * Microseconds for each.
   * @returns one for each place; undefined: no chunk at hand has it, or `layers` lacks heights
   */
  ground(places: readonly { x: number; y: number }[]): (Ground | undefined)[] {
    this.open();
    return this.land.ground(places);
  }

  /** Frees its memory. Chunks that poll() has given stay. May be called again. */
  close(): void {
    const { handle } = this;
    this.handle = 0;
    this.land.close();
    if (handle !== 0) this.core.call('terrane_explorer_destroy', handle);
  }

  private open(): Pointer {
    if (this.handle !== 0) return this.handle;
    throw new TerraneError({
      status: 'FAILED_PRECONDITION',
      message: 'the LocalExplorer is closed',
    });
  }
}
