import type { ReactNode } from 'react';
import type { UsageSumsJson } from '../../../../src/control/admin/usage/usage-contract.ts';
import { MARGIN_PERIODS, type MarginPeriod } from '../../api/choices.ts';
import { formatShare } from '../../format/count.ts';
import { decimalsOf } from '../../format/money.ts';
import { Money } from '../../ui/money.tsx';
import { Select } from '../../ui/select.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import type { Column } from '../../ui/table-types.ts';

// What requests brought, what they cost, and what is left. A cost that is not known is never taken for zero: what it would
// change is said to be a bound, or not known.

const PERIOD_WORDS: Readonly<Record<MarginPeriod, string>> = {
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  '90d': 'Last 90 days',
  month: 'This month',
  'former-month': 'Last month',
};

interface PeriodSelectProps {
  readonly period: MarginPeriod;
  readonly onChange: (period: MarginPeriod | undefined) => void;
}

export const DEFAULT_PERIOD: MarginPeriod = '30d';

/** The time that revenue, costs and margins are of; days of UTC. */
export function PeriodSelect({ period, onChange }: PeriodSelectProps): ReactNode {
  return (
    <Select
      aria-label="Time of revenue and costs (UTC)"
      className="w-40 max-sm:flex-1"
      value={period}
      onChange={(chosen) => onChange(chosen === DEFAULT_PERIOD ? undefined : chosen)}
      options={MARGIN_PERIODS.map((value) => ({ value, label: PERIOD_WORDS[value] }))}
    />
  );
}

/** The words for a period within a sentence: "the last 30 days". */
export function periodWords(period: MarginPeriod): string {
  return PERIOD_WORDS[period].replace(/^Last (?=\d)/, 'the last ').replace(/^[A-Z]/, (first) => first.toLowerCase());
}

/** What a margin is made of. */
export type MarginSums = Pick<
  UsageSumsJson,
  'requests' | 'costed_requests' | 'net_charge_nano_usd' | 'cost_nano_usd' | 'margin_nano_usd'
>;

/** How much of the requests' cost is known. */
type Certainty = 'known' | 'partly' | 'unknown';

function certaintyOf({ requests, costed_requests: costed = 0 }: MarginSums): Certainty {
  if (costed === requests) return 'known';
  return costed === 0 ? 'unknown' : 'partly';
}

interface AmountProps {
  readonly sums: MarginSums;
  readonly decimals?: number | undefined;
}

const UNKNOWN = <span className="text-text-3">not known</span>;

function Bound({ words, children }: { readonly words: string; readonly children: ReactNode }): ReactNode {
  return (
    <span className="whitespace-nowrap">
      <span className="text-text-3">{words} </span>
      {children}
    </span>
  );
}

/** What the requests cost their providers. */
export function Cost({ sums, decimals }: AmountProps): ReactNode {
  const certainty = certaintyOf(sums);
  if (certainty === 'unknown') return UNKNOWN;
  const amount = <Money amount={sums.cost_nano_usd ?? '0'} decimals={decimals} />;
  return certainty === 'known' ? amount : <Bound words="at least">{amount}</Bound>;
}

/** What is left of the revenue. */
export function Margin({ sums, decimals }: AmountProps): ReactNode {
  const certainty = certaintyOf(sums);
  if (certainty === 'unknown') return UNKNOWN;
  const margin = sums.margin_nano_usd ?? '0';
  const amount = (
    <Money amount={margin} decimals={decimals} className={margin.startsWith('-') ? 'text-danger-text' : ''} />
  );
  return certainty === 'known' ? amount : <Bound words="at most">{amount}</Bound>;
}

/** The margin's part of the revenue; a bound as the margin is. */
function MarginShare({ sums }: AmountProps): ReactNode {
  const revenue = BigInt(sums.net_charge_nano_usd);
  const certainty = certaintyOf(sums);
  if (certainty === 'unknown' || revenue <= 0n) return <span className="text-text-3">–</span>;
  const margin = BigInt(sums.margin_nano_usd ?? '0');
  const share = margin < 0n ? `−${formatShare(-margin, revenue)}` : formatShare(margin, revenue);
  return certainty === 'known' ? share : <Bound words="at most">{share}</Bound>;
}

/** Sums of a row; undefined while they load, null if they could not be read. */
type SumsOf<Row> = (row: Row) => MarginSums | null | undefined;

/** The columns of revenue, cost and margin. */
export function marginColumns<Row>(
  rows: readonly Row[],
  sumsOf: SumsOf<Row>,
  total?: MarginSums,
): readonly Column<Row>[] {
  const all = [...rows.map(sumsOf), total].filter((sums) => sums !== null && sums !== undefined);
  const revenueDecimals = decimalsOf(all.map((sums) => sums.net_charge_nano_usd));
  const costed = all.filter((sums) => certaintyOf(sums) !== 'unknown');
  const costDecimals = decimalsOf(costed.map((sums) => sums.cost_nano_usd ?? '0'));
  const marginDecimals = decimalsOf(costed.map((sums) => sums.margin_nano_usd ?? '0'));
  const column = (id: string, header: string, cell: (sums: MarginSums) => ReactNode): Column<Row> => ({
    id,
    header,
    align: 'end',
    cell: (row) => {
      const sums = sumsOf(row);
      if (sums === undefined) return <Skeleton className="w-16" />;
      return sums === null ? <span className="text-text-3">not read</span> : cell(sums);
    },
    total: total && cell(total),
  });
  return [
    column('revenue', 'Revenue', (sums) => <Money amount={sums.net_charge_nano_usd} decimals={revenueDecimals} />),
    column('cost', 'Cost', (sums) => <Cost sums={sums} decimals={costDecimals} />),
    column('margin', 'Margin', (sums) => <Margin sums={sums} decimals={marginDecimals} />),
    { ...column('margin-share', 'Margin, % of revenue', (sums) => <MarginShare sums={sums} />), from: 'xl' },
  ];
}

/** Says of how many requests the cost is not known; nothing if all are. */
export function UnknownCosts({ sums }: { readonly sums: MarginSums }): ReactNode {
  const unknown = sums.requests - (sums.costed_requests ?? 0);
  if (unknown === 0) return null;
  const isAll = unknown === sums.requests;
  return (
    <p className="mt-3 max-w-prose text-meta text-text-2">
      The cost of {isAll ? 'these requests' : `${formatShare(unknown, sums.requests)} of these requests`} is not known:
      their routes have no <code className="font-mono">cost</code> in the config file.
      {!isAll && ' So costs are at least, and margins at most, what is shown.'}
    </p>
  );
}
