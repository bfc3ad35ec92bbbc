import type { ReactNode } from 'react';
import type { KeyJson } from '../../../src/control/admin/accounts/account-contract.ts';
import type { KeyState } from '../../../src/domain/key-lists.ts';
import { timeColumn } from '../ui/columns.tsx';
import { Cut } from '../ui/cut.tsx';
import { limitNow } from './raised-limit.tsx';
import { Meter } from '../ui/meter.tsx';
import { type Status, StatusWord } from '../ui/status-word.tsx';
import type { Column } from '../ui/table-types.ts';

/** The columns of lists of keys. */
export function keyColumns({ withProject }: { readonly withProject: boolean }) {
  const columns: readonly (Column<KeyJson> | null)[] = [
    { id: 'name', header: 'Name', sort: 'name', cell: (key) => <Name apiKey={key} />, grow: true },
    {
      id: 'key',
      header: 'Key',
      cell: ({ masked_key: key }) => <code className="font-mono text-meta text-text-2">{shortened(key)}</code>,
      from: 'md',
    },
    withProject
      ? { id: 'project', header: 'Project', cell: ({ project_name: name }) => <Cut>{name}</Cut>, from: 'lg' }
      : null,
    { id: 'owner', header: 'Owner', cell: (key) => <Cut>{ownerOf(key)}</Cut>, from: 'xl' },
    {
      id: 'spent',
      header: 'Spent this month',
      sort: 'spend',
      cell: (key) => (
        <Meter
          compact
          label={`Limit of ${key.name}`}
          spent={key.used_nano_usd}
          held={key.held_nano_usd}
          limit={limitNow(key.spend_limit_nano_usd, key)}
        />
      ),
    },
    timeColumn('last-used', 'Last used', ({ last_used_at: at }) => at, {
      sort: 'last_use',
      from: 'xl',
      daysAlone: true,
    }),
    timeColumn('expires', 'Expires', ({ expires_at: at }) => at, { sort: 'expiry', from: 'xl', daysAlone: true }),
    { id: 'status', header: 'Status', cell: (key) => <KeyStatus apiKey={key} /> },
  ];
  return columns.filter((column) => column !== null);
}

/** Enough of a masked key to recognise it: its beginning and its end. */
function shortened(masked: string): string {
  return masked.replace(/^(fg_live_\w{2})\w*…/, '$1…');
}

function Name({ apiKey: { name, revoked_at: revokedAt } }: { readonly apiKey: KeyJson }): ReactNode {
  return revokedAt === null ? name : <del className="text-text-3">{name}</del>;
}

/** Whose key it is, or will be. */
export function ownerOf({ created_by_name: name, invited_email: invited }: KeyJson): string {
  return name ?? (invited === null ? 'operator' : `${invited} (invited)`);
}

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
