// deploy/README.md and REFERENCE.md against the programs: what they name is there, and the other
// way round. TERRANED and TERRANE name the programs.
import assert from 'node:assert/strict';
import { access, readFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { documents } from './kustomize.mjs';
import { programOf, run } from './programs.mjs';
import { flags, reference } from './reference.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const deploy = path.resolve(here, '../../deploy');
const manual = await readFile(path.join(deploy, 'README.md'), 'utf8');
const page = await readFile(path.join(deploy, 'REFERENCE.md'), 'utf8');

/** The anchors that a page's headings have. */
const anchors = (text) => [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading]) =>
  heading.toLowerCase().replaceAll(/[^\w\s-]/g, '').replaceAll(' ', '-'));

test('the reference is what the programs say', async () => {
  assert.equal(page, await reference(),
    'renew it: TERRANED=… TERRANE=… tests/deploy/reference.mjs > deploy/REFERENCE.md');
});

test('no flag is named that terraned and terrane do not have', async () => {
  const known = new Set((await flags()).map(({ flag }) => flag));
  const { stdout } = await run(programOf('TERRANE'), ['--help']);
  const commands = ['bench', 'pregen', 'purge', 'stats', 'top', 'worlds', 'drain'];
  const helps = await Promise.all(commands.map((command) =>
    run(programOf('TERRANE'), [command, '--help'])));
  // curl's, kubectl's, docker's
  const theirs = ['--cacert', '--cert', '--from-file', '--key', '--now', '--pids-limit'];
  const texts = [stdout, ...helps.map((help) => help.stdout)];
  for (const flag of texts.flatMap((text) => text.match(/--[a-z][a-z-]+/g))) known.add(flag);
  for (const [flag] of manual.matchAll(/(?<![\w-])--[a-z][a-z-]+/g)) {
    assert.ok(known.has(flag) || theirs.includes(flag), flag);
  }
});

test('no metric and no variable is named that there is not', () => {
  for (const [name] of manual.matchAll(/\bterrane_[a-z_]+|TERRANE_[A-Z_]+/g)) {
    if (['terrane_', 'TERRANE_SERVER', 'TERRANE_TLS_CA', 'TERRANE_TOKEN'].includes(name)) continue;
    assert.ok(page.includes(`\`${name}\``), name);
  }
});

test('every alert has a section, and every section an alert', async () => {
  const [{ groups }] = await documents(path.join(deploy, 'monitoring/alerts.yaml'));
  const alerts = groups.flatMap(({ rules }) => rules);
  for (const { alert, annotations } of alerts) {
    assert.equal(annotations.runbook_url, `deploy/README.md#${alert.toLowerCase()}`);
    assert.ok(anchors(manual).includes(alert.toLowerCase()), alert);
  }
  const sections = [...manual.matchAll(/^### (Terrane\w+)$/gm)].map(([, name]) => name);
  assert.deepEqual(sections.sort(), alerts.map(({ alert }) => alert).sort());
});

test('every link leads somewhere', async () => {
  for (const [, link] of manual.matchAll(/\]\(([^)]+)\)/g)) {
    const [file, anchor] = link.split('#');
    const target = file === '' ? path.join(deploy, 'README.md') : path.join(deploy, file);
    await access(target);
    if (anchor) assert.ok(anchors(await readFile(target, 'utf8')).includes(anchor), link);
  }
});
