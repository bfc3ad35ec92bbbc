import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { CreatedAccessTokenJson } from '../../../../src/control/admin/identity/identity-contract.ts';
import { accessTokensQuery } from '../../api/access-tokens.ts';
import { AccountPage } from '../../components/account-page.tsx';
import { LoadMore } from '../../components/load-more.tsx';
import { problemFrom } from '../../components/problem-panel.tsx';
import { SecretDialog } from '../../components/secret-dialog.tsx';
import { AccessTokenCreate } from '../../forms/access-token-create.tsx';
import { paths } from '../../paths.ts';
import { useMe } from '../../session/access.ts';
import { showToast } from '../../ui/announcements.ts';
import { Button } from '../../ui/button.tsx';
import { CodeBlock } from '../../ui/code-block.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Table } from '../../ui/table.tsx';
import { columnsFor } from './access-token-columns.tsx';

const route = getRouteApi('/in/account/access-tokens');

const NO_MEMBER = 'Access tokens are for members of a workspace, and you are a member of none.';

export function AccessTokensPage(): ReactNode {
  const { create } = route.useSearch();
  const navigate = route.useNavigate();
  const { workspaces } = useMe();
  const tokens = useInfiniteQuery(accessTokensQuery);
  const rows = tokens.data?.pages.flatMap(({ data }) => data);
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
      <Table
        label="Your access tokens"
        columns={columnsFor(workspaces)}
        rows={rows}
        rowKey={({ id }) => id}
        error={problemFrom(tokens.error)}
        onRetry={() => void tokens.refetch()}
        expectedRows={3}
        empty={
          <EmptyState
            cause="You have no access token."
            detail="A token never has more rights than you have, and ends when you leave its workspace."
            action={createButton}
          />
        }
      />
      <LoadMore list={tokens} />
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
