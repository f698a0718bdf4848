// Builds the viewer and the library: `node build.mjs --out DIR` writes DIR/viewer/* (a page that
// fetches nothing from elsewhere) and DIR/lib/* (an ES module). The viewer's files have names with
// a hash of what is in them, so all of them but index.html may be cached for ever.
import { build } from 'esbuild';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { slimThree, squeezeShaders } from './slim_three.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));

const common = {
  absWorkingDir: here,
  bundle: true,
  minify: true,
  target: 'es2020',
  format: 'esm',
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
  loader: { '.png': 'dataurl', '.svg': 'dataurl' },
};

/** @returns {string} the directory that `--out` names */
function parseOut(args) {
  const at = args.indexOf('--out');
  if (at < 0 || args[at + 1] === undefined) {
    console.error('usage: node build.mjs --out DIR');
    process.exit(2);
  }
  return path.resolve(args[at + 1]);
}

/** The file that esbuild made of an entry point. */
function outputOf(result, entry) {
  for (const [file, output] of Object.entries(result.metafile.outputs)) {
    if (output.entryPoint === entry) return path.basename(file);
  }
  throw new Error(`esbuild made nothing of ${entry}`);
}

/** The decoder's worker, a file of its own. @returns its name */
async function buildWorker(entry, outdir, hashed) {
  const result = await build({
    ...common,
    entryPoints: [entry],
    outdir,
    entryNames: hashed ? '[name]-[hash]' : '[name]',
  });
  return outputOf(result, entry);
}

async function buildLibrary(outdir) {
  await buildWorker('src/worker.ts', outdir, false);
  await build({
    ...common,
    entryPoints: [{ in: 'src/index.ts', out: 'terrane' }],
    outdir,
    sourcemap: true,
  });
}

/**
 * The viewer. Its TypeScript finds the workers' files by the constants TERRANE_…WORKER_URL;
 * index.html names main.js and style.css, which become the hashed names.
 */
async function buildViewer(outdir) {
  const define = {
    TERRANE_WORKER_URL: JSON.stringify(`./${await buildWorker('src/worker.ts', outdir, true)}`),
  };
  const workers = {
    TERRANE_PAINT_WORKER_URL: 'viewer/map/paint/worker.ts',
    TERRANE_SCENE_WORKER_URL: 'viewer/scene/worker.ts',
  };
  for (const [name, entry] of Object.entries(workers)) {
    if (!existsSync(path.join(here, entry))) continue;
    define[name] = JSON.stringify(`./${await buildWorker(entry, outdir, true)}`);
  }
  const entryPoints = ['viewer/main.ts', 'viewer/style.css'].filter((file) =>
    existsSync(path.join(here, file)),
  );
  const result = await build({
    ...common,
    entryPoints,
    outdir,
    define,
    splitting: true,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    assetNames: '[name]-[hash]',
    plugins: [slimThree(here), squeezeShaders()],
  });
  let html = await readFile(path.join(here, 'viewer/index.html'), 'utf8');
  html = html.replaceAll('main.js', outputOf(result, 'viewer/main.ts'));
  if (entryPoints.length > 1) {
    html = html.replaceAll('style.css', outputOf(result, 'viewer/style.css'));
  }
  await writeFile(path.join(outdir, 'index.html'), html);
}

/** What the licences of the libraries in the viewer want to be said with it: licenses.txt. */
async function writeLicenses(outdir) {
  const parts = ['leaflet', 'three'].map(async (name) => {
    const text = await readFile(path.join(here, 'node_modules', name, 'LICENSE'), 'utf8');
    return `${name}\n\n${text.trim()}\n`;
  });
  await writeFile(path.join(outdir, 'licenses.txt'), (await Promise.all(parts)).join('\n\n'));
}

const out = parseOut(process.argv.slice(2));
for (const part of ['lib', 'viewer']) {
  await rm(path.join(out, part), { recursive: true, force: true });
  await mkdir(path.join(out, part), { recursive: true });
}
await buildLibrary(path.join(out, 'lib'));
await buildViewer(path.join(out, 'viewer'));
await writeLicenses(path.join(out, 'viewer'));
