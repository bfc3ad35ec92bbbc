import { refuse, type Refusal } from '../../domain/refusals.ts';

/** The refusal of a change to something that has another version by now; null if it may be changed. */
export function versionConflict(present: number, expected: number | null): Refusal | null {
  if (expected === null || expected === present) return null;
  const message = `It was changed since you read it: it has version ${present}, not ${expected}. Read it again.`;
  return refuse('PRECONDITION_FAILED', message);
}
