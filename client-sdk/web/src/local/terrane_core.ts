/** terrane_core, the library for games, as WebAssembly: land without a server. */
import type { DecodedChunk, LayerName, ListName } from '../chunk.js';
import { TerraneError } from '../errors.js';
import { errorOf, failureOf } from '../http_error.js';
import { abiVersion, CoreMemory } from './core_memory.js';
import { LocalLand } from './local_land.js';
import { LocalWorld } from './local_world.js';
import { decodedChunk, takeChunk } from './take_chunk.js';

/** What terrane_core.wasm may come as: where it lies, what it holds, or compiled already. */
export type CoreSource = string | URL | BufferSource | WebAssembly.Module;

const lodByte = 5; // of an encoded chunk: proto/FORMAT.md

/**
 * A running terrane_core.wasm. For one thread: each worker loads its own, of the `module` of
 * another, which can be posted to it. It needs no closing: its memory goes with it.
 */
export class TerraneCore {
  private constructor(
    private readonly memory: CoreMemory,
    /** What it runs, for TerraneCore.load in workers. */
    readonly module: WebAssembly.Module,
  ) {}

  /**
   * Compiles the module and starts it: some tens of milliseconds; of a compiled one a few.
   * @param source  a URL to fetch it from; its bytes; or itself, compiled
   * @throws TerraneError  what fetching meets; INVALID_ARGUMENT for what is not terrane_core.wasm,
   *     FAILED_PRECONDITION for that of another release
   */
  static async load(source: CoreSource): Promise<TerraneCore> {
    const module = source instanceof WebAssembly.Module ? source : await compile(source);
    return new TerraneCore(await CoreMemory.start(module), module);
  }

  /**
   * Opens a world: what `GET /v1/worlds/NAME/file` answers, and `terrane worlds NAME --save FILE`
   * writes. Takes up to some tenths of a second. Close it when it is not needed any more.
   * @param file  any bytes are safe
   * @throws TerraneError  INVALID_ARGUMENT for what is no world, FAILED_PRECONDITION for one that
   *     another version of the generator made
   */
  openWorld(file: Uint8Array): LocalWorld {
    const at = this.memory.put(file);
    const handle = this.memory.make('terrane_world_open', abiVersion, at, file.length);
    return new LocalWorld(this.memory, handle);
  }

  /**
   * A land without chunks, to be filled by hand: with what an Explorer streams, say, for meshes of
   * it. LocalExplorers have their own. Close it when it is not needed any more.
   */
  createLand(): LocalLand {
    return LocalLand.create(this.memory);
  }

  /**
   * Decodes a chunk, as decodeChunk does. Any bytes are safe.
   * @param wanted  which layers to take over; none: all that there are
   * @throws FormatError  for bytes that are damaged, or of a newer format
   */
  decode(bytes: Uint8Array, wanted?: readonly (LayerName | ListName)[]): DecodedChunk {
    const { memory } = this;
    const tile = { lod: bytes[lodByte] ?? 0, x: 0, y: 0 };
    const chunk = decodedChunk(memory, tile, bytes, wanted);
    try {
      return takeChunk(memory, chunk, tile);
    } finally {
      memory.call('terrane_chunk_release', chunk);
    }
  }

  /** How much memory it takes, in bytes; what is freed is used again, and stays its own. */
  get memoryBytes(): number {
    return this.memory.size;
  }
}

async function compile(source: string | URL | BufferSource): Promise<WebAssembly.Module> {
  const isPlace = typeof source === 'string' || source instanceof URL;
  const bytes = isPlace ? await fetchBytes(String(source)) : source;
  try {
    return await WebAssembly.compile(bytes);
  } catch (cause) {
    const place = isPlace ? `${String(source)} holds` : 'the bytes are';
    const message = `${place} no WebAssembly that this runs: ${String(cause)}`;
    throw new TerraneError({ status: 'INVALID_ARGUMENT', message });
  }
}

async function fetchBytes(url: string): Promise<ArrayBuffer> {
  const response = await fetch(url).catch((cause: unknown) => {
    throw failureOf(cause, url);
  });
  if (!response.ok) throw await errorOf(response);
  return response.arrayBuffer();
}
