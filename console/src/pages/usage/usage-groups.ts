import type { UsageJson, UsageSumsJson } from '../../../../src/control/admin/usage/usage-contract.ts';
import type { Dialect } from '../../../../src/domain/receipt.ts';
import type { Series } from '../../charts/series.ts';
import { DIALECT_WORDS } from '../../components/dialect-words.ts';
import { OUTCOME_SERIES } from '../../components/outcome-word.tsx';
import { type Measure, netCharge } from '../../components/usage-bars.ts';
import { formatCount, formatCountShort } from '../../format/count.ts';
import { formatMoneyExactly, formatMoneyTicks } from '../../format/money.ts';
import { paths } from '../../paths.ts';
import { type AskedUsage, type Grouping, type MeasureName, requestsOf } from './usage-search.ts';

// What is measured, and what it is grouped by, in words.

export type UsageGroup = UsageJson['groups'][number];

export const tokensOf: Measure = ({ tokens }) => Object.values(tokens).reduce((sum, count) => sum + BigInt(count), 0n);

interface MeasureWords {
  readonly label: string;
  readonly of: Measure;
  readonly format: (value: bigint) => string;
  readonly formatAxis: (ticks: readonly bigint[]) => readonly string[];
}

const COUNTED = {
  format: formatCount,
  formatAxis: (ticks: readonly bigint[]) => ticks.map((tick) => formatCountShort(Number(tick))),
} as const;

export const MEASURE_WORDS: Readonly<Record<MeasureName, MeasureWords>> = {
  charge: { label: 'Charge', of: netCharge, format: formatMoneyExactly, formatAxis: formatMoneyTicks },
  requests: { label: 'Requests', of: (sums: UsageSumsJson) => BigInt(sums.requests), ...COUNTED },
  tokens: { label: 'Tokens', of: tokensOf, ...COUNTED },
};

export const GROUPING_WORDS: Readonly<Record<Grouping, string>> = {
  model: 'Model',
  project: 'Project',
  key: 'Key',
  member: 'Member',
  outcome: 'Outcome',
  dialect: 'API',
  session: 'Session',
};

/** What a group is called. */
export function groupName({ group, name }: Pick<UsageGroup, 'group' | 'name'>, by: Grouping): string {
  if (name !== null) return name;
  if (by === 'member') return group === '' ? 'keys of no member' : `former member ${group.slice(-4)}`;
  if (by === 'session' && group === '') return 'no session';
  return by === 'dialect' ? DIALECT_WORDS[group as Dialect] : group;
}

export function seriesOf(group: UsageGroup, by: Grouping): Series {
  const outcome = by === 'outcome' ? OUTCOME_SERIES.find(({ id }) => id === group.group) : undefined;
  return outcome ?? { id: group.group, label: groupName(group, by), kind: by };
}

/** Where a group's requests are, or the keys that a member made. */
export function groupHref(workspace: string, { group }: UsageGroup, asked: AskedUsage): string | undefined {
  const by = asked.group_by;
  if (by === 'session' && group === '') return undefined;
  if (by !== 'member') return paths.requests(workspace, { ...requestsOf(asked), [by]: group });
  return group === '' ? undefined : paths.keys(workspace, { owner: group });
}
