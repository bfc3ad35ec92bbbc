import type { Admission } from '../admit.ts';

/** Whether the usage of the answer includes its charge: set by the request's header, else by its project. */
export function reportsCost({ parsed, principal }: Pick<Admission, 'parsed' | 'principal'>): boolean {
  return parsed.reportsCost ?? principal.reportsCost;
}
