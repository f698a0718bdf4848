/** A running terrane_core.wasm: its functions, and its memory as they take and give it. */
import { TerraneError } from '../errors.js';
import { statusName } from '../status.js';
import { errorLayout } from './layouts.js';
import { wasiImports } from './wasi.js';

/** The ABI that layouts.ts describes. */
export const abiVersion = 1;

const maxBlock = 256; // bytes: the largest structure that a call fills or takes

/** A place in the module's memory. */
export type Pointer = number;

type CoreFunction<T> = (...values: (number | bigint)[]) => T;

/** One instance of terrane_core.wasm, and the memory that calls need. It is not freed: it goes. */
export class CoreMemory {
  private readonly memory: WebAssembly.Memory;
  private readonly functions: WebAssembly.Exports;
  private readonly error: Pointer;
  private currentView: DataView;
  private currentBytes: Uint8Array;
  private failure: string | undefined;
  private room: { at: Pointer; size: number } = { at: 0, size: 0 };

  /** For structures that a call fills or takes, at most 256 bytes: until the next call. */
  readonly block: Pointer;
  /** For the object that a call makes. */
  readonly made: Pointer;

  private constructor(instance: WebAssembly.Instance) {
    this.functions = instance.exports;
    this.memory = instance.exports['memory'] as WebAssembly.Memory;
    this.currentView = new DataView(this.memory.buffer);
    this.currentBytes = new Uint8Array(this.memory.buffer);
    this.call('_initialize');
    const version = this.call('terrane_abi_version');
    if (version !== abiVersion) {
      throw new TerraneError({
        status: 'FAILED_PRECONDITION',
        message:
          `terrane_core.wasm has ABI version ${version}; this library is for ${abiVersion}: ` +
          'take both from one release',
        field: 'abiVersion',
        value: String(version),
        limit: String(abiVersion),
      });
    }
    this.error = this.allocate(errorLayout.size);
    this.block = this.allocate(maxBlock);
    this.made = this.allocate(4);
  }

  /** @throws TerraneError  INVALID_ARGUMENT for another module, FAILED_PRECONDITION: another ABI */
  static async start(module: WebAssembly.Module): Promise<CoreMemory> {
    const shown = new Set(WebAssembly.Module.exports(module).map(({ name }) => name));
    if (!shown.has('memory') || !shown.has('_initialize') || !shown.has('terrane_abi_version')) {
      throw new TerraneError({
        status: 'INVALID_ARGUMENT',
        message: 'the WebAssembly module is not terrane_core.wasm: it has no terrane_… functions',
      });
    }
    let instance: WebAssembly.Instance | undefined;
    const memory = () => instance!.exports['memory'] as WebAssembly.Memory;
    instance = await WebAssembly.instantiate(module, wasiImports(module, memory));
    return new CoreMemory(instance);
  }

  /** The memory, as it is until the next call: a call may make it grow, which makes another. */
  get view(): DataView {
    if (this.currentView.buffer !== this.memory.buffer) {
      this.currentView = new DataView(this.memory.buffer);
    }
    return this.currentView;
  }

  /** The same as bytes. */
  get bytes(): Uint8Array {
    if (this.currentBytes.buffer !== this.memory.buffer) {
      this.currentBytes = new Uint8Array(this.memory.buffer);
    }
    return this.currentBytes;
  }

  /** How much memory the instance takes, in bytes. It never shrinks. */
  get size(): number {
    return this.memory.buffer.byteLength;
  }

  /** Calls a function. @throws TerraneError INTERNAL where it has failed, now or before */
  call(name: string, ...values: (number | bigint)[]): number {
    return this.callAny<number>(name, values);
  }

  /** Calls one that returns 64 bits. @throws TerraneError as call() */
  callBig(name: string, ...values: (number | bigint)[]): bigint {
    return this.callAny<bigint>(name, values);
  }

  /** Calls one that returns a terrane_code and takes a terrane_error last. @throws TerraneError */
  check(name: string, ...values: (number | bigint)[]): void {
    const error = this.errorOf(name, ...values);
    if (error !== undefined) throw error;
  }

  /** The same, for those whose error is an answer. */
  errorOf(name: string, ...values: (number | bigint)[]): TerraneError | undefined {
    this.view.setUint32(this.error, errorLayout.size, true);
    const code = this.call(name, ...values, this.error);
    if (code === 0) return undefined;
    const message = this.text(this.error + errorLayout.message);
    return new TerraneError({ status: statusName(code), message });
  }

  /** Calls one that makes an object: the last parameter but one. @returns the object */
  make(name: string, ...values: (number | bigint)[]): Pointer {
    this.check(name, ...values, this.made);
    return this.view.getUint32(this.made, true);
  }

  /** The structure `block`, of so many bytes, empty. */
  emptyBlock(size: number): Pointer {
    this.bytes.fill(0, this.block, this.block + size);
    this.view.setUint32(this.block, size, true);
    return this.block;
  }

  /** @throws TerraneError RESOURCE_EXHAUSTED */
  allocate(size: number): Pointer {
    const at = this.call('malloc', Math.max(1, size));
    if (at !== 0) return at >>> 0;
    throw new TerraneError({
      status: 'RESOURCE_EXHAUSTED',
      message: `terrane_core has no memory left for ${size} bytes`,
    });
  }

  free(at: Pointer): void {
    this.call('free', at);
  }

  /** Bytes for the time of a call: what was here before is lost. @throws TerraneError */
  reserve(size: number): Pointer {
    if (size > this.room.size) {
      this.free(this.room.at);
      this.room = { at: 0, size: 0 };
      this.room = { at: this.allocate(size), size };
    }
    return this.room.at;
  }

  /** Puts bytes where a call finds them. */
  put(bytes: Uint8Array): Pointer {
    const at = this.reserve(bytes.length);
    this.bytes.set(bytes, at);
    return at;
  }

  /** Puts a text where a call finds it. */
  putText(text: string): Pointer {
    return this.put(new TextEncoder().encode(`${text}\0`));
  }

  /** A text that ends with 0. */
  text(at: Pointer): string {
    return new TextDecoder().decode(this.bytes.subarray(at, this.bytes.indexOf(0, at)));
  }

  private callAny<T>(name: string, values: (number | bigint)[]): T {
    if (this.failure !== undefined) throw this.failed();
    try {
      return (this.functions[name] as CoreFunction<T>)(...values);
    } catch (cause) {
      // what it was in the middle of is not undone
      this.failure = String(cause);
      throw this.failed();
    }
  }

  private failed(): TerraneError {
    const message = `terrane_core has failed, load it anew: ${this.failure}`;
    return new TerraneError({ status: 'INTERNAL', message });
  }
}
