/** Heights along a way: asked from the server, and drawn. */
import { noWater } from '../../src/index.js';
import type { Block } from '../../src/index.js';
import type { App } from '../app.js';
import type { MapStage } from './index.js';

/** Samples at even distances along a way. */
export interface Profile {
  /** Blocks from first to last. */
  length: number;
  /** Where the samples are. */
  points: Block[];
  /** Blocks, of the ground. */
  ground: number[];
  /** Blocks, of the water's surface; NaN where it is dry. */
  water: number[];
}

const samples = 200;

/** So many points at even distances along a line through others. */
function pointsAlong(way: readonly Block[]): { points: Block[]; length: number } {
  const reach = [0];
  for (let i = 1; i < way.length; i += 1) {
    const [a, b] = [way[i - 1]!, way[i]!];
    reach.push(reach[i - 1]! + Math.hypot(a.x - b.x, a.y - b.y));
  }
  const length = reach[reach.length - 1]!;
  const points: Block[] = [];
  for (let i = 0, leg = 1; i < samples; i += 1) {
    const at = (length * i) / (samples - 1);
    while (leg < way.length - 1 && reach[leg]! < at) leg += 1;
    const [a, b] = [way[leg - 1]!, way[leg]!];
    const part = (at - reach[leg - 1]!) / (reach[leg]! - reach[leg - 1]! || 1);
    points.push({
      x: Math.floor(a.x + (b.x - a.x) * part),
      y: Math.floor(a.y + (b.y - a.y) * part),
    });
  }
  return { points, length };
}

/**
 * The exact heights along a way; as the map shows them where the server does not say.
 * @returns undefined where neither is known
 */
export async function profileAlong(
  app: App,
  stage: MapStage,
  way: readonly Block[],
  signal: AbortSignal,
): Promise<Profile | undefined> {
  const variant = app.variant();
  const { points, length } = pointsAlong(way);
  if (!variant || !app.world) return undefined;
  try {
    const { height, water } = await app.http.points(variant, points, signal);
    const sea = app.world.seaLevel;
    const ground = height.map((value) => value / 16);
    const surface = ground.map((own, i) => {
      const level = water.length > 0 ? water[i]! : sea;
      return level !== noWater && level / 16 > own ? level / 16 : NaN;
    });
    return { length, points, ground, water: surface };
  } catch (error) {
    if (signal.aborted) return undefined;
    app.heed(error);
  }
  const read = points.map(({ x, y }) => stage.sample(x, y));
  if (read.some((one) => one?.height === undefined)) return undefined;
  const ground = read.map((one) => one!.height!);
  const water = read.map((one) => (one!.depth ? one!.height! + one!.depth : NaN));
  return { length, points, ground, water };
}

/** Draws a profile. @returns what it says, in words */
export function drawProfile(canvas: HTMLCanvasElement, profile: Profile): string {
  const { ground, water } = profile;
  const ratio = window.devicePixelRatio || 1;
  const { clientWidth: width, clientHeight: height } = canvas;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  const pen = canvas.getContext('2d');
  const low = Math.min(...ground);
  const high = Math.max(...ground, ...water.filter((value) => !Number.isNaN(value)));
  if (pen) {
    pen.scale(ratio, ratio);
    const inset = 34;
    const x = (i: number): number => inset + (i / (ground.length - 1)) * (width - inset);
    const span = Math.max(high - low, 4);
    const y = (value: number): number => height - 4 - ((value - low) / span) * (height - 14);
    drawAxis(pen, low, low + span, y, width, inset);
    const area = (values: number[], style: string): void => {
      pen.fillStyle = style;
      pen.beginPath();
      pen.moveTo(x(0), height);
      values.forEach((value, i) => pen.lineTo(x(i), y(value)));
      pen.lineTo(x(values.length - 1), height);
      pen.fill();
    };
    area(
      water.map((value, i) => (Number.isNaN(value) ? ground[i]! : value)),
      '#3f86b3',
    );
    area(ground, '#8a9b77');
  }
  let climb = 0;
  for (let i = 1; i < ground.length; i += 1) climb += Math.max(ground[i]! - ground[i - 1]!, 0);
  return `${blocks(low)} to ${blocks(Math.max(...ground))} high, ${blocks(climb)} up`;
}

function drawAxis(
  pen: CanvasRenderingContext2D,
  low: number,
  high: number,
  y: (value: number) => number,
  width: number,
  inset: number,
): void {
  pen.font = '10px system-ui, sans-serif';
  pen.textAlign = 'right';
  pen.textBaseline = 'middle';
  for (const value of [low, (low + high) / 2, high]) {
    pen.fillStyle = '#98a2ab';
    pen.fillText(blocks(value), inset - 6, Math.max(y(value) - 2, 6));
    pen.fillStyle = '#ffffff22';
    pen.fillRect(inset, Math.round(y(value)), width - inset, 1);
  }
}

function blocks(value: number): string {
  return Math.round(value).toLocaleString('en').replace('-', '−');
}
