import type { ReactNode } from 'react';
import type { KeyJson } from '../../../src/control/admin/accounts/account-contract.ts';
import type { KeyState } from '../../../src/domain/key-lists.ts';
import { type Status, StatusWord } from '../ui/status-word.tsx';

type Ends = Pick<KeyJson, 'revoked_at' | 'expires_at' | 'disabled_at'>;

/** Whether a key is accepted, and if not, why. */
export function keyStateOf({ revoked_at: revokedAt, expires_at: expiresAt, disabled_at: disabledAt }: Ends): KeyState {
  if (revokedAt !== null) return 'revoked';
  if (expiresAt !== null && Date.parse(expiresAt) <= Date.now()) return 'expired';
  return disabledAt === null ? 'active' : 'disabled';
}

const STATUS: Readonly<Record<KeyState, Status>> = {
  active: 'open',
  disabled: 'off',
  expired: 'off',
  revoked: 'closed',
};

export function KeyStatus({ apiKey }: { readonly apiKey: Ends }): ReactNode {
  const state = keyStateOf(apiKey);
  return <StatusWord status={STATUS[state]}>{state}</StatusWord>;
}
