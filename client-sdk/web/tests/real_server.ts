import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const program = process.env['TERRANE_TERRANED'];

/** Why tests that need a real server are left out; false: they are not. */
export const noServer = program === undefined && 'TERRANE_TERRANED names no server';

export interface RealServer {
  /** Of its HTTP port: 'http://127.0.0.1:12345'. */
  url: string;
  stop(): Promise<void>;
}

/** Starts the server that TERRANE_TERRANED names, without a cache; undefined: it names none. */
export async function startServer(): Promise<RealServer | undefined> {
  if (program === undefined) return undefined;
  const ports = ['--listen', '127.0.0.1:0', '--http', '127.0.0.1:0'];
  const server = spawn(program, [...ports, '--no-cache'], { stdio: ['ignore', 'pipe', 'ignore'] });
  let address = '';
  for await (const line of createInterface({ input: server.stdout })) {
    address = /http ([0-9.:]+)/.exec(line)?.[1] ?? '';
    if (line.startsWith('terraned ready')) break;
  }
  const stop = async (): Promise<void> => {
    server.kill();
    if (server.exitCode === null) await once(server, 'exit');
  };
  return { url: `http://${address}`, stop };
}
