import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { OperatorTokenJson } from '../../../../src/control/admin/identity/identity-contract.ts';
import { operatorTokensQuery } from '../../api/instance.ts';
import { ListTable } from '../../components/list-table.tsx';
import { OperatorTokenRevoke } from '../../forms/token-revoke.tsx';
import { actionsColumn, statusColumn, timeColumn } from '../../ui/columns.tsx';
import { Cut } from '../../ui/cut.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { Column } from '../../ui/table-types.ts';

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
  timeColumn('last-used', 'Last used', ({ last_used_at: at }) => at, { from: 'md', daysAlone: true }),
  statusColumn(({ revoked_at: at }) => (at === null ? ['open', 'active'] : ['closed', 'revoked'])),
  {
    ...actionsColumn((token) => (token.revoked_at === null ? <OperatorTokenRevoke token={token} /> : null)),
    header: 'Revoke',
  },
];

/** The operator tokens that people have made. */
export function OperatorTokens(): ReactNode {
  const tokens = useInfiniteQuery(operatorTokensQuery);
  return (
    <ListTable
      list={tokens}
      label="Operator tokens"
      columns={COLUMNS}
      expectedRows={2}
      empty={<EmptyState cause="The instance has its own operator token alone." />}
    />
  );
}

function Name({ token: { name, revoked_at: revokedAt } }: { readonly token: OperatorTokenJson }): ReactNode {
  return revokedAt === null ? name : <del className="text-text-3">{name}</del>;
}
