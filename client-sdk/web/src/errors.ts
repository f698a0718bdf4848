/** The errors that this library throws. */

/** Bytes that are no encoded chunk, or none of a version that this library reads. */
export class FormatError extends Error {
  override readonly name = 'FormatError';
}

/** What a server's HttpError says (proto/REFERENCE.md), or that there was no answer. */
export interface ErrorDetails {
  /** A gRPC code's name, like 'NOT_FOUND'; 'UNAVAILABLE' where no server answered. */
  status: string;
  message: string;
  /** An ErrorReason without its prefix, like 'WORLD_UNKNOWN'; 'UNSPECIFIED' where there is none. */
  reason?: string;
  /** Which part of the request was wrong, what it was, and what would have been right. */
  field?: string;
  value?: string;
  limit?: string;
  /** Milliseconds after which to ask again; 0: not said. */
  retryAfterMs?: number;
}

/** A request that was refused or failed. Aborted ones throw the signal's reason instead. */
export class TerraneError extends Error {
  override readonly name = 'TerraneError';
  readonly status: string;
  readonly reason: string;
  readonly field: string;
  readonly value: string;
  readonly limit: string;
  readonly retryAfterMs: number;

  constructor(details: ErrorDetails) {
    super(details.message);
    this.status = details.status;
    this.reason = details.reason ?? 'UNSPECIFIED';
    this.field = details.field ?? '';
    this.value = details.value ?? '';
    this.limit = details.limit ?? '';
    this.retryAfterMs = details.retryAfterMs ?? 0;
  }
}
