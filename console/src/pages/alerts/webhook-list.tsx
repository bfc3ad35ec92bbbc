import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { WebhookJson } from '../../../../src/control/admin/alerts/alert-contract.ts';
import { WEBHOOK_COMMANDS } from '../../../../src/control/operations/webhook-commands.ts';
import { type AlertOwner, webhooksQuery } from '../../api/alerts.ts';
import { CommandLine } from '../../components/command-line.tsx';
import { commandWords } from '../../components/command-words.ts';
import { QueryTable } from '../../components/list-table.tsx';
import { paths } from '../../paths.ts';
import { statusColumn, timeColumn } from '../../ui/columns.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { Column } from '../../ui/table-types.ts';

const COLUMNS: readonly Column<WebhookJson>[] = [
  { id: 'url', header: 'URL', cell: ({ url }) => <span className="wrap-anywhere">{url}</span>, grow: true },
  {
    id: 'description',
    header: 'Description',
    cell: ({ description }) => description || <span className="text-text-3">none</span>,
    from: 'md',
  },
  statusColumn(({ enabled }) => (enabled ? ['open', 'on'] : ['off', 'off'])),
  timeColumn('created', 'Added', ({ created_at: at }) => at, { align: 'end', daysAlone: true }),
];

/** The endpoints that alerts are sent to. */
export function WebhookList({ owner, action }: { readonly owner: AlertOwner; readonly action: ReactNode }): ReactNode {
  const query = useQuery(webhooksQuery(owner));
  return (
    <>
      <QueryTable
        query={query}
        label="Webhooks"
        columns={COLUMNS}
        rows={query.data?.data}
        href={({ id }) => paths.webhook(owner, id)}
        moveByKeys
        expectedRows={2}
        empty={
          <EmptyState
            cause="No webhook is set up."
            detail="Each alert is sent to an https URL of yours, signed and tried again for a day: to page somebody, or to raise a limit by a program."
            action={action}
          />
        }
      />
      <CommandLine className="mt-6" command={commandWords(WEBHOOK_COMMANDS, 'webhook list', { workspace: owner })} />
    </>
  );
}
