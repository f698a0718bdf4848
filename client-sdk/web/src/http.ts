import type { Tile } from './chunk.js';
import { TerraneError } from './errors.js';
import type {
  Block,
  Located,
  LocateTarget,
  PointSamples,
  StructureWithRooms,
  Variant,
  WorldInfo,
  WorldList,
} from './world.js';

/** One chunk of a bundle: its bytes, or why there are none. */
export interface BundleEntry {
  tile: Tile;
  bytes?: Uint8Array;
  failure?: string;
}

/** Settings of TerraneHttp. */
export interface HttpOptions {
  /** The bearer token to show, asked for anew at each request; undefined: none. */
  token?: () => string | undefined;
}

/** A server's HTTP interface. Every method throws TerraneError, or the signal's reason. */
export class TerraneHttp {
  constructor(
    readonly baseUrl: string,
    readonly options: HttpOptions = {},
  ) {}
  worlds(_signal?: AbortSignal): Promise<WorldList> {
    return notYet();
  }
  world(_name: string, _signal?: AbortSignal): Promise<WorldInfo> {
    return notYet();
  }
  chunk(_variant: Variant, _tile: Tile, _signal?: AbortSignal): Promise<Uint8Array> {
    return notYet();
  }
  bundle(_variant: Variant, _bundle: Tile, _signal?: AbortSignal): Promise<BundleEntry[]> {
    return notYet();
  }
  points(
    _variant: Variant,
    _points: readonly Block[],
    _signal?: AbortSignal,
  ): Promise<PointSamples> {
    return notYet();
  }
  locate(
    _variant: Variant,
    _target: LocateTarget,
    _origin: Block,
    _maxDistance: number,
    _signal?: AbortSignal,
  ): Promise<Located> {
    return notYet();
  }
  structure(
    _variant: Variant,
    _anchor: Block,
    _signal?: AbortSignal,
  ): Promise<StructureWithRooms> {
    return notYet();
  }
}

function notYet(): Promise<never> {
  return Promise.reject(new TerraneError({ status: 'UNIMPLEMENTED', message: 'not written yet' }));
}
