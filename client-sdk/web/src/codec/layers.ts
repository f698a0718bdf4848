/** Layers of samples by the id they have in an encoded chunk. */

/** An array that holds a layer's samples. */
export type Samples = Int32Array | Int16Array | Uint8Array;

/** Bytes of a sample. @param id  of a layer, 1 to 7 */
export function sampleBytes(id: number): number {
  if (id === 1 || id === 5) return 4;
  return id === 2 || id === 3 ? 2 : 1;
}

/** A layer's part of a chunk's memory. @param at  a multiple of the size of a sample */
export function makeSamples(id: number, memory: ArrayBuffer, at: number, count: number): Samples {
  const bytes = sampleBytes(id);
  if (bytes === 4) return new Int32Array(memory, at, count);
  return bytes === 2 ? new Int16Array(memory, at, count) : new Uint8Array(memory, at, count);
}

/** Whether a layer of samples may have a coding beside constant and raw. */
export function hasCoding(id: number, coding: number): boolean {
  if (coding === 2) return id !== 4;
  if (coding === 3) return id >= 4;
  return coding === 4 && id === 5;
}
