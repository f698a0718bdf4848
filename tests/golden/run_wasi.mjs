// Runs a WebAssembly program that knows WASI: node run_wasi.mjs PROGRAM [ARGUMENT…]. It sees all
// files, by absolute paths: its C library takes others from the root, too.
import { readFile } from "node:fs/promises";
import { WASI } from "node:wasi";

const [program, ...rest] = process.argv.slice(2);
const wasi = new WASI({ version: "preview1", args: [program, ...rest], preopens: { "/": "/" } });
const { instance } = await WebAssembly.instantiate(await readFile(program), {
  wasi_snapshot_preview1: wasi.wasiImport,
});
process.exitCode = wasi.start(instance);
