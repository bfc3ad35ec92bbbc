import type { AuditFilter } from '../../api/audit.ts';
import { addDays, startOf } from '../../format/day.ts';
import type { SearchTexts } from '../../paths.ts';

/** What the address of the page says; `from` and `to` are days of UTC. */
export type AuditSearch = SearchTexts<'action' | 'target' | 'user' | 'from' | 'to'>;

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
