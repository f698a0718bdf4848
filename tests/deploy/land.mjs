// Two servers and what may befall them: one that players are on, and one with a certificate that
// ends tomorrow, a cache that can't be used, tokens, and a world file that is none.
import { mkdir, writeFile } from 'node:fs/promises';
import http from 'node:http';
import https from 'node:https';
import path from 'node:path';
import { programOf, run, startTerraned } from './programs.mjs';

/** For 127.0.0.1, until tomorrow; vouches for itself. */
export async function certificate(directory) {
  const [key, chain] = ['key.pem', 'chain.pem'].map((name) => path.join(directory, name));
  await run('openssl', ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256',
    '-nodes', '-days', '1', '-subj', '/CN=terrane', '-addext', 'subjectAltName=IP:127.0.0.1',
    '-keyout', key, '-out', chain]);
  return { key, chain };
}

/**
 * What an address answers, whoever vouches for it.
 * @param {'http' | 'https'} scheme
 * @returns {Promise<{ status: number, text: string }>}
 */
export function get(scheme, address, place, headers = {}) {
  const { get: ask } = scheme === 'https' ? https : http;
  return new Promise((resolve, reject) => {
    const options = { headers, rejectUnauthorized: false };
    ask(`${scheme}://${address}${place}`, options, async (answer) => {
      const parts = await answer.toArray();
      resolve({ status: answer.statusCode, text: Buffer.concat(parts).toString() });
    }).on('error', reject);
  });
}

/**
 * @param {string} scratch  directory for their files
 * @returns the two of them
 */
export async function startServers(scratch) {
  const { key, chain } = await certificate(scratch);
  const file = (name) => path.join(scratch, name);
  await mkdir(file('worlds'));
  await writeFile(file('worlds/none.json'), '{');
  await writeFile(file('access.json'), '{"tokens": []}');
  await writeFile(file('no-directory'), '');
  const well = await startTerraned(['--data', file('data'), '--admin-from-loopback']);
  const sick = await startTerraned(['--data', file('no-directory'), '--world-dir', file('worlds'),
    '--tls-cert', chain, '--tls-key', key, '--access-file', file('access.json'),
    '--allow-anonymous']);
  return { well, sick, chain };
}

/** What players, maps and strangers do for some seconds. */
export async function load({ well, sick, chain }, seconds) {
  const terrane = (server, ...flags) =>
    run(programOf('TERRANE'), ['--server', server.grpc, ...flags, '--json']);
  const bench = (server, ...flags) => terrane(server, ...flags, '--seconds', String(seconds));
  const tiles = async () => {
    const places = ['worlds', ...[0, 1, 2, 3].map((x) => `continents/7/tiles/relief/3/${x}/0.png`)];
    for (const place of [...places, 'nothing']) {
      await get('http', well.http, `/v1/${place}`);
    }
  };
  const stranger = async () => {
    const headers = { authorization: 'Bearer terrane_00' };
    const { status } = await get('https', sick.http, '/v1/worlds', headers);
    if (status !== 401) throw new Error(`a wrong token was answered with ${status}`);
  };
  await Promise.all([
    bench(well, 'bench', 'crowd', '--players', '40'),
    bench(sick, '--tls-ca', chain, 'bench', 'fly', '--speed', '60'),
    tiles(),
    stranger(),
  ]);
  await bench(well, 'bench', 'cold');
  // who jumps has no ground underfoot for a moment; several times, since Prometheus has to see
  // that there were more of them than before
  for (const places of ['1', '2', '3']) {
    await terrane(well, 'bench', 'teleport', '--players', '4', '--runs', '8',
      '--view-distance', '8', '--place-seed', places);
  }
}
