// Makes a page of one file that shows a map of a world and needs no server, nor network:
//   npm run example:page -- PATH/terrane_core.wasm continents.world land.html
import { build } from 'esbuild';
import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const here = path.dirname(fileURLToPath(import.meta.url));

/** The script that an entry point becomes. */
async function bundle(entry, define = {}) {
  const { outputFiles } = await build({
    entryPoints: [path.join(here, entry)],
    alias: { '@terrane/client': path.join(here, '../../src/index.ts') },
    define,
    bundle: true,
    minify: true,
    write: false,
    format: 'iife',
    target: 'es2020',
    legalComments: 'none',
    logLevel: 'warning',
  });
  return outputFiles[0].text.trim();
}

const [core, world, out] = process.argv.slice(2);
if (out === undefined) {
  console.error('usage: npm run example:page -- TERRANE_CORE_WASM WORLD_FILE OUT_HTML');
  process.exit(2);
}
const worker = await bundle('land_worker.ts');
const parts = {
  CORE: (await readFile(core)).toString('base64'),
  WORLD: (await readFile(world)).toString('base64'),
  SCRIPT: await bundle('page.ts', { TERRANE_WORKER: JSON.stringify(worker) }),
};
const template = await readFile(path.join(here, 'page.html'), 'utf8');
// functions, as texts would have their $ replaced
const page = template.replace(/>(CORE|WORLD|SCRIPT)</g, (_, name) => `>${parts[name]}<`);
await writeFile(out, page);
console.log(`${out}: ${(page.length / 1024).toFixed(0)} KiB`);
