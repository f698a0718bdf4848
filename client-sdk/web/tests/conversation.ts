import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { TerraneError } from '../src/index.js';
import { ExploreMachine } from '../src/explore/machine.js';
import { keyOf } from '../src/explore/view.js';
import { statusCode, statusName } from '../src/status.js';
import { goldenDir } from './vectors.js';

/** One line of a recorded conversation: README.md of tests/golden/explore. */
export interface Event {
  at: number;
  what: string;
  details: string;
}

/** A recorded conversation. */
export interface Conversation {
  name: string;
  settings: Map<string, string>;
  events: Event[];
}

const dir = path.join(goldenDir, 'explore');

/** All that are recorded. */
export function readConversations(): Conversation[] {
  const files = readdirSync(dir).filter((file) => file.endsWith('.txt'));
  return files.sort().map((file) => parse(file, readFileSync(path.join(dir, file), 'utf8')));
}

function parse(name: string, text: string): Conversation {
  const settings = new Map<string, string>();
  const events: Event[] = [];
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const [first, second = '', ...rest] = line.split(' ');
    if (/^[0-9]/.test(first)) {
      events.push({ at: Number(first), what: second, details: rest.join(' ') });
    } else {
      settings.set(first, [second, ...rest].join(' '));
    }
  }
  return { name, settings, events };
}

/** The machine, driven by a conversation's events. */
export class ClientHalf {
  private readonly machine: ExploreMachine;
  private isOpen = false;

  constructor({ settings }: Conversation) {
    const number = (name: string) => Number(settings.get(name));
    this.machine = new ExploreMachine({
      world: settings.get('world') ?? '',
      seed: BigInt(settings.get('seed') ?? 0),
      realm: '',
      fingerprint: undefined,
      layers: [],
      viewDistances: (settings.get('view_distances') ?? '').split(' ').map(Number),
      keptChunks: number('kept_chunks'),
      maxWaiting: number('max_waiting'),
    });
    this.decodeNs = number('decode_ns');
  }

  private readonly decodeNs: number;

  /** Gives it an event. @returns what it does at once */
  take({ at, what, details }: Event): Event[] {
    if (what === '<') return this.receive(at, details);
    if (what === 'poll') return [{ at, what: 'news', details: this.news() }];
    if (what === 'move') {
      const [x, y, velocityX, velocityY, directionX, directionY] = details.split(' ').map(Number);
      this.machine.move({ x, y, velocityX, velocityY, directionX, directionY }, at);
    }
    if (what === 'end') {
      const [code, ...message] = details.split(' ');
      this.end(at, Number(code), message.join(' '));
    }
    return [];
  }

  /** All that it does of itself at a time. */
  drive(at: number): Event[] {
    const events: Event[] = [];
    if (this.machine.timing.isOverdue(at)) {
      events.push({ at, what: 'lost', details: '' });
      this.end(at, 14, 'silent');
    }
    if (this.machine.isStreamDue(at)) {
      events.push({ at, what: 'open', details: '' });
      this.machine.openStream();
      this.isOpen = true;
    }
    while (this.isOpen) {
      const message = this.machine.nextMessage(at);
      if (message === undefined) break;
      events.push({ at, what: '>', details: Buffer.from(message).toString('hex') });
    }
    return events;
  }

  private end(at: number, code: number, message: string): void {
    this.isOpen = false;
    this.machine.endStream(new TerraneError({ status: statusName(code), message }), at, 0);
  }

  private receive(at: number, hex: string): Event[] {
    try {
      this.machine.receive(new Uint8Array(Buffer.from(hex, 'hex')), at);
      if (this.machine.counts.chunks > 0) this.machine.chunkNs = this.decodeNs;
      return [];
    } catch (error) {
      if (!(error instanceof TerraneError)) throw error;
      this.isOpen = false;
      return [{ at, what: 'refuse', details: String(statusCode(error.status)) }];
    }
  }

  private news(): string {
    const news = this.machine.takeNews();
    const list = (name: string, tiles: string[]) =>
      tiles.length === 0 ? '' : ` ${name}=${tiles.join(';')}`;
    return (
      news.state +
      list(
        'arrived',
        news.arrived.map(({ tile }) => keyOf(tile)),
      ) +
      list(
        'failed',
        news.failed.map(({ tile }) => keyOf(tile)),
      ) +
      list('out_of_range', news.outOfRange.map(keyOf)) +
      (news.worldChanged ? ' world_changed' : '') +
      (news.error === undefined ? '' : ` error=${statusCode(news.error.status)}`)
    );
  }
}
