import type { ReactNode } from 'react';
import type { KeyJson } from '../../../src/control/admin/accounts/account-contract.ts';
import { Cut } from '../ui/cut.tsx';
import { Meter } from '../ui/meter.tsx';
import type { Column } from '../ui/table-types.ts';
import { Timestamp } from '../ui/timestamp.tsx';
import { KeyStatus } from './key-status.tsx';

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
    { id: 'owner', header: 'Owner', cell: ({ created_by_name: name }) => <Cut>{name ?? 'operator'}</Cut>, from: 'xl' },
    {
      id: 'spent',
      header: 'Spent this month',
      sort: 'spend',
      cell: ({ name, used_nano_usd: used, held_nano_usd: held, spend_limit_nano_usd: limit }) => (
        <Meter compact label={`Limit of ${name}`} spent={used} held={held} limit={limit} />
      ),
    },
    {
      id: 'last-used',
      header: 'Last used',
      sort: 'last_use',
      cell: ({ last_used_at: at }) => <Timestamp at={at} daysAlone />,
      from: 'xl',
    },
    {
      id: 'expires',
      header: 'Expires',
      sort: 'expiry',
      cell: ({ expires_at: at }) => <Timestamp at={at} daysAlone />,
      from: 'xl',
    },
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
