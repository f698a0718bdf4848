// Bundles every tests/*_test.ts and runs the bundles with node's test runner. Words after the
// command choose tests by file name: `npm test decode`.
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const web = path.dirname(here);
const words = process.argv.slice(2);
const entryPoints = readdirSync(here)
  .filter((file) => file.endsWith('_test.ts'))
  .filter((file) => words.length === 0 || words.some((word) => file.includes(word)))
  .map((file) => path.join(here, file));

// beside the packages, so that what is not bundled is found
const outdir = mkdtempSync(path.join(web, 'node_modules/.tests-'));
try {
  await build({
    entryPoints: [...entryPoints, path.join(web, 'src/worker.ts')],
    outdir,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node18',
    packages: 'external',
    sourcemap: 'inline',
    entryNames: '[name]',
    outExtension: { '.js': '.mjs' },
    logLevel: 'warning',
    define: { TERRANE_ROOT: JSON.stringify(path.resolve(web, '../..')) },
  });
  const files = entryPoints.map((file) =>
    path.join(outdir, path.basename(file).replace(/\.ts$/, '.mjs')),
  );
  const { status } = spawnSync(process.execPath, ['--enable-source-maps', '--test', ...files], {
    stdio: 'inherit',
    timeout: 120_000,
  });
  process.exitCode = status ?? 1;
} finally {
  rmSync(outdir, { recursive: true, force: true });
}
