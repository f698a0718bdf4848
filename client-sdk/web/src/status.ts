/** The status codes of gRPC, by number. */
const names: readonly string[] = [
  'OK',
  'CANCELLED',
  'UNKNOWN',
  'INVALID_ARGUMENT',
  'DEADLINE_EXCEEDED',
  'NOT_FOUND',
  'ALREADY_EXISTS',
  'PERMISSION_DENIED',
  'RESOURCE_EXHAUSTED',
  'FAILED_PRECONDITION',
  'ABORTED',
  'OUT_OF_RANGE',
  'UNIMPLEMENTED',
  'INTERNAL',
  'UNAVAILABLE',
  'DATA_LOSS',
  'UNAUTHENTICATED',
];

/** 14 is 'UNAVAILABLE'. */
export function statusName(code: number): string {
  return names[code] ?? 'UNKNOWN';
}

/** 'UNAVAILABLE' is 14. */
export function statusCode(name: string): number {
  const code = names.indexOf(name);
  return code < 0 ? names.indexOf('UNKNOWN') : code;
}
