// deploy/monitoring against two real servers and a real Prometheus: what dashboard and alerts ask
// for is there. TERRANED and TERRANE name the programs.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { documents } from './kustomize.mjs';
import { load, startServers } from './land.mjs';
import { run, startPrometheus } from './programs.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const monitoring = path.resolve(here, '../../deploy/monitoring');
const seconds = 6; // of load

const { dashboard } = await import(path.join(monitoring, 'grafana/dashboard.mjs'));
const json = await readFile(path.join(monitoring, 'grafana/terrane.json'), 'utf8');
const panels = JSON.parse(json).panels.filter(({ type }) => type !== 'row');
const shown = panels.flatMap(({ title, targets }) =>
  targets.map(({ expr }) => ({ title, query: asked(expr) })));
const rules = [];
for (const file of ['rules.yaml', 'alerts.yaml']) {
  const [{ groups }] = await documents(path.join(monitoring, file));
  rules.push(...groups.flatMap((group) => group.rules));
}

/** What Grafana makes of an expression. */
function asked(expression) {
  return expression.replaceAll('$__rate_interval', '10s').replaceAll('$instance', '.*');
}

let scratch;
let servers;
let prometheus;
let began;
before(async () => {
  scratch = await mkdtemp(path.join(tmpdir(), 'terrane-watching-'));
  servers = await startServers(scratch);
  prometheus = await startPrometheus(monitoring, scratch, [
    { address: servers.well.http, scheme: 'http', instance: 'well' },
    { address: servers.sick.http, scheme: 'https', instance: 'sick' }]);
  began = Date.now() / 1000;
  await load(servers, seconds);
  // the gauges of connections are ten seconds old at most
  await prometheus.wait('terrane_open_connections{port="grpc",instance="well"} < 5', 'a look');
});
after(async () => {
  await prometheus?.stop();
  await Promise.all([servers?.well.stop(), servers?.sick.stop()]);
  await rm(scratch, { recursive: true, force: true });
});

test('Prometheus takes configuration and rules', async () => {
  await run('promtool', ['check', 'config', path.join(monitoring, 'prometheus.yml')]);
});

test('the dashboard is what its panels make', () => {
  assert.equal(json, dashboard());
});

test('every alert fires for a sick server alone', async () => {
  const files = (await readdir(path.join(here, 'alerts'))).map((file) =>
    path.join(here, 'alerts', file));
  await run('promtool', ['test', 'rules', ...files]);
  const tested = (await Promise.all(files.map(documents))).flatMap(([{ tests }]) =>
    tests.map(({ name }) => name));
  const alerts = rules.flatMap(({ alert }) => alert ?? []);
  assert.deepEqual(tested.sort(), alerts.sort());
});

test('every panel has data', async () => {
  const range = { start: began, end: Date.now() / 1000, step: 1 };
  const empty = [];
  for (const { title, query } of shown) {
    const { result } = await prometheus.ask('query_range', { query, ...range });
    const values = result.flatMap((series) => series.values);
    if (!values.some(([, value]) => value !== 'NaN')) empty.push(`${title}: ${query}`);
  }
  assert.deepEqual(empty, []);
});

test('everything that an expression selects is there', async () => {
  const queries = [...shown.map(({ query }) => query), ...rules.map(({ expr }) => expr)];
  const selectors = new Set(queries.flatMap((query) => [
    ...(query.match(/[a-z_:0-9]+\{[^}]*\}/g) ?? []),
    ...(query.match(/(?<![:\w])(?:terrane|process)_[a-z_]+\b/g) ?? [])]));
  assert.ok(selectors.size > 60, `${selectors.size}`);
  const missing = [];
  for (const query of selectors) {
    const { result } = await prometheus.ask('query', { query: `count(${query})` });
    if (result.length === 0) missing.push(query);
  }
  assert.deepEqual(missing, []);
});

test('every rule can be asked for', async () => {
  for (const { expr } of rules) await prometheus.ask('query', { query: expr });
});

test('what is wrong with the sick server is seen, and nothing of the well one', async () => {
  const { alerts } = await prometheus.ask('alerts');
  const seen = alerts.map(({ labels }) => `${labels.alertname} ${labels.instance}`);
  for (const name of ['CacheUnusable', 'CertificateEnds', 'CertificateEndsSoon',
    'WorldFilesRefused']) {
    assert.ok(seen.includes(`Terrane${name} sick`), `${name} is not among ${seen}`);
  }
  const firing = alerts.filter(({ state }) => state === 'firing').map(({ labels }) => labels);
  assert.deepEqual(firing.filter(({ instance }) => instance !== 'sick'), []);
});

test('a server that has gone is down', async () => {
  await servers.well.stop();
  await prometheus.wait('ALERTS{alertname="TerraneDown",instance="well"}', 'the alert');
});
