import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { SessionJson } from '../../../src/control/admin/identity/identity-contract.ts';
import { endOtherSessions, endSession, sessionsQuery } from '../api/sessions.ts';
import { problemFrom } from '../components/problem-panel.tsx';
import { formatUserAgent } from '../format/user-agent.ts';
import { showToast } from '../ui/announcements.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmDialog } from '../ui/confirm-dialog.tsx';

/** Ends one of the user's other sessions. */
export function SessionEnd({ session: { id, user_agent: userAgent } }: { readonly session: SessionJson }): ReactNode {
  const queries = useQueryClient();
  const name = formatUserAgent(userAgent);
  const { mutate, isPending } = useMutation({
    mutationFn: () => endSession(id),
    onSuccess: async () => {
      showToast(`The session of ${name} has ended.`);
      await queries.invalidateQueries({ queryKey: sessionsQuery.queryKey });
    },
    onError: (error) => showToast(error.message, 'failed'),
  });
  return (
    <Button kind="quiet" busy={isPending} onClick={() => mutate()} aria-label={`End the session of ${name}`}>
      End
    </Button>
  );
}

/** Ends all of the user's sessions but this one. */
export function SessionsEndOthers({ unavailable }: { readonly unavailable: string | null }): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  const queries = useQueryClient();
  const { mutate, error, isPending } = useMutation({
    mutationFn: endOtherSessions,
    onSuccess: async ({ ended }) => {
      setIsOpen(false);
      showToast(ended === 1 ? 'The other session has ended.' : `${ended} other sessions have ended.`);
      await queries.invalidateQueries({ queryKey: sessionsQuery.queryKey });
    },
  });
  return (
    <>
      <Button onClick={() => setIsOpen(true)} unavailable={unavailable}>
        Sign out everywhere else
      </Button>
      <ConfirmDialog
        open={isOpen}
        onClose={() => setIsOpen(false)}
        title="Sign out everywhere else?"
        action="Sign out"
        busy={isPending}
        error={problemFrom(error)}
        onConfirm={() => mutate()}
      >
        <p>All your sessions but this one end now. Access tokens keep working; revoke them by themselves.</p>
      </ConfirmDialog>
    </>
  );
}
