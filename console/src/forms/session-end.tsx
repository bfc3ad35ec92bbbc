import type { ReactNode } from 'react';
import type { SessionJson } from '../../../src/control/admin/identity/identity-contract.ts';
import { endOtherSessions, endSession, sessionsQuery } from '../api/sessions.ts';
import { formatUserAgent } from '../format/user-agent.ts';
import { ConfirmAction } from './confirm-action.tsx';
import { SendButton } from './send-button.tsx';

/** Ends one of the user's other sessions. */
export function SessionEnd({ session: { id, user_agent: userAgent } }: { readonly session: SessionJson }): ReactNode {
  const name = formatUserAgent(userAgent);
  return (
    <SendButton
      kind="quiet"
      aria-label={`End the session of ${name}`}
      send={() => endSession(id)}
      done={() => `The session of ${name} has ended.`}
      reload={(queries) => queries.invalidateQueries({ queryKey: sessionsQuery.queryKey })}
    >
      End
    </SendButton>
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
