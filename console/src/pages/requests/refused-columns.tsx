import type { RefusalJson } from '../../../../src/control/admin/requests/refusal-contract.ts';
import { nameColumn } from '../../ui/columns.tsx';
import { StatusWord } from '../../ui/status-word.tsx';
import type { Column } from '../../ui/table-types.ts';
import { Timestamp } from '../../ui/timestamp.tsx';
import { REFUSAL_WORDS } from './refusal-words.ts';

/** The columns of refused requests; fewer while a request is open. */
export function refusedColumns(isBeside: boolean): readonly Column<RefusalJson>[] {
  const time: Column<RefusalJson> = { id: 'time', header: 'Time', cell: ({ refused_at: at }) => <Timestamp at={at} /> };
  const reason: Column<RefusalJson> = {
    id: 'reason',
    header: 'Reason',
    cell: ({ code, status }) => <StatusWord status="closed">{`${status} ${REFUSAL_WORDS[code].short}`}</StatusWord>,
  };
  const model: Column<RefusalJson> = {
    id: 'model',
    header: 'Model',
    cell: ({ model: name }) => name ?? <span className="text-text-3">none named</span>,
    grow: true,
  };
  if (isBeside) return [time, reason, { ...model, from: 'xl' }];
  return [
    time,
    reason,
    model,
    nameColumn('key', 'Key', ({ key_name: name }) => name, { from: 'md' }),
    nameColumn('project', 'Project', ({ project_name: name }) => name, { from: 'lg' }),
  ];
}
