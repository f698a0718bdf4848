#!/usr/bin/env node
// Makes terrane.json of panels.mjs: deploy/monitoring/grafana/dashboard.mjs > …/terrane.json
// One panel a line. The schema is Grafana 10's; 11 and later read it, too.
import { fileURLToPath } from 'node:url';
import { rows } from './panels.mjs';

const source = { type: 'prometheus', uid: '${datasource}' };
const width = 6;  // four panels beside each other: 24 are a whole row
const height = 7;

const written = (expression) => expression
  .replaceAll('{S}', '{job="terrane",instance=~"$instance"}')
  .replaceAll('{S,', '{job="terrane",instance=~"$instance",')
  .replaceAll('[R]', '[$__rate_interval]');

function panel([title, unit, expressions, description = ''], id, x, y) {
  const targets = Object.entries(expressions).map(([legendFormat, expression], index) => ({
    refId: String.fromCharCode(65 + index), expr: written(expression), legendFormat,
    datasource: source }));
  const [min, max] = unit === 'percentunit' ? [0, 1] : unit === 's' ? [] : [0];
  const custom = { lineWidth: 1, fillOpacity: 8, showPoints: 'never' };
  const defaults = { unit, min, max, custom };
  return { id, type: 'timeseries', title, description, datasource: source, targets,
    gridPos: { h: height, w: width, x, y }, fieldConfig: { defaults, overrides: [] },
    options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi' } } };
}

function panels() {
  const all = [];
  let y = 0;
  for (const [title, ofRow] of Object.entries(rows)) {
    all.push({ id: all.length + 1, type: 'row', title, collapsed: false, panels: [],
      gridPos: { h: 1, w: 24, x: 0, y } });
    y += 1;
    ofRow.forEach((one, index) => {
      const [column, line] = [index % 4, Math.floor(index / 4)];
      all.push(panel(one, all.length + 1, column * width, y + line * height));
    });
    y += Math.ceil(ofRow.length / 4) * height;
  }
  return all;
}

const variables = [
  { name: 'datasource', type: 'datasource', label: 'Prometheus', query: 'prometheus' },
  { name: 'instance', type: 'query', label: 'Server', datasource: source, refresh: 2, sort: 1,
    multi: true, includeAll: true, allValue: '.*', current: { text: 'All', value: '$__all' },
    query: { query: 'label_values(terrane_ready, instance)', refId: 'instance' } },
];

/** @returns {string} the dashboard as Grafana imports it */
export function dashboard() {
  const { panels: shown, ...rest } = { uid: 'terrane', title: 'Terrane', schemaVersion: 38,
    editable: true, graphTooltip: 1, refresh: '30s', time: { from: 'now-1h', to: 'now' },
    tags: ['terrane'], templating: { list: variables }, panels: panels() };
  const lines = shown.map((one) => `    ${JSON.stringify(one)}`).join(',\n');
  return `${JSON.stringify(rest, undefined, 2).slice(0, -2)},\n  "panels": [\n${lines}\n  ]\n}\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.stdout.write(dashboard());
