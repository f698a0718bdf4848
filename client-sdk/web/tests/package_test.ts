import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

declare const TERRANE_ROOT: string;

const read = (file: string): string =>
  readFileSync(path.join(TERRANE_ROOT, 'client-sdk/web', file), 'utf8');

test('the lock file says where no package comes from, so that any registry will do', () => {
  const lock = read('package-lock.json');
  assert.ok(lock.includes('"integrity"'));
  assert.ok(!lock.includes('"resolved"'));
});

test('every package is pinned to one version', () => {
  const { devDependencies, dependencies } = JSON.parse(read('package.json')) as {
    devDependencies: Record<string, string>;
    dependencies?: Record<string, string>;
  };
  assert.equal(dependencies, undefined, 'the library needs nothing');
  for (const [name, version] of Object.entries(devDependencies)) {
    assert.match(version, /^[0-9]+\.[0-9]+\.[0-9]+$/, name);
  }
});
