// deploy/systemd/terraned.service: systemd takes it and finds little to reproach it with, and what
// it sets is what a real terraned starts with. TERRANED names the program.
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { certificate } from './land.mjs';
import { programOf, run, startTerraned } from './programs.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const file = path.resolve(here, '../../deploy/systemd/terraned.service');
const text = await readFile(file, 'utf8');
const scratch = await mkdtemp(path.join(tmpdir(), 'terrane-systemd-'));
after(() => rm(scratch, { recursive: true, force: true }));

const systemd = await run('systemd-analyze', ['--version']).then(() => true, () => false);
const skip = !systemd && 'systemd-analyze is not installed';
/** Of 10, which is a service that may do anything; systemd-analyze wants tenths. */
const maxExposure = 1.2;

const values = (key) => [...text.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value]) =>
  value);
const variables = Object.fromEntries(values('Environment').flatMap((line) =>
  line.split(' ').map((pair) => pair.split(/=(.*)/s).slice(0, 2))));

test('systemd takes every line of it', { skip }, async () => {
  const unit = path.join(scratch, 'terraned.service');
  await writeFile(unit, text.replace('/usr/local/bin/terraned', programOf('TERRANED')));
  const { stdout, stderr } = await run('systemd-analyze', ['verify', '--man=no', unit]);
  assert.equal(stdout + stderr, '');
});

test('a service that has been taken over can do little', { skip }, async () => {
  await run('systemd-analyze', ['security', '--offline=true',
    `--threshold=${maxExposure * 10}`, file]);
});

test('every variable is one of terraned', async () => {
  const { stdout } = await run(programOf('TERRANED'), ['--help']);
  const known = new Set(stdout.match(/TERRANE_[A-Z_]+/g));
  assert.ok(Object.keys(variables).length >= 6);
  for (const variable of Object.keys(variables)) assert.ok(known.has(variable), variable);
});

test('it has time to drain', async () => {
  const { stdout } = await run(programOf('TERRANED'), ['--help']);
  const [, drain] = /--drain-timeout SECONDS=(\d+)/.exec(stdout);
  assert.ok(Number(values('TimeoutStopSec')[0]) >= Number(drain) + 10);
});

test('terraned starts with what it sets', async () => {
  const { key, chain } = await certificate(scratch);
  const places = { '%S/terrane': scratch, '%d/tls.crt': chain, '%d/tls.key': key };
  const { TERRANE_LISTEN, TERRANE_HTTP, ...rest } = variables;
  assert.match(`${TERRANE_LISTEN} ${TERRANE_HTTP}`, /^0\.0\.0\.0:4150 0\.0\.0\.0:4151$/);
  const environment = Object.fromEntries(Object.entries(rest).map(([name, value]) =>
    [name, Object.entries(places).reduce((at, [from, to]) => at.replace(from, to), value)]));
  const server = await startTerraned([], environment);
  await server.stop();
  const read = await readFile(path.join(scratch, 'cache/data.mdb'));
  assert.ok(read.length > 0);
});
