import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { WorkspaceJson } from '../../../../src/admin/account-contract.ts';
import { overviewQuery, statusQuery } from '../../api/home.ts';
import { burnQuery } from '../../api/workspaces.ts';
import { ProblemPanel } from '../../components/problem-panel.tsx';
import { runwayDays } from '../../components/runway.ts';
import { useMe } from '../../session/access.ts';
import { Section } from '../../ui/section.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StatusWord } from '../../ui/status-word.tsx';
import { type AttentionItem, attentionOf } from './attention.ts';

/** What needs somebody, or that nothing does. */
export function AttentionList({ workspace }: { readonly workspace: WorkspaceJson }): ReactNode {
  const isOperator = useMe().user.is_operator;
  const overview = useQuery(overviewQuery(workspace.id));
  const burn = useQuery(burnQuery(workspace.id));
  const status = useQuery({ ...statusQuery, enabled: isOperator });
  const { data, dataUpdatedAt, error } = overview;
  const items =
    data === undefined
      ? null
      : attentionOf({
          workspace,
          overview: data,
          runwayDays: burn.data === undefined ? null : runwayDays(BigInt(workspace.balance_nano_usd), burn.data),
          problems: status.data?.problems ?? [],
          now: new Date(dataUpdatedAt),
        });
  return (
    <Section title="Needs you">
      <ProblemPanel error={error} onRetry={() => void overview.refetch()} />
      {items === null ? error === null && <Skeleton className="w-60" /> : <Items items={items} />}
    </Section>
  );
}

function Items({ items }: { readonly items: readonly AttentionItem[] }): ReactNode {
  if (items.length === 0) {
    return (
      <p className="text-control">
        <StatusWord status="open">Nothing needs you.</StatusWord>
      </p>
    );
  }
  return (
    <ul aria-label="Needs you" className="flex flex-col">
      {items.map(({ id, tone, text, action }) => (
        <li
          key={id}
          className="flex flex-wrap items-center justify-between gap-x-6 gap-y-1 border-b border-line py-2 text-control first:pt-0 last:border-0"
        >
          <span className="flex min-w-0 flex-1 basis-60 items-baseline gap-2">
            <StatusWord status={tone === 'danger' ? 'closed' : 'low'}>
              <span className="sr-only">{tone === 'danger' ? 'Urgent:' : 'Soon:'}</span>
            </StatusWord>
            <span className="min-w-0 wrap-anywhere">{text}</span>
          </span>
          <a href={action.href} className="underline underline-offset-2">
            {action.label}
          </a>
        </li>
      ))}
    </ul>
  );
}
