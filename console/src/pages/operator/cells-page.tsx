import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { CellsJson, ListedCellJson } from '../../../../src/control/admin/cells/cell-contract.ts';
import { CELL_COMMANDS } from '../../../../src/control/operations/cell-commands.ts';
import { cellsQuery } from '../../api/cells.ts';
import { CommandLine } from '../../components/command-line.tsx';
import { commandWords } from '../../components/command-words.ts';
import { QueryTable } from '../../components/list-table.tsx';
import { Page } from '../../components/page.tsx';
import { CellForm, CellRemove } from '../../forms/cell-forms.tsx';
import { formatNumberOf } from '../../format/count.ts';
import { Button } from '../../ui/button.tsx';
import { actionsColumn, countColumn } from '../../ui/columns.tsx';
import { Section } from '../../ui/section.tsx';
import { type Status, StatusWord } from '../../ui/status-word.tsx';
import type { Column } from '../../ui/table-types.ts';
import { TextLink } from '../../ui/text-link.tsx';
import { FoundInCells } from './found-in-cells.tsx';

const route = getRouteApi('/in/operators/operator/cells');

export function CellsPage(): ReactNode {
  const given = route.useSearch();
  const { add, change, search = '' } = given;
  const navigate = route.useNavigate();
  const query = useQuery(cellsQuery);
  const show = (next: Partial<typeof given>, replace = false): void =>
    void navigate({ search: { ...given, ...next }, replace, resetScroll: false });
  const close = (): void => show({ add: undefined, change: undefined }, true);
  const changed = query.data?.data.find(({ shard }) => shard === change);
  return (
    <Page
      title="Cells"
      answers="Which other cells this one knows, whether they answer, and where a workspace lives."
      actions={
        <Button kind="primary" onClick={() => show({ add: 'true' })}>
          Add cell
        </Button>
      }
    >
      <QueryTable
        query={query}
        label="Cells"
        columns={columnsFor((shard) => show({ change: shard }))}
        rows={query.data && rowsOf(query.data)}
        rowKey={({ shard }) => shard}
        expectedRows={2}
        empty={null}
      />
      <p className="mt-3 text-control text-text-2">
        Workspaces are open ones that live there, recent requests those that providers answered in this hour and the
        last. Each cell has a second to answer.
      </p>
      <CommandLine className="mt-6 mb-8" command={commandWords(CELL_COMMANDS, 'cell list')} />
      <Section title="Find" lead="A workspace by a part of its name, or the one of a request, in all cells.">
        <FoundInCells search={search} onSearch={(text) => show({ search: text === '' ? undefined : text }, true)} />
      </Section>
      {add === 'true' && <CellForm cell={null} onClose={close} />}
      {changed !== undefined && <CellForm key={changed.shard} cell={changed} onClose={close} />}
    </Page>
  );
}

/** A cell of the table; of this one itself, `other` is null. */
type Row = Pick<ListedCellJson, 'shard' | 'figures' | 'problem'> & { readonly other: ListedCellJson | null };

function rowsOf({ own, data }: CellsJson): readonly Row[] {
  return [
    { shard: own.shard, figures: own, problem: null, other: null },
    ...data.map((other) => ({ shard: other.shard, figures: other.figures, problem: other.problem, other })),
  ];
}

function statusOf({ problem, figures }: Row): readonly [Status, string] {
  if (problem !== null) return ['closed', 'does not answer'];
  const differences = figures?.last_proof_differences ?? 0;
  return differences > 0
    ? ['low', `its last proof has ${formatNumberOf(differences, 'difference')}`]
    : ['open', 'answers'];
}

/** A cell's status, with the reason if it does not answer. */
function CellState({ row }: { readonly row: Row }): ReactNode {
  const [status, word] = statusOf(row);
  return (
    <span className="flex w-56 flex-col py-1.5 whitespace-normal max-sm:w-auto max-sm:items-end">
      <StatusWord status={status}>{word}</StatusWord>
      {row.problem !== null && <span className="text-meta wrap-anywhere text-text-2">{row.problem}</span>}
    </span>
  );
}

function columnsFor(onChange: (shard: string) => void): readonly Column<Row>[] {
  return [
    { id: 'shard', header: 'Cell', cell: ({ shard }) => <code className="font-mono">{shard}</code> },
    {
      id: 'address',
      header: 'Address',
      cell: ({ other }) =>
        other === null ? (
          'this cell'
        ) : (
          <TextLink href={other.url} className="block max-w-40 truncate xl:max-w-64">
            {other.url}
          </TextLink>
        ),
    },
    { id: 'state', header: 'Status', cell: (row) => <CellState row={row} /> },
    {
      id: 'version',
      header: 'Version',
      from: 'xl',
      cell: ({ figures }) => <code className="font-mono text-meta">{figures?.version ?? '–'}</code>,
    },
    countColumn('workspaces', 'Workspaces', ({ figures }) => figures?.workspaces ?? null, { from: 'md', none: '–' }),
    countColumn('answers', 'Recent requests', ({ figures }) => figures?.answers ?? null, { from: 'xl', none: '–' }),
    actionsColumn(
      ({ other }) =>
        other !== null && (
          <span className="inline-flex gap-1">
            <Button kind="quiet" aria-label={`Change cell ${other.shard}`} onClick={() => onChange(other.shard)}>
              Change
            </Button>
            <CellRemove cell={other} />
          </span>
        ),
    ),
  ];
}
