import {
  DataTexture,
  LinearFilter,
  LinearMipmapNearestFilter,
  RGBAFormat,
  RepeatWrapping,
} from 'three';
import { hash } from './ground_paint.js';

const side = 256;

/** Smooth noise that repeats after `cells` cells, between 0 and 1. */
function smoothNoise(x: number, y: number, cells: number, salt: number): number {
  const u = (x / side) * cells;
  const v = (y / side) * cells;
  const i = Math.floor(u);
  const j = Math.floor(v);
  const a = (u - i) * (u - i) * (3 - 2 * (u - i));
  const b = (v - j) * (v - j) * (3 - 2 * (v - j));
  const at = (p: number, q: number): number => hash((p % cells) + salt * 977, (q % cells) - salt);
  const top = at(i, j) + (at(i + 1, j) - at(i, j)) * a;
  const bottom = at(i, j + 1) + (at(i + 1, j + 1) - at(i, j + 1)) * a;
  return top + (bottom - top) * b;
}

/** Four independent fields of noise that repeat, for grain, ripples and clouds. */
export function noiseTexture(): DataTexture {
  const data = new Uint8Array(4 * side * side);
  for (let y = 0, k = 0; y < side; ++y) {
    for (let x = 0; x < side; ++x) {
      for (let channel = 0; channel < 4; ++channel, ++k) {
        let sum = 0;
        let share = 0.5;
        for (let cells = 8; cells <= 128; cells *= 2, share /= 2) {
          sum += share * smoothNoise(x, y, cells, channel * 7 + cells);
        }
        data[k] = Math.round(Math.min(Math.max((sum - 0.5) * 1.7 + 0.5, 0), 1) * 255);
      }
    }
  }
  const texture = new DataTexture(data, side, side, RGBAFormat);
  texture.wrapS = texture.wrapT = RepeatWrapping;
  texture.magFilter = LinearFilter;
  texture.minFilter = LinearMipmapNearestFilter;
  texture.generateMipmaps = true;
  texture.needsUpdate = true;
  return texture;
}
