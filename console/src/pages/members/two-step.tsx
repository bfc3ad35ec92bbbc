import type { ReactNode } from 'react';
import type { MemberJson } from '../../../../src/control/admin/identity/identity-contract.ts';
import { StatusWord } from '../../ui/status-word.tsx';

/** Whether a code is asked for in addition to the password. */
export function TwoStep({ member }: { readonly member: MemberJson }): ReactNode {
  return member.has_authenticator ? (
    <StatusWord status="open">on</StatusWord>
  ) : (
    <StatusWord status="off">off</StatusWord>
  );
}
