// Bundles stream.ts, since node doesn't read TypeScript everywhere yet, and runs it.
import { build } from 'esbuild';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const outfile = path.join(here, '../node_modules/.example/stream.mjs');
await build({
  entryPoints: [path.join(here, 'stream.ts')],
  alias: { '@terrane/client': path.join(here, '../src/index.ts') },
  external: ['ws'],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node18',
});
await import(pathToFileURL(outfile).href);
