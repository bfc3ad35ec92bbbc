/** The result of one check; `advice` is the remedy, null if nothing is wrong. */
export interface Finding {
  readonly check: string;
  readonly status: 'ok' | 'warn' | 'fail';
  readonly message: string;
  readonly advice: string | null;
}

export function ok(check: string, message: string): Finding {
  return { check, status: 'ok', message, advice: null };
}

/** A problem that doesn't keep the instance from serving. */
export function warn(check: string, message: string, advice: string): Finding {
  return { check, status: 'warn', message, advice };
}

/** A problem that keeps the instance from serving, or will. */
export function fail(check: string, message: string, advice: string): Finding {
  return { check, status: 'fail', message, advice };
}

/** The reason of a failure, in as few words as possible. */
export function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}
