import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { KeyJson } from '../../../../src/control/admin/accounts/account-contract.ts';
import { KEY_USAGE_DAYS, keyUsageQuery } from '../../api/keys.ts';
import { StackedBars } from '../../charts/stacked-bars.tsx';
import { ProblemPanel } from '../../components/problem-panel.tsx';
import { timeSlots } from '../../components/time-slots.ts';
import { netCharge, usageBars } from '../../components/usage-bars.ts';
import { addDays, dayOf, startOf } from '../../format/day.ts';
import { formatMoney, formatMoneyTicks } from '../../format/money.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { useHour } from '../../ui/use-hour.ts';

/** What a key was charged by day and model. */
export function KeyUsage({ apiKey }: { readonly apiKey: KeyJson }): ReactNode {
  const nowMs = useHour();
  const today = dayOf(new Date(nowMs));
  const first = startOf(addDays(today, 1 - KEY_USAGE_DAYS));
  const { data, error, refetch } = useQuery(keyUsageQuery(apiKey, first.toISOString()));
  if (data === undefined) {
    return error === null ? (
      <div aria-busy="true" className="h-60" />
    ) : (
      <ProblemPanel error={error} onRetry={() => void refetch()} />
    );
  }
  if (data.total.requests === 0) {
    return <EmptyState cause={`No request of this key was charged in the last ${KEY_USAGE_DAYS} days.`} />;
  }
  const { bars, series } = usageBars(
    data,
    timeSlots({ fromMs: first.getTime(), toMs: startOf(addDays(today, 1)).getTime(), bucket: 'day' }, nowMs),
    { measure: netCharge, seriesOf: ({ group, name }) => ({ id: group, label: name ?? group, kind: 'model' }) },
  );
  return (
    <>
      <ProblemPanel error={error} onRetry={() => void refetch()} />
      <StackedBars
        label="Charge by day and model"
        lead={`${formatMoney(data.total.net_charge_nano_usd)} in ${KEY_USAGE_DAYS} days, UTC`}
        barHeader="Day (UTC)"
        bars={bars}
        series={series}
        format={formatMoney}
        formatAxis={formatMoneyTicks}
      />
    </>
  );
}
