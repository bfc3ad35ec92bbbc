import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { WorkspaceJson } from '../../../../src/control/admin/accounts/account-contract.ts';
import { activeKeysQuery } from '../../api/keys.ts';
import { membersQuery } from '../../api/members.ts';
import { WorkspaceStatus } from '../../components/workspace-status.tsx';
import { formatNumberOf } from '../../format/count.ts';
import { paths } from '../../paths.ts';
import { Copied } from '../../ui/copied.tsx';
import { type Definition, DefinitionList } from '../../ui/definition-list.tsx';
import { Money } from '../../ui/money.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TextLink } from '../../ui/text-link.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';

/** What a workspace has left, and who and what uses it. */
export function WorkspaceFacts({ workspace }: { readonly workspace: WorkspaceJson }): ReactNode {
  const { id, balance_nano_usd: balance } = workspace;
  return (
    <section aria-label="Facts" className="mb-8">
      <p className={`tabular text-hero font-semibold ${BigInt(balance) <= 0n ? 'text-danger-text' : ''}`}>
        <Money amount={balance} />
      </p>
      <p className="mt-1 mb-4 text-body text-text-2">
        Balance. <TextLink href={paths.credit(id)}>Statement</TextLink>
      </p>
      <div className="grid gap-x-12 gap-y-2 lg:grid-cols-2">
        <DefinitionList items={standingOf(workspace)} />
        <DefinitionList items={[...usersOf(id), ...originOf(workspace)]} />
      </div>
    </section>
  );
}

function standingOf(workspace: WorkspaceJson): readonly Definition[] {
  const { state, moved_to: movedTo, suspension_reason: reason, owed_nano_usd: owed } = workspace;
  return [
    {
      term: 'Status',
      value: (
        <>
          <WorkspaceStatus state={state} movedTo={movedTo} />
          {reason !== null && <span className="text-text-2">: {reason}</span>}
        </>
      ),
    },
    { term: 'Held', value: <Money amount={workspace.held_nano_usd} /> },
    { term: 'Leased, including holds', value: <Money amount={workspace.leased_nano_usd} /> },
    { term: 'Owed', value: <Money amount={owed} className={owed === '0' ? '' : 'text-danger-text'} /> },
    { term: 'Credit posted', value: <Money amount={workspace.credit_nano_usd} /> },
  ];
}

function usersOf(workspace: string): readonly Definition[] {
  return [
    { term: 'Members', value: <Members workspace={workspace} /> },
    { term: 'Active keys', value: <Keys workspace={workspace} /> },
  ];
}

function originOf({ id, created_at: at }: WorkspaceJson): readonly Definition[] {
  return [
    { term: 'Created', value: <Timestamp at={at} /> },
    { term: 'Id', value: <Copied text={id} label="Copy workspace id" /> },
  ];
}

interface CountedProps {
  readonly href: string;
  /** Undefined while it is read; null if it could not be. */
  readonly count: number | null | undefined;
  readonly hasMore: boolean;
  readonly one: string;
}

/** How many there are, as the way to them. */
function Counted({ href, count, hasMore, one }: CountedProps): ReactNode {
  if (count === undefined) return <Skeleton className="w-16" />;
  return (
    <TextLink href={href}>
      {count === null ? `See its ${one}s` : hasMore ? `More than ${count} ${one}s` : formatNumberOf(count, one)}
    </TextLink>
  );
}

function Members({ workspace }: { readonly workspace: string }): ReactNode {
  const { data, error, hasNextPage } = useInfiniteQuery(membersQuery(workspace));
  const count = error === null ? data?.pages.flatMap((page) => page.data).length : null;
  return <Counted href={paths.members(workspace)} count={count} hasMore={hasNextPage} one="member" />;
}

function Keys({ workspace }: { readonly workspace: string }): ReactNode {
  const { data, error } = useQuery(activeKeysQuery(workspace));
  const count = error === null ? data?.data.length : null;
  return (
    <Counted href={paths.keys(workspace)} count={count} hasMore={typeof data?.next_cursor === 'string'} one="key" />
  );
}
