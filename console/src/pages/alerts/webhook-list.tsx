import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { WebhookJson } from '../../../../src/control/admin/alerts/alert-contract.ts';
import { webhooksQuery } from '../../api/alerts.ts';
import { webhookCommand } from '../../components/alert-command.ts';
import { CommandLine } from '../../components/command-line.tsx';
import { problemFrom } from '../../components/problem-panel.tsx';
import { paths } from '../../paths.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { StatusWord } from '../../ui/status-word.tsx';
import { Table } from '../../ui/table.tsx';
import type { Column } from '../../ui/table-types.ts';
import { Timestamp } from '../../ui/timestamp.tsx';
import type { AlertsProps } from './alert-search.ts';

const COLUMNS: readonly Column<WebhookJson>[] = [
  { id: 'url', header: 'URL', cell: ({ url }) => <span className="wrap-anywhere">{url}</span>, grow: true },
  { id: 'description', header: 'Description', cell: ({ description }) => description || <None />, from: 'md' },
  {
    id: 'state',
    header: 'Status',
    cell: ({ enabled }) => <StatusWord status={enabled ? 'open' : 'off'}>{enabled ? 'on' : 'off'}</StatusWord>,
  },
  { id: 'created', header: 'Added', align: 'end', cell: ({ created_at: at }) => <Timestamp at={at} daysAlone /> },
];

function None(): ReactNode {
  return <span className="text-text-3">none</span>;
}

/** The endpoints that alerts are sent to. */
export function WebhookList({ owner, onNavigate, action }: AlertsProps & { readonly action: ReactNode }): ReactNode {
  const { data, error, refetch } = useQuery(webhooksQuery(owner));
  return (
    <>
      <Table
        label="Webhooks"
        columns={COLUMNS}
        rows={data?.data}
        rowKey={({ id }) => id}
        href={({ id }) => paths.webhook(owner, id)}
        onNavigate={onNavigate}
        moveByKeys
        expectedRows={2}
        error={problemFrom(error)}
        onRetry={() => void refetch()}
        empty={
          <EmptyState
            cause="No webhook is set up."
            detail="Each alert is sent to an https URL of yours, signed and tried again for a day: to page somebody, or to raise a limit by a program."
            action={action}
          />
        }
      />
      <div className="mt-6">
        <CommandLine command={webhookCommand.list(owner)} />
      </div>
    </>
  );
}
