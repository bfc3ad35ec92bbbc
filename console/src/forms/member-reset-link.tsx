import { type ReactNode, useState } from 'react';
import type { MemberJson } from '../../../src/control/admin/identity/identity-contract.ts';
import { createMemberResetLink } from '../api/members.ts';
import { SecretDialog } from '../components/secret-dialog.tsx';
import { useUnavailable } from '../session/access.ts';
import { ConfirmAction } from './confirm-action.tsx';

interface MemberResetLinkProps {
  readonly workspace: string;
  readonly member: MemberJson;
}

/** Makes a link by which a member sets a new password. */
export function MemberResetLink({ workspace, member: { id, name, email } }: MemberResetLinkProps): ReactNode {
  const [link, setLink] = useState<string | null>(null);
  return (
    <>
      <ConfirmAction
        label="Reset password"
        unavailable={useUnavailable(workspace, 'owners:write', 'make links for a new password')}
        title={`Reset the password of ${name}?`}
        action="Make the link"
        danger={false}
        send={() => createMemberResetLink(workspace, id)}
        onDone={(made) => setLink(made.link)}
      >
        {`You get a link to pass on to ${email}. Their password stays as it is until the link is used; then all their sessions end.`}
      </ConfirmAction>
      {link !== null && (
        <SecretDialog
          title={`Link for ${name}`}
          description={`Anyone who opens it sets the password of ${email}. It works once, for two hours, and is not shown again.`}
          what="link for a new password"
          secret={link}
          onSaved={() => setLink(null)}
        />
      )}
    </>
  );
}
