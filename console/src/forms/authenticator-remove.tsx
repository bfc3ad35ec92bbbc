import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { removeAuthenticator } from '../api/account.ts';
import { problemFrom } from '../components/problem-panel.tsx';
import { showToast } from '../ui/announcements.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';

/** Removes the authenticator app, after which the password alone signs in. */
export function AuthenticatorRemove(): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  const queries = useQueryClient();
  const { mutate, error, isPending } = useMutation({
    mutationFn: removeAuthenticator,
    onSuccess: async () => {
      setIsOpen(false);
      showToast('Two-step sign-in is off.');
      await queries.invalidateQueries({ queryKey: ['me'] });
    },
  });
  return (
    <>
      <Button onClick={() => setIsOpen(true)}>Turn off</Button>
      <ConfirmDialog
        open={isOpen}
        onClose={() => setIsOpen(false)}
        title="Turn off two-step sign-in?"
        action="Turn off"
        busy={isPending}
        error={problemFrom(error)}
        onConfirm={() => mutate()}
      >
        <p>Your password alone signs you in then. The codes of the app and the recovery codes stop working.</p>
      </ConfirmDialog>
    </>
  );
}
