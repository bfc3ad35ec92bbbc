import { DatabaseUnavailable } from './sql.ts';

/** The result of a round trip that was abandoned before its outcome was known. */
export const UNKNOWN = Symbol('unknown');

/**
 * Repeats a round trip, which must take effect once however often it is sent, until its outcome is known. `again`
 * pauses after each failure, and returns whether to repeat it.
 */
export async function untilKnown<Answer>(
  roundTrip: () => Promise<Answer>,
  again: (fault: DatabaseUnavailable) => Promise<boolean>,
): Promise<Answer | typeof UNKNOWN> {
  for (;;) {
    try {
      return await roundTrip();
    } catch (fault) {
      if (!(fault instanceof DatabaseUnavailable)) throw fault;
      if (!(await again(fault))) return UNKNOWN;
    }
  }
}
