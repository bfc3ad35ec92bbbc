import type { Admission } from '../admit.ts';

/** Whether the answer's usage has its charge: as the request's header says, else as its project is set. */
export function reportsCost({ parsed, principal }: Pick<Admission, 'parsed' | 'principal'>): boolean {
  return parsed.reportsCost ?? principal.reportsCost;
}
