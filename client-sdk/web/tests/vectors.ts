import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type DecodedChunk, layerNames } from '../src/index.js';

/** The project's top directory; set when tests are bundled. */
declare const TERRANE_ROOT: string;

export const goldenDir = path.join(TERRANE_ROOT, 'tests/golden');
export const codecDir = path.join(goldenDir, 'codec');

/** Names of the codec's vectors. */
export const vectorNames = readdirSync(codecDir)
  .filter((file) => file.endsWith('.bin'))
  .map((file) => file.slice(0, -4));

/** The encoded chunk of a vector, or of a path below it. */
export function readVector(name: string): Uint8Array {
  return new Uint8Array(readFileSync(path.join(codecDir, `${name}.bin`)));
}

/** The text form of a chunk: FORMAT.md, section 12. */
export function textOf(chunk: DecodedChunk): string {
  const lines = [`size ${chunk.size}`, `lod ${chunk.lod}`];
  for (const name of layerNames) {
    if (name === undefined || name === 'placements' || name === 'structures') continue;
    const samples = chunk.layers[name];
    if (samples === undefined) continue;
    lines.push(name);
    for (let j = 0; j < chunk.size; ++j) {
      lines.push(samples.subarray(j * chunk.size, (j + 1) * chunk.size).join(' '));
    }
  }
  for (const p of chunk.placements) {
    lines.push(`placement ${p.x} ${p.y} ${p.kind} ${p.turn} ${p.scale}`);
  }
  for (const s of chunk.structures) {
    lines.push(
      `structure ${s.x} ${s.y} ${s.kind} ${s.rooms} ${s.fromX} ${s.fromY} ${s.toX} ${s.toY}`,
    );
  }
  for (const r of chunk.rooms) {
    lines.push(
      `room ${r.x} ${r.y} ${r.floor} ${r.structureX} ${r.structureY} ${r.index} ${r.kind} ` +
        `${r.piece} ${r.turn} ${r.openDoors}`,
    );
  }
  return lines.join('\n') + '\n';
}
