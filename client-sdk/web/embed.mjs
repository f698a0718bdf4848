// Makes C++ of a built viewer: `node embed.mjs DIR FILE` writes FILE, a source file that defines
// what server/http/viewer_files.h declares, with the files of DIR, compressed with gzip.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';

const types = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
};

/** Lines of numbers. */
function numbers(bytes) {
  const lines = [];
  for (let at = 0; at < bytes.length; at += 32) lines.push(bytes.subarray(at, at + 32).join(','));
  return lines.join(',\n');
}

const [directory, output] = process.argv.slice(2);
const names = (await readdir(directory)).sort();
let arrays = '';
let entries = '';
for (const [index, name] of names.entries()) {
  const type = types[path.extname(name)];
  if (type === undefined) throw new Error(`${name}: a viewer has no files of this kind`);
  const bytes = gzipSync(await readFile(path.join(directory, name)), { level: 9 });
  bytes[9] = 255; // no operating system: the same bytes everywhere
  arrays += `constexpr unsigned char kFile${index}[] = {\n${numbers(bytes)}};\n`;
  entries += `    {"${name}", "${type}", kFile${index}},\n`;
}
await writeFile(
  output,
  `// Made by client-sdk/web/embed.mjs.
#include "http/viewer_files.h"

namespace terrane::http {
namespace {

${arrays}
constexpr ViewerFile kFiles[] = {
${entries}};

}  // namespace

std::span<const ViewerFile> viewer_files() { return kFiles; }

}  // namespace terrane::http
`,
);
