import type { ReactNode } from 'react';
import type { Role } from '../../../src/domain/roles.ts';
import { Timestamp } from '../ui/timestamp.tsx';
import { asRole } from './role-words.ts';
import { SecretDialog } from './secret-dialog.tsx';

interface InvitationLinkProps {
  readonly email: string;
  readonly role: Role;
  readonly link: string;
  readonly expiresAt: string;
  readonly onSaved: () => void;
}

/** The link of an invitation, which is shown once, to pass on. */
export function InvitationLink({ email, role, link, expiresAt, onSaved }: InvitationLinkProps): ReactNode {
  return (
    <SecretDialog
      title={`Invitation of ${email}`}
      description={
        <>
          Pass this link on. By it, {email} joins as {asRole(role)}, once. It expires <Timestamp at={expiresAt} /> and
          is not shown again.
        </>
      }
      what="invitation link"
      secret={link}
      onSaved={onSaved}
    />
  );
}
