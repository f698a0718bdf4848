/** Colours of maps, the same as in the server's pictures. Parts are 0 to 1 unless said. */

/** Red, green, blue. */
export type Color = readonly [number, number, number];

/** A value, and the colour 0xRRGGBB that it has. */
export type Stop = readonly [value: number, color: number];

/** Degrees Celsius. */
export const temperatureStops: readonly Stop[] = [
  [-40, 0x3b1f6b],
  [-25, 0x2f4fa8],
  [-10, 0x4b93c9],
  [0, 0x97c9de],
  [10, 0xf1efe3],
  [20, 0xf3c27c],
  [30, 0xe07b46],
  [40, 0xb5332e],
  [50, 0x6b0f2a],
];

/** Percent. */
export const humidityStops: readonly Stop[] = [
  [0, 0xf6ecd2],
  [20, 0xdfd9a4],
  [40, 0x9fca9a],
  [60, 0x4fae9d],
  [80, 0x20799a],
  [100, 0x1b2f6b],
];

/** Percent. */
export const forestStops: readonly Stop[] = [
  [0, 0xefe9d8],
  [25, 0xc2d3a0],
  [50, 0x86ad6a],
  [75, 0x4b8046],
  [100, 0x1f4d2b],
];

/** Percent. */
export const rockStops: readonly Stop[] = [
  [0, 0xf1ece0],
  [10, 0xc9bda9],
  [25, 0x9c8c7a],
  [50, 0x6b5c50],
  [100, 0x2e2723],
];

/** Share of the way from the coast to the highest land there can be. */
export const landStops: readonly Stop[] = [
  [0, 0x6f9f5d],
  [0.08, 0x8fb46a],
  [0.22, 0xcdc98a],
  [0.42, 0xc69f62],
  [0.62, 0x9a6a48],
  [0.8, 0x8d8079],
  [1, 0xf7f6f4],
];

/** Share of the way from the coast to the deepest sea there can be. */
export const seaStops: readonly Stop[] = [
  [0, 0x9fd0d8],
  [0.06, 0x78b8d0],
  [0.25, 0x4690bd],
  [0.6, 0x275f96],
  [1, 0x16325f],
];

/** Land, where only water is shown. */
export const dryLand = 0xe9e4d6;

export function fromRgb(rgb: number): Color {
  return [((rgb >> 16) & 255) / 255, ((rgb >> 8) & 255) / 255, (rgb & 255) / 255];
}

export function toCss(rgb: number): string {
  return `#${rgb.toString(16).padStart(6, '0')}`;
}

/** @param t  0: a, 1: b; beyond these as at them */
export function mix(a: Color, b: Color, t: number): Color {
  const share = Math.min(Math.max(t, 0), 1);
  return [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share, a[2] + (b[2] - a[2]) * share];
}

/** How light a colour looks. */
export function lightness(color: Color): number {
  return 0.2126 * color[0] + 0.7152 * color[1] + 0.0722 * color[2];
}

/** A colour as ink on paper has it: a little greyer and paler. */
export function printed(color: Color): Color {
  const grey = lightness(color);
  return mix(mix(color, [grey, grey, grey], 0.2), [0.95, 0.93, 0.87], 0.1);
}

/** The colour of a value, linear between the stops. */
export function rampColor(stops: readonly Stop[], value: number): Color {
  const above = stops.findIndex((stop) => stop[0] > value);
  if (above === 0) return fromRgb(stops[0]![1]);
  if (above < 0) return fromRgb(stops[stops.length - 1]![1]);
  const [low, below] = stops[above - 1]!;
  const [high, color] = stops[above]!;
  return mix(fromRgb(below), fromRgb(color), (value - low) / (high - low));
}

/** A ramp looked up instead of computed: for painting pixels. */
export interface RampTable {
  /** Red, green, blue, 0 to 1, of each step. */
  colors: Float32Array;
  low: number;
  /** Steps for each unit of the value. */
  perUnit: number;
  last: number;
}

const rampSteps = 1024;

/** @returns the stops as a table */
export function rampTable(stops: readonly Stop[]): RampTable {
  const low = stops[0]![0];
  const high = stops[stops.length - 1]![0];
  const colors = new Float32Array((rampSteps + 1) * 3);
  for (let i = 0; i <= rampSteps; i += 1) {
    colors.set(rampColor(stops, low + ((high - low) * i) / rampSteps), i * 3);
  }
  return { colors, low, perUnit: rampSteps / (high - low), last: rampSteps };
}

/** Where in `table.colors` a value's red is; green and blue follow. */
export function rampIndex(table: RampTable, value: number): number {
  const step = Math.round((value - table.low) * table.perUnit);
  return (step < 0 ? 0 : step > table.last ? table.last : step) * 3;
}
