import type { World } from '../../src/index.js';
import type { GroundColors } from './ground_paint.js';

/** A map's colour as ground in daylight: darker, calmer, as square roots of linear values. */
function ground(r: number, g: number, b: number): [number, number, number] {
  const grey = 0.3 * r + 0.59 * g + 0.11 * b;
  const white = Math.min(Math.max((Math.min(r, g, b) - 200) / 30, 0), 1); // snow stays snow
  const calm = 0.3 * (1 - white);
  const dark = 0.77 + 0.17 * white;
  const part = (value: number): number =>
    255 * ((value + (grey - value) * calm) / 255) ** 1.16 * dark;
  return [part(r), part(g), part(b)];
}

/** Colours of a world's biomes as the ground is painted with them. */
export function groundColors(world: World): GroundColors {
  const colors: GroundColors = {
    ground: new Uint8Array(3 * 256),
    canopy: new Uint8Array(3 * 256),
    frozen: new Uint8Array(256),
  };
  for (const { id, name, color } of world.biomes) {
    const [r, g, b] = [(color >> 16) & 255, (color >> 8) & 255, color & 255];
    const bare = ground(r, g, b);
    colors.ground.set(bare, 3 * id);
    // Crowns are greener and darker than the map's colour, and snow lies on those in the cold.
    const snowy = /snow|ice|glacier/i.test(name);
    const leaf = snowy ? [84, 104, 98] : [52, 76, 40];
    colors.canopy.set(
      bare.map((part, k) => Math.min(part * 0.4 + leaf[k] * 0.48, 255)),
      3 * id,
    );
    colors.frozen[id] = /frozen|ice\b|glacier/i.test(name) ? 1 : 0;
  }
  return colors;
}
