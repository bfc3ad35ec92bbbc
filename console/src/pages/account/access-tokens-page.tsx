import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type {
  AccessTokenJson,
  CreatedAccessTokenJson,
  MeJson,
} from '../../../../src/control/admin/identity/identity-contract.ts';
import { accessTokensQuery } from '../../api/access-tokens.ts';
import { AccountPage } from '../../components/account-page.tsx';
import { ListTable, rowsOf } from '../../components/list-table.tsx';
import { SecretDialog } from '../../components/secret-dialog.tsx';
import { AccessTokenCreate } from '../../forms/access-token-create.tsx';
import { AccessTokenRevoke } from '../../forms/token-revoke.tsx';
import { paths } from '../../paths.ts';
import { useMe } from '../../session/access.ts';
import { showToast } from '../../ui/announcements.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { actionsColumn } from '../../ui/columns.tsx';
import { Cut } from '../../ui/cut.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { StatusWord } from '../../ui/status-word.tsx';
import type { Column } from '../../ui/table-types.ts';
import { Timestamp } from '../../ui/timestamp.tsx';

const route = getRouteApi('/in/account/access-tokens');

const NO_MEMBER = 'Access tokens are for members of a workspace, and you are a member of none.';

export function AccessTokensPage(): ReactNode {
  const { create } = route.useSearch();
  const navigate = route.useNavigate();
  const { workspaces } = useMe();
  const tokens = useInfiniteQuery(accessTokensQuery);
  const rows = rowsOf(tokens);
  const [created, setCreated] = useState<CreatedAccessTokenJson | null>(null);
  const setCreating = (isCreating: boolean) =>
    navigate({ search: { create: isCreating ? 'true' : undefined }, replace: !isCreating });
  const show = async (token: CreatedAccessTokenJson): Promise<void> => {
    await setCreating(false);
    if (token.token === null) showToast(`${token.name} was created by an earlier request, which has shown its secret.`);
    else setCreated(token);
  };
  const createButton = (
    <Button
      kind="primary"
      onClick={() => void setCreating(true)}
      unavailable={workspaces.length === 0 ? NO_MEMBER : null}
    >
      Create access token
    </Button>
  );
  return (
    <AccountPage
      title="Access tokens"
      answers="Which programs act in your place, with a part of your rights."
      current={paths.accessTokens()}
      actions={rows?.length === 0 ? undefined : createButton}
    >
      <ListTable
        list={tokens}
        label="Your access tokens"
        columns={columnsFor(workspaces)}
        rows={rows}
        expectedRows={3}
        empty={
          <EmptyState
            cause="You have no access token."
            detail="A token never has more rights than you have, and ends when you leave its workspace."
            action={createButton}
          />
        }
      />
      {create === 'true' && workspaces.length > 0 && (
        <AccessTokenCreate
          workspaces={workspaces}
          onClose={() => void setCreating(false)}
          onCreated={(token) => void show(token)}
        />
      )}
      {created !== null && created.token !== null && (
        <SecretDialog
          title={`Access token ${created.name}`}
          what="access token"
          secret={created.token}
          onSaved={() => setCreated(null)}
        >
          <CodeBlock label="curl command" code={curlWith(created)} />
        </SecretDialog>
      )}
    </AccountPage>
  );
}

/** A first request with the token, as one would type it. */
function curlWith({ token, workspace_id: workspace }: CreatedAccessTokenJson): string {
  return `curl ${location.origin}/admin/v1/workspaces/${workspace} \\\n  -H "Authorization: Bearer ${token ?? ''}"`;
}

/** The columns, with the workspaces by their names. */
function columnsFor(workspaces: MeJson['workspaces']): readonly Column<AccessTokenJson>[] {
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
    actionsColumn((token) => (token.revoked_at === null ? <AccessTokenRevoke token={token} /> : null)),
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
