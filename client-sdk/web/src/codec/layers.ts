/** Layers of samples by the id they have in an encoded chunk. */

/** An array that holds a layer's samples. */
export type Samples = Int32Array | Int16Array | Uint8Array;

/** Room for a layer's samples. @param id 1 to 7 */
export function makeSamples(id: number, count: number): Samples {
  if (id === 1 || id === 5) return new Int32Array(count);
  if (id === 2 || id === 3) return new Int16Array(count);
  return new Uint8Array(count);
}

/** Whether a layer of samples may have a coding beside constant and raw. */
export function hasCoding(id: number, coding: number): boolean {
  if (coding === 2) return id !== 4;
  if (coding === 3) return id >= 4;
  return coding === 4 && id === 5;
}
