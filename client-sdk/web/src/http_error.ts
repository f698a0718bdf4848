/** Errors of requests over HTTP. */
import { type ErrorDetails, TerraneError } from './errors.js';

/** What an HTTP status stands for where the answer doesn't say. */
const statusNames: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  405: 'UNIMPLEMENTED',
  429: 'RESOURCE_EXHAUSTED',
  500: 'INTERNAL',
  501: 'UNIMPLEMENTED',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};

/** An HttpError in JSON, as over HTTP and at the end of an Explore; undefined: it is none. */
export function parseHttpError(text: string): TerraneError | undefined {
  try {
    const json: unknown = JSON.parse(text);
    if (typeof json !== 'object' || json === null) return undefined;
    const details = json as Partial<ErrorDetails>;
    if (typeof details.status !== 'string' || typeof details.message !== 'string') return undefined;
    return new TerraneError({ ...details, status: details.status, message: details.message });
  } catch {
    return undefined;
  }
}

/** The error that an answer is. */
export async function errorOf(response: Response): Promise<TerraneError> {
  const said = parseHttpError(await response.text().catch(() => ''));
  if (said !== undefined) return said;
  const seconds = Number(response.headers.get('retry-after') ?? 0);
  return new TerraneError({
    status: statusNames[response.status] ?? 'UNKNOWN',
    message: `${response.url}: HTTP status ${response.status}`,
    retryAfterMs: Number.isFinite(seconds) ? seconds * 1000 : 0,
  });
}

/** What a failed fetch is: the signal's reason where that was it, else that nobody answers. */
export function failureOf(cause: unknown, url: string, signal?: AbortSignal): unknown {
  if (signal?.aborted) return signal.reason;
  const message = `${url}: the server can't be reached (${String(cause)})`;
  return new TerraneError({ status: 'UNAVAILABLE', message });
}
