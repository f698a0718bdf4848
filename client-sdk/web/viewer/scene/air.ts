import { Color, Vector2, Vector3, type IUniform, type Texture } from 'three';
import type { Sun } from './surface.js';

/** The climate where the eye is. */
export interface Climate {
  /** Degrees Celsius. */
  temperature: number;
  /** Percent. */
  humidity: number;
}

/** Uniforms that all of the scene's materials share: one object, changed in place. */
export type AirUniforms = Record<
  | 'uSun'
  | 'uSunColor'
  | 'uSkyLight'
  | 'uGroundLight'
  | 'uZenith'
  | 'uHorizon'
  | 'uGlow'
  | 'uHaze'
  | 'uHazeHeight'
  | 'uRange'
  | 'uTime'
  | 'uNoise'
  | 'uClouds'
  | 'uCloudAt',
  IUniform
>;

/** Light of an hour: what changes between dawn, noon and night. */
interface Hour {
  /** Sine of the sun's height. */
  height: number;
  sun: [number, number, number];
  sky: [number, number, number];
  zenith: [number, number, number];
  horizon: [number, number, number];
  glow: [number, number, number];
}

// By the sun's height, lowest first; linear light.
const hours: Hour[] = [
  {
    height: -0.2,
    sun: [0.1, 0.13, 0.22],
    sky: [0.05, 0.07, 0.14],
    zenith: [0.008, 0.014, 0.04],
    horizon: [0.03, 0.045, 0.09],
    glow: [0.02, 0.02, 0.03],
  },
  {
    height: 0.02,
    sun: [1.1, 0.42, 0.16],
    sky: [0.2, 0.22, 0.36],
    zenith: [0.07, 0.13, 0.34],
    horizon: [0.66, 0.4, 0.3],
    glow: [1.3, 0.55, 0.18],
  },
  {
    height: 0.3,
    sun: [3.0, 2.3, 1.55],
    sky: [0.37, 0.48, 0.7],
    zenith: [0.07, 0.2, 0.55],
    horizon: [0.52, 0.62, 0.75],
    glow: [1.0, 0.66, 0.34],
  },
  {
    height: 0.7,
    sun: [3.3, 2.9, 2.3],
    sky: [0.43, 0.56, 0.8],
    zenith: [0.08, 0.25, 0.62],
    horizon: [0.55, 0.7, 0.85],
    glow: [0.5, 0.42, 0.3],
  },
];

const latitude = 0.72; // radians: how far from the zenith the sun stays at noon
const hazeHeight = 420;

/** The sun at an hour of the day, 0 to 24. */
export function sunAt(hour: number): Sun {
  const angle = ((hour - 12) / 12) * Math.PI;
  // Rises in the east (+x), is south (+y) at noon.
  const x = -Math.sin(angle);
  const up = Math.cos(angle);
  return [x, up * Math.sin(latitude), up * Math.cos(latitude)];
}

function lightAt(height: number): Hour {
  const above = hours.findIndex((hour) => hour.height > height);
  if (above === 0) return hours[0];
  if (above < 0) return hours[hours.length - 1];
  const a = hours[above - 1];
  const b = hours[above];
  const t = (height - a.height) / (b.height - a.height);
  const mix = (p: number[], q: number[]): [number, number, number] => [
    p[0] + (q[0] - p[0]) * t,
    p[1] + (q[1] - p[1]) * t,
    p[2] + (q[2] - p[2]) * t,
  ];
  return {
    height,
    sun: mix(a.sun, b.sun),
    sky: mix(a.sky, b.sky),
    zenith: mix(a.zenith, b.zenith),
    horizon: mix(a.horizon, b.horizon),
    glow: mix(a.glow, b.glow),
  };
}

/** Makes the uniforms; `setAir` fills them in. @param range blocks to where the land ends */
export function makeAir(noise: Texture, range: number): AirUniforms {
  return {
    uSun: { value: new Vector3(0, 1, 0) },
    uSunColor: { value: new Color() },
    uSkyLight: { value: new Color() },
    uGroundLight: { value: new Color() },
    uZenith: { value: new Color() },
    uHorizon: { value: new Color() },
    uGlow: { value: new Color() },
    uHaze: { value: 0.0002 },
    uHazeHeight: { value: hazeHeight },
    uRange: { value: range },
    uTime: { value: 0 },
    uNoise: { value: noise },
    uClouds: { value: 0.4 },
    uCloudAt: { value: new Vector2() },
  };
}

/** Sets light, sky and haze for a sun, a climate, and the eye's height in blocks. */
export function setAir(air: AirUniforms, sun: Sun, climate: Climate, height: number): void {
  const light = lightAt(sun[2]);
  const night = sun[2] < -0.02;
  // At night the moon stands opposite of the sun.
  const side = night ? -1 : 1;
  (air.uSun.value as Vector3).set(side * sun[0], Math.max(side * sun[2], 0.05), side * sun[1]);
  (air.uSun.value as Vector3).normalize();
  const color = (uniform: IUniform, [r, g, b]: [number, number, number], by = 1): void => {
    (uniform.value as Color).setRGB(r * by, g * by, b * by);
  };
  const wet = Math.min(Math.max(climate.humidity / 100, 0), 1);
  const warm = Math.min(Math.max((climate.temperature + 5) / 35, 0), 1);
  const dusty = warm * (1 - wet);
  const cold = 1 - Math.min(Math.max((climate.temperature + 12) / 16, 0), 1);
  color(air.uSunColor, light.sun, 1 - 0.12 * wet);
  color(air.uSkyLight, light.sky);
  const sky = light.sky;
  color(air.uGroundLight, [sky[0] * 0.62, sky[1] * 0.55, sky[2] * 0.42]);
  color(air.uZenith, light.zenith);
  const h = light.horizon;
  color(air.uHorizon, [
    h[0] * (1 + 0.28 * dusty + 0.12 * cold),
    h[1] * (1 + 0.08 * dusty + 0.08 * cold),
    h[2] * (1 - 0.16 * dusty + 0.02 * cold),
  ]);
  color(air.uGlow, light.glow);
  const haze = 0.00008 + 0.00009 * wet + 0.00004 * dusty + 0.00004 * cold;
  air.uHaze.value = haze * Math.exp(-Math.max(height, -20) / hazeHeight);
  air.uClouds.value = 0.25 + 0.55 * wet;
}
