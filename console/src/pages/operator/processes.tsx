import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ProcessesJson } from '../../../../src/control/admin/contract.ts';
import { processesQuery } from '../../api/instance.ts';
import { CommandLine } from '../../components/command-line.tsx';
import { QueryTable } from '../../components/list-table.tsx';
import { statusColumn } from '../../ui/columns.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import type { Status } from '../../ui/status-word.tsx';
import type { Column } from '../../ui/table-types.ts';
import { Timestamp } from '../../ui/timestamp.tsx';
import { commandWords } from '../../components/command-words.ts';
import { INSTANCE_COMMANDS } from '../../../../src/control/operations/instance-commands.ts';

type ServingProcess = ProcessesJson['data'][number];

const STATES: Readonly<Record<ServingProcess['state'], readonly [Status, string]>> = {
  serving: ['open', 'serving'],
  silent: ['low', 'silent'],
  fenced: ['closed', 'declared dead'],
};

const COLUMNS: readonly Column<ServingProcess>[] = [
  { id: 'name', header: 'Process', cell: ({ name }) => name, grow: true },
  statusColumn(({ state }) => STATES[state]),
  { id: 'started', header: 'Started', cell: ({ started_at: at }) => <Timestamp at={at} /> },
  { id: 'heartbeat', header: 'Last heartbeat', from: 'md', cell: ({ heartbeat_at: at }) => <Timestamp at={at} /> },
  {
    id: 'epoch',
    header: 'Epoch',
    from: 'lg',
    align: 'end',
    cell: ({ epoch }) => <code className="font-mono text-meta text-text-2">{epoch}</code>,
  },
];

/** The processes that serve on the database, those of other instances included. */
export function Processes(): ReactNode {
  const query = useQuery(processesQuery);
  return (
    <>
      <QueryTable
        query={query}
        label="Processes"
        columns={COLUMNS}
        rows={query.data?.data}
        rowKey={({ epoch }) => epoch}
        expectedRows={1}
        empty={<EmptyState cause="No process serves." detail="This one answers, so its epoch is about to begin." />}
      />
      <CommandLine className="mt-4" command={commandWords(INSTANCE_COMMANDS, 'processes')} />
    </>
  );
}
