import type { Act } from '../../domain/actor.ts';
import { refuse, type Refusal } from '../../domain/refusals.ts';

interface VersionedRequest {
  readonly req: { header(name: 'if-match'): string | undefined };
  readonly var: { readonly act: Act };
}

/**
 * The version that a change expects, from `If-Match`; null if it may meet any. A session must name one, so that two people
 * who edit the same thing notice each other.
 */
export function expectedVersion({ req, var: { act } }: VersionedRequest): number | null | Refusal {
  const given = req.header('if-match');
  if (given === undefined || given === '*') {
    if (act.actor.kind !== 'session' || given === '*') return null;
    const message = 'Send the version that you have read as the header If-Match.';
    return refuse('INVALID_REQUEST', message, { param: 'if-match' });
  }
  const version = /^(?:W\/)?"?(\d{1,9})"?$/.exec(given)?.[1];
  if (version !== undefined) return Number(version);
  return refuse('INVALID_REQUEST', '"If-Match" must be a version, such as "3".', { param: 'if-match' });
}
