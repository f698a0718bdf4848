import { readFileSync } from 'node:fs';
import { TerraneCore } from '../src/index.js';

const file = process.env['TERRANE_CORE_WASM'];

/** Why tests of terrane_core.wasm are left out; false: they are not. */
export const noCore = file === undefined && 'TERRANE_CORE_WASM names no terrane_core.wasm';

/** The terrane_core.wasm that TERRANE_CORE_WASM names. */
export const coreBytes = (): Uint8Array<ArrayBuffer> => new Uint8Array(readFileSync(file!));

/** The same, running: a new one. */
export const loadCore = (): Promise<TerraneCore> => TerraneCore.load(coreBytes());
