import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { PasskeyJson } from '../../../src/control/admin/identity/passkey-contract.ts';
import { addPasskey, passkeysQuery, removePasskey } from '../api/passkeys.ts';
import { QueryTable } from '../components/list-table.tsx';
import { showToast } from '../ui/announcements.ts';
import { actionsColumn } from '../ui/columns.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import type { Column } from '../ui/table-types.ts';
import { Timestamp } from '../ui/timestamp.tsx';
import { AddByText } from './add-by-text.tsx';
import { ConfirmAction } from './confirm-action.tsx';

const COLUMNS: readonly Column<PasskeyJson>[] = [
  { id: 'name', header: 'Name', cell: ({ name }) => name, grow: true },
  { id: 'used', header: 'Last used', cell: ({ last_used_at: at }) => <Timestamp at={at} /> },
  { id: 'created', header: 'Added', cell: ({ created_at: at }) => <Timestamp at={at} />, from: 'md' },
  actionsColumn((passkey) => <PasskeyRemove passkey={passkey} />),
];

/** The signed-in user's passkeys. */
export function Passkeys(): ReactNode {
  const query = useQuery(passkeysQuery);
  return (
    <div className="flex flex-col gap-4">
      <QueryTable
        query={query}
        label="Passkeys"
        columns={COLUMNS}
        rows={query.data?.data}
        rowKey={({ id }) => id}
        expectedRows={1}
        empty={<EmptyState cause="You have no passkey yet." />}
      />
      <PasskeyAdd />
    </div>
  );
}

function PasskeyAdd(): ReactNode {
  return (
    <AddByText
      param="name"
      label="Name"
      placeholder="This laptop"
      maxLength={100}
      action="Add passkey"
      add={addPasskey}
      onAdded={async (queries, { name }) => {
        showToast(`You can sign in with ${name} now.`);
        await queries.invalidateQueries({ queryKey: ['me'] });
      }}
    />
  );
}

function PasskeyRemove({ passkey: { id, name } }: { readonly passkey: PasskeyJson }): ReactNode {
  return (
    <ConfirmAction
      kind="quiet"
      label="Remove"
      aria-label={`Remove ${name}`}
      title={`Remove ${name}?`}
      action="Remove passkey"
      send={() => removePasskey(id)}
      done={() => `${name} does not sign you in any more.`}
      reload={(queries) => queries.invalidateQueries({ queryKey: ['me'] })}
    >
      It does not sign you in any more. Remove it from your device too, which would go on offering it.
    </ConfirmAction>
  );
}
