import type { AuditFilter } from '../../api/audit.ts';
import { addDays, startOf, type UtcDay } from '../../format/day.ts';

/** What the address of the page says. */
export interface AuditSearch {
  readonly action?: string | undefined;
  readonly target?: string | undefined;
  readonly user?: string | undefined;
  readonly from?: UtcDay | undefined;
  readonly to?: UtcDay | undefined;
}

/** What is asked: the days of the address, both included, as moments of UTC. */
export function auditFilterOf({ action, target, user, from, to }: AuditSearch): AuditFilter {
  return {
    action,
    target,
    user,
    from: from === undefined ? undefined : startOf(from).toISOString(),
    to: to === undefined ? undefined : startOf(addDays(to, 1)).toISOString(),
  };
}
