// Real programs for tests: terraned, and a Prometheus that scrapes it. TERRANED and TERRANE name
// the former's.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { stringify } from 'yaml';
import { documents } from './kustomize.mjs';

export const run = promisify(execFile);
const startMs = 30_000;

/** @returns {string} the program that a variable of the environment names */
export function programOf(variable) {
  const program = process.env[variable];
  if (!program) throw new Error(`${variable} names no program`);
  return program;
}

/** Ends a process that was started here, by SIGTERM. */
async function end(child) {
  const exit = once(child, 'exit');
  if (child.exitCode === null && child.signalCode === null && child.kill()) await exit;
}

/**
 * @param {string[]} flags  besides addresses; with --data
 * @param {object} [environment]
 * @returns its addresses `grpc` and `http`, and `stop()`
 */
export async function startTerraned(flags, environment = {}) {
  const child = spawn(programOf('TERRANED'),
    ['--listen', '127.0.0.1:0', '--http', '127.0.0.1:0', ...flags],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { ...process.env, ...environment } });
  const log = [];
  createInterface({ input: child.stderr }).on('line', (line) => log.push(line));
  const timer = setTimeout(() => child.kill('SIGKILL'), startMs);
  for await (const line of createInterface({ input: child.stdout })) {
    const ready = /^terraned ready: grpc ([^,]+), http ([^,]+),/.exec(line);
    if (!ready) continue;
    clearTimeout(timer);
    child.stdout.resume();
    return { grpc: ready[1], http: ready[2], stop: () => end(child) };
  }
  throw new Error(`terraned did not get ready:\n${log.join('\n')}`);
}

async function freePort() {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address();
  listener.close();
  await once(listener, 'close');
  return port;
}

/** Asks until it gets an answer that will do. */
async function until(ask, answers, ms, what) {
  const ends = Date.now() + ms * Number(process.env.TERRANE_TIME_SCALE ?? 1);
  for (;;) {
    const answer = await ask().catch(() => undefined);
    if (answer !== undefined && answers(answer)) return answer;
    if (Date.now() > ends) throw new Error(`${what}: not in time`);
    await new Promise((resolve) => { setTimeout(resolve, 200); });
  }
}

/**
 * Prometheus with the configuration of deploy/monitoring, in which only the targets and how often
 * it looks are changed.
 * @param {string} scratch  directory for its files
 * @param {{ address: string, scheme: string, instance: string }[]} targets
 */
export async function startPrometheus(monitoring, scratch, targets) {
  const [config] = await documents(path.join(monitoring, 'prometheus.yml'));
  config.global = { scrape_interval: '1s', evaluation_interval: '1s' };
  config.rule_files = config.rule_files.map((file) => path.join(monitoring, file));
  const [job] = config.scrape_configs;
  job.tls_config = { insecure_skip_verify: true };
  job.static_configs = targets.map(({ address, scheme, instance }) =>
    ({ targets: [address], labels: { __scheme__: scheme, instance } }));
  const file = path.join(scratch, 'prometheus.yml');
  await writeFile(file, stringify(config));
  const address = `127.0.0.1:${await freePort()}`;
  const child = spawn('prometheus', [`--config.file=${file}`, `--web.listen-address=${address}`,
    `--storage.tsdb.path=${path.join(scratch, 'prometheus')}`, '--log.level=error'],
  { stdio: 'inherit' });
  const ask = async (place, query = {}) => {
    const url = `http://${address}/api/v1/${place}?${new URLSearchParams(query)}`;
    const answer = await (await fetch(url)).json();
    if (answer.status !== 'success') throw new Error(`${answer.error}\n${query.query ?? place}`);
    return answer.data;
  };
  const wait = (query, what) => until(() => ask('query', { query }),
    ({ result }) => result.length > 0, startMs, what);
  const all = `count(up == 1) == ${targets.length}`;
  await wait(all, 'Prometheus sees all servers').catch((error) => {
    child.kill();
    throw error;
  });
  return { address, ask, wait, stop: () => end(child) };
}
