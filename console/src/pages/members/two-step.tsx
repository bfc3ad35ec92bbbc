import type { ReactNode } from 'react';
import type { MemberJson } from '../../../../src/control/admin/identity/identity-contract.ts';
import { StatusWord } from '../../ui/status-word.tsx';

/** What proves the member beside the password. */
export function TwoStep({ member }: { readonly member: MemberJson }): ReactNode {
  const factors = [member.has_authenticator && 'authenticator', member.has_passkey && 'passkey'].filter(Boolean);
  if (factors.length === 0) return <StatusWord status="off">off</StatusWord>;
  return <StatusWord status="open">{factors.join(' and ')}</StatusWord>;
}
