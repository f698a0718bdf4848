/** A square of samples -> pixels. Pure. */
import {
  dryLand,
  forestStops,
  fromRgb,
  humidityStops,
  landStops,
  rampIndex,
  rampTable,
  rockStops,
  seaStops,
  temperatureStops,
} from './color.js';
import type { RampTable } from './color.js';
import type { PaintedTile, PaintJob } from './job.js';
import { drawMarks } from './marks.js';
import { paintRelief } from './relief.js';

const land = rampTable(landStops);
const sea = rampTable(seaStops);
const ramps: Partial<Record<PaintJob['style'], RampTable>> = {
  temperature: rampTable(temperatureStops),
  humidity: rampTable(humidityStops),
  forest: rampTable(forestStops),
  rocks: rampTable(rockStops),
};
const dry = fromRgb(dryLand);

/** Paints a job. What is not known stays transparent. */
export function paintTile(job: PaintJob): PaintedTile {
  const size = job.width - 2 * job.apron;
  const out = new Uint8ClampedArray(size * size * 4);
  if (job.style === 'relief') {
    paintRelief(job, out);
  } else {
    paintFlat(job, out);
  }
  drawMarks(job, out);
  if (job.highlight && job.biome) fade(job, job.highlight, job.biome, out);
  hideUnknown(job, out);
  return out;
}

/** Calls `pixel(sample, byte)` for all of the inner square. */
function eachPixel(job: PaintJob, pixel: (i: number, at: number) => void): void {
  let at = 0;
  for (let y = job.apron; y < job.width - job.apron; y += 1) {
    for (let x = job.apron; x < job.width - job.apron; x += 1, at += 4) {
      pixel(y * job.width + x, at);
    }
  }
}

/** All styles but relief: a colour by value. */
function paintFlat(job: PaintJob, out: Uint8ClampedArray): void {
  const put = (at: number, r: number, g: number, b: number): void => {
    out[at] = r * 255;
    out[at + 1] = g * 255;
    out[at + 2] = b * 255;
    out[at + 3] = 255;
  };
  const putRamp = (at: number, table: RampTable, value: number): void => {
    const color = rampIndex(table, value);
    put(at, table.colors[color]!, table.colors[color + 1]!, table.colors[color + 2]!);
  };
  const { biome, height, values } = job;
  const deepest = -job.deepest;
  const putSea = (at: number, depth: number): void =>
    putRamp(at, sea, deepest > 0 ? depth / deepest : 0);
  if (job.style === 'biome' && biome) {
    const palette = Array.from(job.palette, fromRgb);
    eachPixel(job, (i, at) => put(at, ...(palette[biome[i]!] ?? dry)));
  } else if (job.style === 'height' && height) {
    eachPixel(job, (i, at) => {
      const above = height[i]!;
      if (above < 0) return putSea(at, -above);
      putRamp(at, land, job.highest > 0 ? above / job.highest : 0);
    });
  } else if (job.style === 'water' && height) {
    eachPixel(job, (i, at) => {
      const depth = job.depth ? job.depth[i]! : -height[i]!;
      if (depth > 0) return putSea(at, depth);
      put(at, ...dry);
    });
  } else if (values) {
    const table = ramps[job.style];
    if (table) eachPixel(job, (i, at) => putRamp(at, table, values[i]!));
  }
}

/** Pales what is not highlighted. */
function fade(
  job: PaintJob,
  highlight: Uint8Array,
  biome: Uint8Array,
  out: Uint8ClampedArray,
): void {
  eachPixel(job, (i, at) => {
    if (highlight[biome[i]!]) return;
    const grey = 0.2126 * out[at]! + 0.7152 * out[at + 1]! + 0.0722 * out[at + 2]!;
    for (let part = 0; part < 3; part += 1) {
      out[at + part] = (out[at + part]! * 0.12 + grey * 0.88) * 0.42 + 28;
    }
  });
}

function hideUnknown(job: PaintJob, out: Uint8ClampedArray): void {
  const { known } = job;
  eachPixel(job, (i, at) => {
    if (!known[i]) out[at + 3] = 0;
  });
}
