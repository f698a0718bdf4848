// A page with MapLibre, served on this machine, as somebody's own site would be.
import { createServer } from 'node:http';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';

const library = new URL('../../client-sdk/web/node_modules/maplibre-gl/dist/', import.meta.url);

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <title>Terrane in MapLibre</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="maplibre-gl.css" />
    <style>body { margin: 0 } #map { position: absolute; inset: 0 }</style>
    <script src="maplibre-gl.js"></script>
  </head>
  <body><div id="map"></div></body>
</html>
`;

const types = { css: 'text/css', js: 'text/javascript' };

/** @returns its address, and what closes it */
export async function servePage() {
  const server = createServer(async (request, response) => {
    const [, ending] = /^\/maplibre-gl\.(css|js)$/.exec(request.url) ?? [];
    if (request.url !== '/' && !ending) return response.writeHead(404).end();
    const body = ending ? await readFile(new URL(request.url.slice(1), library)) : page;
    return response.writeHead(200, { 'Content-Type': types[ending] ?? 'text/html' }).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${server.address().port}/`,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
