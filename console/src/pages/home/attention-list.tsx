import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { WorkspaceJson } from '../../../../src/control/admin/accounts/account-contract.ts';
import { statusQuery } from '../../api/home.ts';
import { overviewQuery } from '../../api/overview.ts';
import { providersQuery } from '../../api/providers.ts';
import { burnQuery } from '../../api/workspaces.ts';
import { type AttentionItem, AttentionItems } from '../../components/attention-items.tsx';
import { ProblemPanel } from '../../components/problem-panel.tsx';
import { runwayDays } from '../../components/runway.ts';
import { paths } from '../../paths.ts';
import { useMe, useUnavailable } from '../../session/access.ts';
import { Section } from '../../ui/section.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { StatusWord } from '../../ui/status-word.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { attentionOf } from './attention.ts';

/** How often routes are looked at. */
const AGAIN_MS = 30_000;

interface AttentionListProps {
  /** The workspace's id. */
  readonly id: string;
  /** Null: the user does not see it, but what is their own in it. */
  readonly workspace: WorkspaceJson | null;
}

/** What needs attention, or that nothing does. */
export function AttentionList({ id, workspace }: AttentionListProps): ReactNode {
  const seesAlerts = useUnavailable(id, 'alerts:read', 'see alerts') === null;
  const isOperator = useMe().user.is_operator;
  const overview = useQuery(overviewQuery(id));
  const burn = useQuery({ ...burnQuery(id), enabled: workspace !== null });
  const status = useQuery({ ...statusQuery, enabled: isOperator });
  const providers = useQuery({ ...providersQuery, enabled: isOperator, refetchInterval: AGAIN_MS });
  const { data, dataUpdatedAt, error } = overview;
  const items =
    data === undefined
      ? null
      : attentionOf({
          id,
          workspace,
          overview: data,
          runwayDays:
            burn.data === undefined || workspace === null
              ? null
              : runwayDays(BigInt(workspace.balance_nano_usd), burn.data),
          problems: status.data?.problems ?? [],
          providers: providers.data?.data ?? [],
          now: new Date(dataUpdatedAt),
        });
  return (
    <Section
      title="Needs you"
      actions={
        seesAlerts && (
          <TextLink href={paths.alerts(id)} className="text-control">
            All alerts
          </TextLink>
        )
      }
    >
      <ProblemPanel error={error} onRetry={() => void overview.refetch()} />
      {items === null ? error === null && <Skeleton className="w-60" /> : <Items workspace={id} items={items} />}
    </Section>
  );
}

interface ItemsProps {
  readonly workspace: string;
  readonly items: readonly AttentionItem[];
}

function Items({ workspace, items }: ItemsProps): ReactNode {
  if (items.length === 0) {
    return (
      <p className="text-control">
        <StatusWord status="open">Nothing needs you.</StatusWord>
      </p>
    );
  }
  return <AttentionItems label="Needs you" workspace={workspace} items={items} />;
}
