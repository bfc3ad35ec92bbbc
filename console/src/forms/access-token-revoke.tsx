import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { AccessTokenJson } from '../../../src/admin/identity-contract.ts';
import { accessTokensQuery, revokeAccessToken } from '../api/access-tokens.ts';
import { problemFrom } from '../components/problem-panel.tsx';
import { showToast } from '../ui/announcements.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';

/** Revokes an access token. */
export function AccessTokenRevoke({ token: { id, name } }: { readonly token: AccessTokenJson }): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  const queries = useQueryClient();
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => revokeAccessToken(id),
    onSuccess: async () => {
      setIsOpen(false);
      showToast(`The access token ${name} is revoked.`);
      await queries.invalidateQueries({ queryKey: accessTokensQuery.queryKey });
    },
  });
  return (
    <>
      <Button kind="quiet" onClick={() => setIsOpen(true)} aria-label={`Revoke ${name}`}>
        Revoke
      </Button>
      <ConfirmDialog
        open={isOpen}
        onClose={() => setIsOpen(false)}
        title={`Revoke ${name}?`}
        action="Revoke access token"
        busy={isPending}
        error={problemFrom(error)}
        onConfirm={() => mutate()}
      >
        <p>Programs that use it are refused from now on. A revoked token does not come back.</p>
      </ConfirmDialog>
    </>
  );
}
