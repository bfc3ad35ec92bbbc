import type { RefusalJson } from '../../../../src/control/admin/requests/refusal-contract.ts';
import { StatusWord } from '../../ui/status-word.tsx';
import type { Column } from '../../ui/table-types.ts';
import { Timestamp } from '../../ui/timestamp.tsx';
import { REFUSAL_WORDS } from './refusal-words.ts';

/** The columns of refused requests; fewer beside an open one. */
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
    {
      id: 'key',
      header: 'Key',
      cell: ({ key_name: name }) => <span className="block max-w-40 truncate xl:max-w-64">{name}</span>,
      from: 'md',
    },
    {
      id: 'project',
      header: 'Project',
      cell: ({ project_name: name }) => <span className="block max-w-40 truncate xl:max-w-64">{name}</span>,
      from: 'lg',
    },
  ];
}
