import { useInfiniteQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef } from 'react';
import type { AlertJson } from '../../../../src/control/admin/alerts/alert-contract.ts';
import { type AlertOwner, alertsQuery } from '../../api/alerts.ts';
import { isUrgent, remedyOf } from '../../components/alert-words.ts';
import { AttentionItems } from '../../components/attention-items.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { ProblemPanel } from '../../components/problem-panel.tsx';
import { announce } from '../../ui/announcements.ts';
import { Section } from '../../ui/section.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StatusWord } from '../../ui/status-word.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';

/** What is beyond a threshold now, each with the one action that helps. */
export function OpenAlerts({ owner }: { readonly owner: AlertOwner }): ReactNode {
  const open = useInfiniteQuery(alertsQuery(owner, { isOpen: true, rule: null }));
  const alerts = open.data?.pages.flatMap(({ data }) => data);
  useSpokenAlerts(alerts);
  return (
    <Section title="Open">
      <ProblemPanel error={open.error} onRetry={() => void open.refetch()} />
      {alerts === undefined && open.error === null && <Skeleton className="w-60" />}
      {alerts?.length === 0 && (
        <p className="text-control">
          <StatusWord status="open">Nothing is beyond a threshold.</StatusWord>
        </p>
      )}
      {alerts !== undefined && alerts.length > 0 && (
        <AttentionItems
          label="Open alerts"
          workspace={owner}
          items={alerts.map((alert) => ({
            id: alert.id,
            tone: isUrgent(alert) ? 'danger' : 'warn',
            text: alert.summary,
            detail: (
              <>
                since <Timestamp at={alert.raised_at} />
              </>
            ),
            action: remedyOf(owner, alert.kind, alert.subject.id),
          }))}
        />
      )}
      <LoadMore list={open} />
    </Section>
  );
}

/** Speaks alerts that come while the page is open. */
function useSpokenAlerts(alerts: readonly AlertJson[] | undefined): void {
  const known = useRef<ReadonlySet<string> | null>(null);
  useEffect(() => {
    if (alerts === undefined) return;
    const former = known.current;
    known.current = new Set(alerts.map(({ id }) => id));
    const fresh = former === null ? [] : alerts.filter(({ id }) => !former.has(id));
    if (fresh.length > 0) announce(fresh.map(({ summary }) => summary).join(' '));
  }, [alerts]);
}
