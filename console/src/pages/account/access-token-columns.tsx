import { type ReactNode, useState } from 'react';
import type { AccessTokenJson, MeJson } from '../../../../src/control/admin/identity/identity-contract.ts';
import { AccessTokenRevoke } from '../../forms/access-token-revoke.tsx';
import { Cut } from '../../ui/cut.tsx';
import { StatusWord } from '../../ui/status-word.tsx';
import type { Column } from '../../ui/table-types.ts';
import { Timestamp } from '../../ui/timestamp.tsx';

/** The columns, with the workspaces by their names. */
export function columnsFor(workspaces: MeJson['workspaces']): readonly Column<AccessTokenJson>[] {
  const names = new Map(workspaces.map(({ id, name }) => [id, name]));
  return [
    { id: 'name', header: 'Name', cell: ({ name }) => name, grow: true },
    {
      id: 'token',
      header: 'Token',
      cell: ({ masked_token: token }) => <code className="font-mono">{token}</code>,
      from: 'xl',
    },
    {
      id: 'workspace',
      header: 'Workspace',
      cell: ({ workspace_id: id }) => <Cut>{names.get(id) ?? 'a former one'}</Cut>,
      from: 'lg',
    },
    { id: 'rights', header: 'Rights', cell: (token) => <Rights token={token} /> },
    { id: 'state', header: 'Status', cell: (token) => <State token={token} /> },
    { id: 'used', header: 'Last used', cell: ({ last_used_at: at }) => <Timestamp at={at} />, from: 'md' },
    {
      id: 'actions',
      header: 'Actions',
      hideHeader: true,
      align: 'end',
      cell: (token) => (token.revoked_at === null ? <AccessTokenRevoke token={token} /> : null),
    },
  ];
}

function Rights({ token: { scopes } }: { readonly token: AccessTokenJson }): ReactNode {
  return <span title={scopes.join('\n')}>{scopes.length === 1 ? scopes[0] : `${scopes.length} rights`}</span>;
}

function State({ token }: { readonly token: AccessTokenJson }): ReactNode {
  const [nowMs] = useState(() => Date.now());
  if (token.revoked_at !== null) return <StatusWord status="closed">revoked</StatusWord>;
  if (Date.parse(token.expires_at) <= nowMs) return <StatusWord status="off">expired</StatusWord>;
  return (
    <StatusWord status="open">
      expires <Timestamp at={token.expires_at} />
    </StatusWord>
  );
}
