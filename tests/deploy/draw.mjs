#!/usr/bin/env node
// Draws the dashboard of two real servers under a few minutes of load, as an SVG on stdout: what
// deploy/monitoring/dashboard.png was made of. Grafana draws it more nicely.
//   TERRANED=… TERRANE=… tests/deploy/draw.mjs SECONDS > dashboard.svg
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { load, startServers } from './land.mjs';
import { startPrometheus } from './programs.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const monitoring = path.resolve(here, '../../deploy/monitoring');
const colours = ['#7eb26d', '#eab839', '#6ed0e0', '#ef843c', '#e24d42', '#1f78c1', '#ba43a9',
  '#705da0', '#508642', '#cca300'];
const [unitWidth, unitHeight, margin] = [62, 24, 6];

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

function written(value, unit) {
  if (unit === 'percentunit') return `${Number((value * 100).toPrecision(3))} %`;
  const scales = unit === 's'
    ? [[86400, ' d'], [1, ' s'], [1e-3, ' ms'], [1e-6, ' µs']]
    : [[1e9, ' G'], [1e6, ' M'], [1e3, ' k'], [1, ''], [1e-3, ' m']];
  const [scale, name] = scales.find(([one]) => Math.abs(value) >= one) ?? [1, ''];
  return `${Number((value / scale).toPrecision(3))}${name}`;
}

function legend(format, labels) {
  return format.replaceAll(/\{\{(\w+)\}\}/g, (_, name) => labels[name] ?? '').trim();
}

/** @returns {Promise<{ name: string, points: number[][] }[]>} the lines of a panel */
async function linesOf(panel, prometheus, range) {
  const lines = [];
  for (const { expr, legendFormat } of panel.targets) {
    const query = expr.replaceAll('$__rate_interval', '15s').replaceAll('$instance', '.*');
    const { result } = await prometheus.ask('query_range', { query, ...range });
    for (const { metric, values } of result) {
      const points = values.map(([time, value]) => [time, Number(value)])
        .filter(([, value]) => Number.isFinite(value));
      lines.push({ name: legend(legendFormat, metric), points });
    }
  }
  return lines.filter(({ points }) => points.length > 0);
}

function frame({ gridPos: { x, y, w, h }, title }) {
  const [left, top] = [x * unitWidth + margin / 2, y * unitHeight + margin / 2];
  const [width, height] = [w * unitWidth - margin, h * unitHeight - margin];
  const box = `<rect x="${left}" y="${top}" width="${width}" height="${height}" fill="#1f2229"/>`;
  const text = `<text x="${left + 8}" y="${top + 14}" class="title">${escaped(title)}</text>`;
  return { svg: box + text, left: left + 44, top: top + 22, width: width - 52,
    height: height - 52, bottom: top + height - 8, edge: left + 8 };
}

/** The panel's lines, and what their colours mean, as far as there is room. */
function drawn(panel, lines, { start, end }) {
  const at = frame(panel);
  const { unit, min } = panel.fieldConfig.defaults;
  const values = lines.flatMap(({ points }) => points.map(([, value]) => value));
  const low = min ?? Math.min(0, ...values);
  const high = Math.max(...values, low + (unit === 's' ? 1e-6 : 1e-3));
  const px = (time) => (at.left + at.width * (time - start) / (end - start)).toFixed(1);
  const py = (value) => (at.top + at.height * (1 - (value - low) / (high - low))).toFixed(1);
  const parts = [at.svg];
  for (const value of [low, (low + high) / 2, high]) {
    parts.push(`<line x1="${at.left}" x2="${at.left + at.width}" y1="${py(value)}" `
      + `y2="${py(value)}" stroke="#33363d"/><text x="${at.left - 4}" y="${Number(py(value)) + 3}" `
      + `class="tick">${written(value, unit)}</text>`);
  }
  let right = at.edge;
  lines.forEach(({ name, points }, index) => {
    const colour = colours[index % colours.length];
    const path = points.map(([time, value]) => `${px(time)},${py(value)}`).join(' ');
    parts.push(`<polyline points="${path}" fill="none" stroke="${colour}" stroke-width="1.3"/>`);
    const room = name.length * 5.6 + 16;
    if (right + room > at.left + at.width) return;
    parts.push(`<text x="${right}" y="${at.bottom}" style="fill:${colour}">`
      + `${escaped(name)}</text>`);
    right += room;
  });
  return parts.join('');
}

async function picture(prometheus, range) {
  const file = path.join(monitoring, 'grafana/terrane.json');
  const { panels } = JSON.parse(await readFile(file, 'utf8'));
  const parts = [];
  for (const panel of panels) {
    const { x, y } = panel.gridPos;
    parts.push(panel.type === 'row'
      ? `<text x="${x * unitWidth + 6}" y="${y * unitHeight + 17}" class="row">`
        + `${escaped(panel.title)}</text>`
      : drawn(panel, await linesOf(panel, prometheus, range), range));
  }
  const { y, h } = panels.at(-1).gridPos;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${24 * unitWidth}" `
    + `height="${(y + h) * unitHeight}"><style>text{font-family:'DejaVu Sans',sans-serif;`
    + 'font-size:10px;fill:#c8ccd4}.title{font-weight:bold;font-size:11px}.tick{font-size:9px;'
    + 'text-anchor:end;fill:#8b919c}.row{font-size:13px;font-weight:bold}</style>'
    + `<rect width="100%" height="100%" fill="#111217"/>${parts.join('\n')}</svg>\n`;
}

const scratch = await mkdtemp(path.join(tmpdir(), 'terrane-draw-'));
const servers = await startServers(scratch);
const prometheus = await startPrometheus(monitoring, scratch, [
  { address: servers.well.http, scheme: 'http', instance: 'terrane-1:4151' },
  { address: servers.sick.http, scheme: 'https', instance: 'terrane-2:4151' }]);
try {
  const start = Date.now() / 1000;
  while (Date.now() / 1000 < start + Number(process.argv[2] ?? 180)) await load(servers, 15);
  process.stdout.write(await picture(prometheus, { start, end: Date.now() / 1000, step: 2 }));
} finally {
  await prometheus.stop();
  await Promise.all([servers.well.stop(), servers.sick.stop()]);
  await rm(scratch, { recursive: true, force: true });
}
