/** The little that terrane_core.wasm asks its host for, since it has a C library inside. */

type WasiFunction = (...values: never[]) => number;

const success = 0;
const badDescriptor = 8;
const notSupported = 52;

/** What a module that asked to end the program is left by. */
export class Exit extends Error {
  override readonly name = 'Exit';
}

/**
 * Functions for a module's imports. There are no files, no arguments and no environment, and of
 * clocks the one that measures how long something takes: what is written to standard output or
 * standard error, by a C library that gives up, goes to the console; everything else fails as where
 * a system does not have it.
 */
export function wasiImports(
  module: WebAssembly.Module,
  memory: () => WebAssembly.Memory,
): WebAssembly.Imports {
  const known: Record<string, WasiFunction> = {
    fd_write: (descriptor: number, parts: number, count: number, written: number) =>
      write(memory(), descriptor, parts, count, written),
    clock_time_get: (_clock: number, _precision: bigint, to: number) => {
      const ns = BigInt(Math.round(performance.now() * 1e6));
      new DataView(memory().buffer).setBigUint64(to, ns, true);
      return success;
    },
    fd_close: () => badDescriptor,
    fd_seek: () => badDescriptor,
    proc_exit: (status: number) => {
      throw new Exit(`it has ended with status ${status}`);
    },
  };
  const imports: WebAssembly.Imports = {};
  for (const { module: from, name, kind } of WebAssembly.Module.imports(module)) {
    if (kind === 'function') (imports[from] ??= {})[name] = known[name] ?? (() => notSupported);
  }
  return imports;
}

function write(
  { buffer }: WebAssembly.Memory,
  descriptor: number,
  parts: number,
  count: number,
  written: number,
): number {
  if (descriptor !== 1 && descriptor !== 2) return badDescriptor;
  const view = new DataView(buffer);
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for (let part = parts; part < parts + 8 * count; part += 8) {
    const size = view.getUint32(part + 4, true);
    text += decoder.decode(new Uint8Array(buffer, view.getUint32(part, true), size));
    bytes += size;
  }
  if (text.trim() !== '') console.error(`terrane_core: ${text.trimEnd()}`);
  view.setUint32(written, bytes, true);
  return success;
}
