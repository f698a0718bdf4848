// A real terraned on this machine, and the program that asks it: TERRANED and TERRANE name them.
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const readyMs = 30_000;

/** @returns {string} the program that a variable of the environment names */
function programOf(variable) {
  const program = process.env[variable];
  if (!program) throw new Error(`${variable} names no program`);
  return program;
}

/**
 * What terraned prints.
 * @param {string[]} args
 * @returns {Promise<string>}
 */
export async function printed(args) {
  const { stdout } = await promisify(execFile)(programOf('TERRANED'), args);
  return stdout;
}

/** The line by which it says where it listens; throws when it ends or says nothing for too long. */
async function readyLine(child) {
  const log = [];
  const timer = setTimeout(() => child.kill('SIGKILL'), readyMs);
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      if (line.startsWith('terraned ready: ')) return line;
      log.push(line);
    }
  } finally {
    clearTimeout(timer);
  }
  throw new Error(`terraned did not get ready:\n${log.join('\n')}`);
}

/**
 * Starts one with a data directory of its own.
 * @param {{ grpc?: string, http?: string, args?: string[] }} options  addresses; free ports
 *     where none are given
 * @returns its addresses; `stop()` ends it and removes its data, `kill()` ends it at once
 */
export async function startServer({ grpc = '127.0.0.1:0', http = '127.0.0.1:0', args = [] } = {}) {
  const data = await mkdtemp(path.join(tmpdir(), 'terrane-web-'));
  const flags = ['--listen', grpc, '--http', http, '--data', data, ...args];
  const child = spawn(programOf('TERRANED'), flags, { stdio: ['ignore', 'pipe', 'ignore'] });
  const end = async (signal) => {
    const exit = once(child, 'exit');
    if (child.exitCode === null && child.signalCode === null && child.kill(signal)) await exit;
    await rm(data, { recursive: true, force: true });
  };
  try {
    const [, grpcAt, httpAt] = /grpc ([^,]+), http ([^,]+),/.exec(await readyLine(child)) ?? [];
    child.stdout.resume(); // a full pipe would stop it
    return {
      ...{ grpc: grpcAt, http: httpAt, url: `http://${httpAt}`, pid: child.pid },
      stop: () => end('SIGTERM'),
      kill: () => end('SIGKILL'),
    };
  } catch (error) {
    await end('SIGKILL');
    throw error;
  }
}

/**
 * What `terrane ARGS --json` says.
 * @param {{ grpc: string }} server
 * @param {{ world: string, seed: string }} land
 * @param {string[]} args  the command and its arguments
 */
export async function ask(server, { world, seed }, args) {
  const [command, ...rest] = args;
  const flags = ['--server', server.grpc, '--world', world, '--seed', seed];
  const all = [...flags, command, '--json', ...rest];
  const { stdout } = await promisify(execFile)(programOf('TERRANE'), all);
  return JSON.parse(stdout);
}
