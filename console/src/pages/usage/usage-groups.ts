import type { UsageJson, UsageSumsJson } from '../../../../src/control/admin/usage/usage-contract.ts';
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
  service_tier: 'Service tier',
};

/** A newer instance may know more of them. */
const DIALECTS: Readonly<Partial<Record<string, string>>> = DIALECT_WORDS;

type Groupings = Pick<AskedUsage, 'group_by' | 'and_by'>;

/** What distinguishes a group from others. */
export function groupId({ group, second_group: second }: UsageGroup): string {
  return second === null ? group : JSON.stringify([group, second]);
}

/** What a group is called: by one thing, or by two. */
export function groupName(group: UsageGroup, { group_by: by, and_by: and }: Groupings): string {
  const first = nameIn(group, by);
  if (and === undefined) return first;
  return `${first} · ${nameIn({ group: group.second_group ?? '', name: group.second_name }, and)}`;
}

/** What usage is grouped by, in words. */
export function groupingWords({ group_by: by, and_by: and }: Groupings): readonly string[] {
  return (and === undefined ? [by] : [by, and]).map((each) => GROUPING_WORDS[each]);
}

/** The same inside a sentence: "API" keeps its capitals. */
export function groupingsInSentence(asked: Groupings): string {
  return groupingWords(asked).map(inSentence).join(' and ');
}

export function inSentence(word: string): string {
  return word.replace(/^[B-Z](?=[a-z])/, (first) => first.toLowerCase());
}

function nameIn({ group, name }: Pick<UsageGroup, 'group' | 'name'>, by: Grouping): string {
  if (name !== null) return name;
  if (by === 'member') return group === '' ? 'keys of no member' : `former member ${group.slice(-4)}`;
  if (by === 'session' && group === '') return 'no session';
  if (by === 'service_tier' && group === '') return 'standard';
  return (by === 'dialect' ? DIALECTS[group] : undefined) ?? group;
}

export function seriesOf(group: UsageGroup, asked: Groupings): Series {
  const { group_by: by, and_by: and } = asked;
  const isOutcome = by === 'outcome' && and === undefined;
  const outcome = isOutcome ? OUTCOME_SERIES.find(({ id }) => id === group.group) : undefined;
  return outcome ?? { id: groupId(group), label: groupName(group, asked), kind: by };
}

/** Where a group's requests are, or the keys that a member made. */
export function groupHref(workspace: string, group: UsageGroup, asked: AskedUsage): string | undefined {
  const { group_by: by, and_by: and } = asked;
  const chosen = { [by]: group.group, ...(and === undefined ? {} : { [and]: group.second_group ?? '' }) };
  if (by === 'service_tier' || (by === 'session' && group.group === '')) return undefined;
  const { member, ...filters } = chosen;
  if (member === undefined) return paths.requests(workspace, { ...requestsOf(asked), ...filters });
  return member === '' ? undefined : paths.keys(workspace, { owner: member });
}
