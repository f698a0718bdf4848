/** A server's HTTP interface. */
import { type BundleEntry, readBundle } from './bundle.js';
import { formatVersion, type Tile } from './chunk.js';
import { TerraneError } from './errors.js';
import { errorOf, failureOf } from './http_error.js';
import { locatedOf, structureOf, worldInfoOf } from './json.js';
import type { LocateJson, StructureJson, WorldJson } from './json.js';
import { joinSamples, toPointLists } from './point_lists.js';
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

/** Settings of TerraneHttp. */
export interface HttpOptions {
  /** The bearer token to show, asked for anew at each request; undefined: none. */
  token?: () => string | undefined;
}

/**
 * A server's HTTP interface. Every method throws TerraneError, or the reason of the signal that
 * aborted it; an aborted request is cancelled in the server, too.
 */
export class TerraneHttp {
  private readonly base: string;

  /** @param baseUrl  what is before /v1: 'https://example.com'; '' for the page's own server */
  constructor(
    baseUrl: string,
    private readonly options: HttpOptions = {},
  ) {
    this.base = `${baseUrl.replace(/\/+$/, '')}/v1`;
  }

  /** The worlds and realms on offer. */
  worlds(signal?: AbortSignal): Promise<WorldList> {
    return this.json('/worlds', signal, 'no-cache');
  }

  /** One world. Cheap to ask for again and again: what has not changed is not sent. */
  async world(name: string, signal?: AbortSignal): Promise<WorldInfo> {
    const path = `/worlds/${encodeURIComponent(name)}`;
    return worldInfoOf(await this.json<WorldJson>(path, signal, 'no-cache'));
  }

  /** What a world's land is made of, some kB, for TerraneCore.openWorld. */
  worldFile(name: string, signal?: AbortSignal): Promise<Uint8Array> {
    return this.bytes(`/worlds/${encodeURIComponent(name)}/file`, signal, 'no-cache');
  }

  /** One encoded chunk, for decodeChunk. */
  chunk(variant: Variant, tile: Tile, signal?: AbortSignal): Promise<Uint8Array> {
    return this.bytes(`${permanentPath(variant)}/chunks/${tilePath(tile)}`, signal);
  }

  /** The 8 x 8 chunks of level `bundle.lod` from (8 bundle.x, 8 bundle.y) on. */
  async bundle(variant: Variant, bundle: Tile, signal?: AbortSignal): Promise<BundleEntry[]> {
    const path = `${permanentPath(variant)}/bundles/${tilePath(bundle)}`;
    const bytes = await this.bytes(path, signal);
    return understand(path, () => readBundle(bytes, bundle.lod));
  }

  /** The layers at blocks, however many: asks several times where a URL would be too long. */
  async points(
    variant: Variant,
    points: readonly Block[],
    signal?: AbortSignal,
  ): Promise<PointSamples> {
    const parts: PointSamples[] = [];
    for (const list of toPointLists(points)) {
      parts.push(await this.json(`${variantPath(variant)}/points/${list}`, signal));
    }
    return joinSamples(parts);
  }

  /**
   * The nearest place of a biome or of a name, or structure of a kind.
   * @param maxDistance  blocks
   */
  async locate(
    variant: Variant,
    target: LocateTarget,
    origin: Block,
    maxDistance: number,
    signal?: AbortSignal,
  ): Promise<Located> {
    const [what = '', name = ''] = Object.entries(target)[0] ?? [];
    const place = `${origin.x}/${origin.y}/${maxDistance}`;
    const path = `${variantPath(variant)}/locate/${what}/${encodeURIComponent(name)}/${place}`;
    return locatedOf(await this.json<LocateJson>(path, signal));
  }

  /** A structure with all its rooms. @param anchor  the block that is its id */
  async structure(
    variant: Variant,
    anchor: Block,
    signal?: AbortSignal,
  ): Promise<StructureWithRooms> {
    const path = `${variantPath(variant)}/structures/${anchor.x}/${anchor.y}`;
    return structureOf(await this.json<StructureJson>(path, signal));
  }

  private async json<T>(path: string, signal?: AbortSignal, cache?: RequestCache): Promise<T> {
    const bytes = await this.bytes(path, signal, cache);
    return understand(path, () => JSON.parse(new TextDecoder().decode(bytes)) as T);
  }

  private async bytes(
    path: string,
    signal?: AbortSignal,
    cache?: RequestCache,
  ): Promise<Uint8Array> {
    const url = this.base + path;
    const token = this.options.token?.();
    const headers: HeadersInit = token === undefined ? {} : { authorization: `Bearer ${token}` };
    try {
      const response = await fetch(url, { headers, signal, cache });
      if (response.ok) return new Uint8Array(await response.arrayBuffer());
      throw await errorOf(response);
    } catch (error) {
      throw error instanceof TerraneError ? error : failureOf(error, url, signal);
    }
  }
}

/** What an answer says. @throws TerraneError  DATA_LOSS where it makes no sense */
function understand<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw new TerraneError({ status: 'DATA_LOSS', message: `${path}: ${String(cause)}` });
  }
}

function tilePath(tile: Tile): string {
  return `${tile.lod}/${tile.x}/${tile.y}`;
}

/** Below this the variant may come to be another world. */
function variantPath(variant: Variant): string {
  if ('realm' in variant) return `/realms/${encodeURIComponent(variant.realm)}`;
  return `/${encodeURIComponent(variant.world)}/${variant.seed}`;
}

/** Below this nothing ever changes, so that browsers and proxies may keep it. Realms have none. */
function permanentPath(variant: Variant): string {
  if ('realm' in variant) return variantPath(variant);
  return `/f/${fingerprintHex(variant.fingerprint)}/${variant.seed}/${formatVersion}`;
}

/** A fingerprint as it stands in URLs. @param fingerprint  World.fingerprint, a decimal string */
export function fingerprintHex(fingerprint: string): string {
  return BigInt(fingerprint).toString(16).padStart(16, '0');
}
