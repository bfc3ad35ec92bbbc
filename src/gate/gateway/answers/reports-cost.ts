import type { Admission } from '../admit.ts';

/** Whether the answer's usage has its charge: as the request's header says, else as its project is set. */
export function reportsCost({ asked, principal }: Pick<Admission, 'asked' | 'principal'>): boolean {
  return asked.reportsCost ?? principal.reportsCost;
}
