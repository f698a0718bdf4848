/** When an Explorer connects, when it takes a server for gone, and when it gives up. */
import type { TerraneError } from '../errors.js';

/** How an Explorer stands with its server. */
export type ExploreState = 'connecting' | 'streaming' | 'ended';

// All times are milliseconds.
const firstAnswer = 10_000; // a connected server that owes a welcome for so long is gone
const usualHeartbeat = 10_000; // of a server that does not say
const maxHeartbeat = 600_000;
const maxPause = 600_000; // whatever a server asks for
const silentBeats = 3; // explore.proto
const firstBackoff = 100; // doubles with every attempt
const maxBackoff = 5000;

/** Never gives up while the server may come back. Time and chance are the caller's. */
export class ReconnectTiming {
  /** Why it ended, or what the last attempt met; none while streaming. */
  error: TerraneError | undefined;
  private phase: 'pausing' | 'opening' | 'asking' | 'streaming' | 'ended' = 'pausing';
  private until = -Infinity; // the pause
  private heardAt = 0; // or, before that, connected
  private silence = 0;
  private leaveUntil: number | undefined;
  private attempts = 0; // that failed, since there was progress
  private internal = 0; // of these, with INTERNAL
  private welcomes = 0;

  /** Whether to connect now. */
  isDue(now: number): boolean {
    return this.phase === 'pausing' && now >= this.until;
  }

  /** A connection is being made. It may take as long as it takes. */
  opened(): void {
    this.phase = 'opening';
    this.leaveUntil = undefined;
  }

  /** The connection stands, and the server owes an answer. */
  connected(now: number): void {
    if (this.phase !== 'opening') return;
    this.phase = 'asking';
    this.heardAt = now;
    this.silence = firstAnswer;
  }

  /** @param heartbeat  the server's; 0: not said */
  welcomed(heartbeat: number): void {
    this.phase = 'streaming';
    ++this.welcomes;
    this.silence =
      silentBeats * (heartbeat > 0 ? Math.min(heartbeat, maxHeartbeat) : usualHeartbeat);
    this.error = undefined;
  }

  /** Something came. @param progress  it shows that the server works: failures are forgiven */
  heard(now: number, progress: boolean): void {
    this.heardAt = now;
    if (progress) this.attempts = this.internal = 0;
  }

  /** When the stream ends, the next is to begin no sooner than this. */
  toldToLeave(resumeAfter: number, now: number): void {
    this.leaveUntil = now + Math.min(resumeAfter, maxPause);
  }

  /** Whether the server owes an answer for so long that it must be gone. */
  isOverdue(now: number): boolean {
    const due = this.answerDue();
    return due !== undefined && now >= due;
  }

  /** The stream ended. For some errors that is final. @param jitter  random, from 0 to below 1 */
  failed(error: TerraneError, now: number, jitter: number): void {
    this.error = error;
    if (this.leaveUntil !== undefined && error.reason === 'TOKEN_EXPIRED') {
      this.phase = 'pausing'; // as the server has told
      this.until = this.leaveUntil;
      return;
    }
    if (this.attempts < 1000) ++this.attempts;
    if (error.status === 'INTERNAL') ++this.internal;
    const pause = this.pauseAfter(error, jitter);
    if (pause === undefined) return this.gaveUp(error);
    this.phase = 'pausing';
    this.until = now + pause;
    if (this.leaveUntil !== undefined) {
      this.until = Math.max(this.until, now + stretched(this.leaveUntil - now, jitter));
    }
  }

  /** It ended for good. */
  gaveUp(error: TerraneError): void {
    this.phase = 'ended';
    this.error = error;
  }

  /** When to look again though nothing has happened; undefined: no need. */
  nextLook(): number | undefined {
    return this.phase === 'pausing' ? this.until : this.answerDue();
  }

  get state(): ExploreState {
    if (this.phase === 'streaming' || this.phase === 'ended') return this.phase;
    return 'connecting';
  }

  /** How often the stream has begun anew. */
  get reconnects(): number {
    return Math.max(0, this.welcomes - 1);
  }

  private answerDue(): number | undefined {
    if (this.phase !== 'asking' && this.phase !== 'streaming') return undefined;
    return this.heardAt + this.silence;
  }

  /** How long to wait after an error; undefined: for ever. */
  private pauseAfter(error: TerraneError, jitter: number): number | undefined {
    switch (error.status) {
      case 'RESOURCE_EXHAUSTED':
        if (error.retryAfterMs > 0)
          return stretched(Math.min(error.retryAfterMs, maxPause), jitter);
        return backoff(this.attempts, jitter);
      // The client sets no deadline: this one is the server's, for a client that was too slow.
      case 'DEADLINE_EXCEEDED':
      case 'UNAVAILABLE':
        return backoff(this.attempts, jitter);
      case 'INTERNAL':
        return this.internal > 1 ? undefined : backoff(1, jitter);
      default:
        return undefined;
    }
  }
}

function backoff(attempts: number, jitter: number): number {
  const nominal = firstBackoff * 2 ** Math.min(attempts - 1, 30);
  return Math.round(Math.min(nominal, maxBackoff) * (0.5 + jitter));
}

/** So that not all clients come back at once. */
function stretched(pause: number, jitter: number): number {
  return Math.floor(pause * (1 + 0.5 * jitter));
}
