import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { OperatorTokenJson } from '../../../src/admin/identity-contract.ts';
import { operatorTokensQuery, revokeOperatorToken } from '../api/instance.ts';
import { CommandLine } from '../components/command-line.tsx';
import { instanceCommand } from '../components/instance-command.ts';
import { problemFrom } from '../components/problem-panel.tsx';
import { showToast } from '../ui/announcements.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';

/** Ends an operator token by its typed name. */
export function OperatorTokenRevoke({ token: { id, name } }: { readonly token: OperatorTokenJson }): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  const queries = useQueryClient();
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => revokeOperatorToken(id),
    onSuccess: async () => {
      setIsOpen(false);
      showToast(`Token ${name} is revoked. It is refused.`);
      await queries.invalidateQueries({ queryKey: operatorTokensQuery.queryKey });
    },
  });
  return (
    <>
      <Button kind="quiet" aria-label={`Revoke ${name}`} onClick={() => setIsOpen(true)}>
        Revoke
      </Button>
      <ConfirmDialog
        open={isOpen}
        onClose={() => setIsOpen(false)}
        title={`Revoke ${name}?`}
        action="Revoke token"
        typedName={name}
        busy={isPending}
        error={problemFrom(error)}
        onConfirm={() => mutate()}
      >
        <p className="mb-4 whitespace-normal">Programs that use it are refused from now on. This cannot be undone.</p>
        <CommandLine command={instanceCommand.revokeToken(name)} />
      </ConfirmDialog>
    </>
  );
}
