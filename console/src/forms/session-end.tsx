import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { SessionJson } from '../../../src/control/admin/identity/identity-contract.ts';
import { endOtherSessions, endSession, sessionsQuery } from '../api/sessions.ts';
import { formatUserAgent } from '../format/user-agent.ts';
import { showToast } from '../ui/announcements.ts';
import { Button } from '../ui/button.tsx';
import { ConfirmAction } from './confirm-action.tsx';

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
  return (
    <ConfirmAction
      label="Sign out everywhere else"
      unavailable={unavailable}
      title="Sign out everywhere else?"
      action="Sign out"
      send={endOtherSessions}
      done={({ ended }) => (ended === 1 ? 'The other session has ended.' : `${ended} other sessions have ended.`)}
      reload={(queries) => queries.invalidateQueries({ queryKey: sessionsQuery.queryKey })}
    >
      All your sessions but this one end now. Access tokens keep working; revoke them by themselves.
    </ConfirmAction>
  );
}
