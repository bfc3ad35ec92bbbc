import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { OperatorTokenJson } from '../../../../src/control/admin/identity/identity-contract.ts';
import { operatorTokensQuery } from '../../api/instance.ts';
import { LoadMore } from '../../components/load-more.tsx';
import { problemFrom } from '../../components/problem-panel.tsx';
import { OperatorTokenRevoke } from '../../forms/operator-token-revoke.tsx';
import { Cut } from '../../ui/cut.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { StatusWord } from '../../ui/status-word.tsx';
import { Table } from '../../ui/table.tsx';
import type { Column } from '../../ui/table-types.ts';
import { Timestamp } from '../../ui/timestamp.tsx';

const COLUMNS: readonly Column<OperatorTokenJson>[] = [
  { id: 'name', header: 'Name', cell: (token) => <Name token={token} />, grow: true },
  {
    id: 'token',
    header: 'Token',
    from: 'lg',
    cell: ({ masked_token: masked }) => <code className="font-mono text-meta text-text-2">{masked}</code>,
  },
  {
    id: 'may',
    header: 'May',
    cell: ({ read_only: isReadOnly, backup }) => (!isReadOnly ? 'do everything' : backup ? 'read and back up' : 'read'),
  },
  { id: 'by', header: 'Created by', from: 'xl', cell: ({ created_by: by }) => <Cut>{by}</Cut> },
  {
    id: 'last-used',
    header: 'Last used',
    from: 'md',
    cell: ({ last_used_at: at }) => <Timestamp at={at} daysAlone />,
  },
  { id: 'status', header: 'Status', cell: (token) => <TokenStatus token={token} /> },
  {
    id: 'revoke',
    header: 'Revoke',
    hideHeader: true,
    align: 'end',
    cell: (token) => (token.revoked_at === null ? <OperatorTokenRevoke token={token} /> : null),
  },
];

/** The operator tokens that people have made. */
export function OperatorTokens(): ReactNode {
  const tokens = useInfiniteQuery(operatorTokensQuery);
  return (
    <>
      <Table
        label="Operator tokens"
        columns={COLUMNS}
        rows={tokens.data?.pages.flatMap(({ data }) => data)}
        rowKey={({ id }) => id}
        expectedRows={2}
        error={problemFrom(tokens.error)}
        onRetry={() => void tokens.refetch()}
        empty={<EmptyState cause="The instance has its own operator token alone." />}
      />
      <LoadMore list={tokens} />
    </>
  );
}

function Name({ token: { name, revoked_at: revokedAt } }: { readonly token: OperatorTokenJson }): ReactNode {
  return revokedAt === null ? name : <del className="text-text-3">{name}</del>;
}

function TokenStatus({ token: { revoked_at: revokedAt } }: { readonly token: OperatorTokenJson }): ReactNode {
  return revokedAt === null ? (
    <StatusWord status="open">active</StatusWord>
  ) : (
    <StatusWord status="closed">revoked</StatusWord>
  );
}
