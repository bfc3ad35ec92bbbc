import type { ReactNode } from 'react';
import type { UsageJson } from '../../../../src/control/admin/usage/usage-contract.ts';
import { StackedBars } from '../../charts/stacked-bars.tsx';
import { formatMoney, formatMoneyExactly, formatMoneyTicks } from '../../format/money.ts';
import { barsOf, CHARGE } from './home-days.ts';

const SERIES = [{ id: CHARGE, label: 'Charged', role: 'accent' }] as const;

/** What each of the last 30 days cost, if anything did. */
export function SpendingChart({ usage }: { readonly usage: UsageJson }): ReactNode {
  const bars = barsOf(usage);
  const sum = bars.reduce((total, { values }) => total + BigInt(values?.[CHARGE] ?? 0n), 0n);
  if (sum === 0n) return <p className="text-control text-text-2">Nothing was charged in 30 days.</p>;
  return (
    <StackedBars
      label="Charged by day"
      lead={`${formatMoney(sum)} in 30 days of UTC`}
      bars={bars}
      series={SERIES}
      format={formatMoneyExactly}
      formatAxis={formatMoneyTicks}
      barHeader="Day (UTC)"
      height={200}
    />
  );
}
