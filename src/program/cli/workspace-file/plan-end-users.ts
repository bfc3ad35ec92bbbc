import { checkedUsd, formatUsd } from '../../../domain/money.ts';
import { type Change, changedFields, type SectionPlan, silently } from './change.ts';
import type { EndUser } from './current.ts';
import type { DeclaredEndUser } from './read-file.ts';

/** A project, whose id may be known only once it was created. */
export interface PlannedProject {
  readonly name: string;
  readonly idOf: () => string;
}

/** End users are found by their names. What is to be raised for a time is not for files: a raise stays, unless the limit is another. */
export function planEndUsers(
  { name: project, idOf }: PlannedProject,
  current: readonly EndUser[],
  declared: readonly DeclaredEndUser[],
): SectionPlan {
  const names = new Set(declared.map(({ name }) => name));
  const changes = declared.flatMap(({ name, limit_usd }): readonly Change[] => {
    const former = current.find((each) => each.name === name);
    const from = former === undefined ? {} : { limit_usd: former.limit_usd ?? NONE };
    const fields = changedFields(from, { limit_usd: limit_usd === null ? NONE : canonical(limit_usd) });
    if (fields.length === 0) return [];
    const make = silently((connect) => connect().setEndUserLimit(idOf(), { name, limit_usd }));
    return [{ kind: 'end user', name: `${name} of ${project}`, change: 'limit', fields, make }];
  });
  const removals = current
    .filter(({ name }) => !names.has(name))
    .map(({ id, name }): Change => {
      const make = silently((connect) => connect().removeEndUserLimit(idOf(), id));
      return { kind: 'end user', name: `${name} of ${project}`, change: 'unlimit', fields: [], make };
    });
  return { changes, removals };
}

/** The word for a limit of its own that is none. */
const NONE = 'none';

/** An amount as the API writes it. */
function canonical(usd: string): string {
  return formatUsd(checkedUsd(usd));
}
