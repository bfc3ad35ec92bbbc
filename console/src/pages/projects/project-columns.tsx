import type { ReactNode } from 'react';
import type { ProjectJson } from '../../../../src/control/admin/accounts/account-contract.ts';
import { Count } from '../../ui/count.tsx';
import { Meter } from '../../ui/meter.tsx';
import type { Column } from '../../ui/table-types.ts';
import { Timestamp } from '../../ui/timestamp.tsx';

export const PROJECT_COLUMNS: readonly Column<ProjectJson>[] = [
  { id: 'name', header: 'Name', cell: ({ name }) => name, grow: true },
  { id: 'budget', header: 'Spent of budget', cell: (project) => <Budget project={project} /> },
  { id: 'resets', header: 'Resets', cell: ({ resets_at: at }) => <Timestamp at={at} />, from: 'md' },
  {
    id: 'rpm',
    header: 'Requests / min',
    align: 'end',
    from: 'lg',
    cell: ({ requests_per_minute: count }) => <Count count={count} none="no limit" />,
  },
  {
    id: 'models',
    header: 'Models',
    from: 'lg',
    cell: ({ models }) =>
      models === null ? 'all' : models.length === 1 ? models[0] : `${models[0]} and ${models.length - 1} more`,
  },
];

function Budget({ project }: { readonly project: ProjectJson }): ReactNode {
  const { budget_nano_usd: budget, used_nano_usd: used, held_nano_usd: held, name } = project;
  return <Meter compact label={`Budget of ${name}`} spent={used} held={held} limit={budget} />;
}
