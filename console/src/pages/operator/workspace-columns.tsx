import type { WorkspaceJson } from '../../../../src/control/admin/accounts/account-contract.ts';
import { WorkspaceStatus } from '../../components/workspace-status.tsx';
import { decimalsOf } from '../../format/money.ts';
import { Money } from '../../ui/money.tsx';
import type { Column } from '../../ui/table-types.ts';
import { Timestamp } from '../../ui/timestamp.tsx';
import { marginColumns, type MarginSums } from './margin.tsx';

/** The sums of workspaces by their ids; undefined while they load, null if they could not be read. */
export type WorkspaceMargins = (workspace: string) => MarginSums | null | undefined;

/** The columns of lists of workspaces; the points of amounts stand below each other. */
export function workspaceColumns(
  workspaces: readonly WorkspaceJson[],
  margins: WorkspaceMargins,
): readonly Column<WorkspaceJson>[] {
  const balances = decimalsOf(workspaces.map(({ balance_nano_usd: balance }) => balance));
  const holds = decimalsOf(workspaces.map(({ held_nano_usd: held }) => held));
  const debts = decimalsOf(workspaces.map(({ owed_nano_usd: owed }) => owed));
  return [
    { id: 'name', header: 'Name', sort: 'name', cell: ({ name }) => name, grow: true },
    { id: 'state', header: 'Status', cell: ({ state }) => <WorkspaceStatus state={state} /> },
    {
      id: 'balance',
      header: 'Balance',
      sort: 'balance',
      align: 'end',
      cell: ({ balance_nano_usd: balance }) => <Money amount={balance} decimals={balances} />,
    },
    {
      id: 'held',
      header: 'Held',
      align: 'end',
      from: 'xl',
      cell: ({ held_nano_usd: held }) => <Money amount={held} decimals={holds} />,
    },
    {
      id: 'owed',
      header: 'Owed',
      align: 'end',
      from: 'xl',
      cell: ({ owed_nano_usd: owed }) => <Money amount={owed} decimals={debts} />,
    },
    // The cost is what revenue and margin differ by, where there is no room for all three.
    ...marginColumns(workspaces, ({ id }) => margins(id)).map((column): Column<WorkspaceJson> =>
      column.id === 'cost' ? { ...column, from: 'xl' } : column,
    ),
    {
      id: 'created',
      header: 'Created',
      sort: 'created',
      from: 'xl',
      cell: ({ created_at: at }) => <Timestamp at={at} daysAlone />,
    },
  ];
}
