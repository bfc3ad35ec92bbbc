import { amountFields } from '../../../domain/money.ts';
import { TOKEN_CLASSES } from '../../../domain/usage.ts';
import type { CsvColumn } from '../../ledger/csv.ts';
import { type Lazy, lazily } from '../../../lib/slices.ts';
import type { Stretch } from '../../usage/segments.ts';
import type { UsageRow } from '../../usage/usage-export.ts';
import type { UsagePoint, UsageReport, UsageSums } from '../../usage/usage-report.ts';
import type { UsageJson, UsageSumsJson } from './usage-contract.ts';

// The JSON and the columns of usage.

function sumsJson({ requests, charge, corrected, writeOff, tokens, latency, costs }: UsageSums): UsageSumsJson {
  const counts = TOKEN_CLASSES.map((tokenClass) => [tokenClass, Number(tokens[tokenClass])] as const);
  return {
    requests: Number(requests),
    ...amountFields('charge', charge),
    ...amountFields('correction', -corrected),
    ...amountFields('net_charge', charge - corrected),
    ...amountFields('write_off', writeOff),
    ...(costs === null
      ? {}
      : {
          ...amountFields('cost', costs.amount),
          costed_requests: Number(costs.requests),
          ...amountFields('margin', charge - corrected - costs.amount),
        }),
    tokens: Object.fromEntries(counts),
    latency:
      latency === null
        ? null
        : { duration: latency.duration.map(Number), first_event: latency.first_event.map(Number) },
  };
}

const orNull = (sums: UsageSums | null): UsageSumsJson | null => (sums === null ? null : sumsJson(sums));

const pointsJson = (points: Iterable<UsagePoint>): Lazy<UsageJson['points']> =>
  lazily(points, ({ startsAt, sums }) => ({ starts_at: startsAt.toISOString(), sums: sumsJson(sums) }));

/** A report as it goes out. It may be long, so its lists are made as they are written. */
export function usageJson(report: UsageReport, named: Stretch): Lazy<UsageJson> {
  const { total, before, groups, others, points, pointsBefore } = report;
  return {
    from: new Date(named.fromMs).toISOString(),
    to: new Date(named.toMs).toISOString(),
    total: sumsJson(total),
    before: orNull(before),
    groups: lazily(groups, (group) => ({
      group: group.group,
      name: group.name,
      second_group: group.second?.group ?? null,
      second_name: group.second?.name ?? null,
      total: sumsJson(group.sums),
      before: orNull(group.before),
      points: pointsJson(group.points),
    })),
    others: sumsJson(others),
    points: pointsJson(points),
    points_before: pointsJson(pointsBefore),
  };
}

const GROUP: readonly CsvColumn<UsageRow>[] = [
  { name: 'starts_at', read: ({ startsAt }) => startsAt },
  { name: 'group', read: ({ group }) => group },
];

const SECOND_GROUP: CsvColumn<UsageRow> = { name: 'second_group', read: ({ second }) => second };

const COLUMNS: readonly CsvColumn<UsageRow>[] = [
  { name: 'requests', read: ({ sums }) => Number(sums.requests) },
  { name: 'charge', isAmount: true, read: ({ sums }) => sums.charge },
  { name: 'correction', isAmount: true, read: ({ sums }) => -sums.corrected },
  { name: 'net_charge', isAmount: true, read: ({ sums }) => sums.charge - sums.corrected },
  { name: 'write_off', isAmount: true, read: ({ sums }) => sums.writeOff },
  ...TOKEN_CLASSES.map((tokenClass) => ({
    name: `${tokenClass}_tokens`,
    read: ({ sums }: UsageRow) => Number(sums.tokens[tokenClass]),
  })),
];

const COST_COLUMNS: readonly CsvColumn<UsageRow>[] = [
  { name: 'cost', isAmount: true, read: ({ sums }) => sums.costs?.amount ?? 0n },
  { name: 'costed_requests', read: ({ sums }) => Number(sums.costs?.requests ?? 0n) },
  {
    name: 'margin',
    isAmount: true,
    read: ({ sums }) => sums.charge - sums.corrected - (sums.costs?.amount ?? 0n),
  },
];

/** The columns of exported usage. */
export function usageColumns({
  withCosts,
  withSecond,
}: {
  readonly withCosts: boolean;
  readonly withSecond: boolean;
}): readonly CsvColumn<UsageRow>[] {
  return [...GROUP, ...(withSecond ? [SECOND_GROUP] : []), ...COLUMNS, ...(withCosts ? COST_COLUMNS : [])];
}
