// Bundles an example, since node doesn't read TypeScript everywhere yet, and runs it:
// node run.mjs NAME [ARGUMENT…].
import { build } from 'esbuild';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));
const [name] = process.argv.splice(2, 1);
const outfile = path.join(here, `../node_modules/.example/${name}.mjs`);
await build({
  entryPoints: [path.join(here, `${name}.ts`)],
  alias: { '@terrane/client': path.join(here, '../src/index.ts') },
  external: ['ws'],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node18',
});
await import(pathToFileURL(outfile).href);
