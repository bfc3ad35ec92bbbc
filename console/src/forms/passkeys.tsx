import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { PasskeyJson } from '../../../src/control/admin/identity/passkey-contract.ts';
import { addPasskey, passkeysQuery, removePasskey } from '../api/passkeys.ts';
import { QueryTable } from '../components/list-table.tsx';
import { showToast } from '../ui/announcements.ts';
import { Button } from '../ui/button.tsx';
import { actionsColumn } from '../ui/columns.tsx';
import { EmptyState } from '../ui/empty-state.tsx';
import type { Column } from '../ui/table-types.ts';
import { Timestamp } from '../ui/timestamp.tsx';
import { ConfirmAction } from './confirm-action.tsx';
import { InlineForm } from './inline-form.tsx';
import { FormProblem } from './param-field.tsx';
import { TextField } from './text-field.tsx';

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
  const queries = useQueryClient();
  const [name, setName] = useState('');
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => addPasskey(name.trim()),
    onSuccess: async (added) => {
      setName('');
      showToast(`You can sign in with ${added.name} now.`);
      await queries.invalidateQueries({ queryKey: ['me'] });
    },
  });
  return (
    <InlineForm error={error} className="flex max-w-md flex-col gap-2" onSubmit={() => mutate()}>
      <div className="flex items-end gap-2">
        <div className="min-w-0 flex-1">
          <TextField
            param="name"
            label="Name"
            value={name}
            onChange={setName}
            placeholder="This laptop"
            maxLength={100}
          />
        </div>
        <Button type="submit" busy={isPending}>
          Add passkey
        </Button>
      </div>
      <FormProblem />
    </InlineForm>
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
