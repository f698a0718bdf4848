#!/usr/bin/env node
// Makes deploy/REFERENCE.md: flags as `terraned --help` has them, metrics as servers offer them.
//   TERRANED=… TERRANE=… tests/deploy/reference.mjs > deploy/REFERENCE.md
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { get, load, startServers } from './land.mjs';
import { programOf, run } from './programs.mjs';

const columns = 98;
/** Their defaults are this machine's. */
const ofMachine = ['--workers', '--lookup-threads'];

/** An item of a list, in lines of at most so many columns. */
function item(head, text) {
  const lines = [];
  for (const word of `${head}: ${text}`.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= columns - 2) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else {
      lines.push(word);
    }
  }
  return `- ${lines.join('\n  ')}`;
}

/** @returns {Promise<{ head: string, flag: string, text: string, variable: string }[]>} */
export async function flags() {
  const { stdout } = await run(programOf('TERRANED'), ['--help']);
  const whole = stdout.slice(stdout.indexOf('Options:')).replaceAll(/\n {20,}/g, '  ');
  return whole.split('\n').filter((line) => line.startsWith('  -')).map((line) => {
    const [, head, rest] = /^ {2}(.+?) {2,}(.*)$/.exec(line);
    const flag = /--[a-z-]+/.exec(head)[0];
    const [, text, variable = ''] = /^(.*?)(?: \[(TERRANE_\w+)\])?$/.exec(rest);
    const shown = ofMachine.includes(flag) ? head.replace(/=\d+$/, '') : head;
    return { head: shown, flag, text: text.trim(), variable };
  });
}

/** @returns {Map<string, { help: string, type: string, labels: Set<string> }>} by name */
function metricsOf(texts) {
  const metrics = new Map();
  for (const line of texts.join('\n').split('\n')) {
    const [, kind, name, rest] = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line) ?? [];
    if (kind) {
      const metric = metrics.get(name) ?? { labels: new Set() };
      metrics.set(name, { ...metric, [kind.toLowerCase()]: rest });
      continue;
    }
    const [, series, labels = ''] = /^([a-z_]+)(?:\{(.*)\})? /.exec(line) ?? [];
    const metric = metrics.get(series) ?? metrics.get(series?.replace(/_(bucket|sum|count)$/, ''));
    for (const [, label] of labels.matchAll(/(\w+)="/g)) {
      if (label !== 'le') metric?.labels.add(label);
    }
  }
  return new Map([...metrics].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** @returns {Promise<string>} the page */
export async function reference() {
  const scratch = await mkdtemp(path.join(tmpdir(), 'terrane-reference-'));
  const servers = await startServers(scratch);
  try {
    await load(servers, 1);
    const metrics = metricsOf([(await get('http', servers.well.http, '/metrics')).text,
      (await get('https', servers.sick.http, '/metrics')).text]);
    const ofFlags = (await flags()).map(({ head, text, variable }) =>
      item(`\`${head}\`${variable && ` (\`${variable}\`)`}`, text));
    const ofMetrics = [...metrics].map(([name, { help, type, labels }]) => {
      const by = labels.size > 0 ? `, by ${[...labels].sort().join(', ')}` : '';
      return item(`\`${name}\` (${type}${by})`, help);
    });
    return ['# Flags and metrics', '', 'Made by `tests/deploy/reference.mjs`; how to use them is '
      + 'in [README.md](README.md).', '', '## Flags', '',
    'A flag comes before its variable, that before a line of the `--config` file.', '', ...ofFlags,
    '', '## Metrics', '', ...ofMetrics, ''].join('\n');
  } finally {
    await Promise.all([servers.well.stop(), servers.sick.stop()]);
    await rm(scratch, { recursive: true, force: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) process.stdout.write(await reference());
