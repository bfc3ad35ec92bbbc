import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { foundInCellsQuery, type Sought } from '../../api/cells.ts';
import { QueryTable } from '../../components/list-table.tsx';
import { requestIdIn } from '../../components/request-id.ts';
import { paths } from '../../paths.ts';
import { Banner } from '../../ui/banner.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { SearchInput } from '../../ui/search-input.tsx';
import type { Column } from '../../ui/table-types.ts';
import { TextLink } from '../../ui/text-link.tsx';
import { useSettled } from '../../ui/use-settled.ts';

interface FoundInCellsProps {
  readonly search: string;
  readonly onSearch: (text: string) => void;
}

/** Each look asks all cells, so it waits for a pause in typing. */
const PAUSE_MS = 300;

/** Finds workspaces by name or by a request in all cells, and names the cells that are missing. */
export function FoundInCells({ search, onSearch }: FoundInCellsProps): ReactNode {
  const settled = useSettled(search.trim(), PAUSE_MS);
  return (
    <>
      <SearchInput
        label="Find a workspace or request"
        value={search}
        onChange={onSearch}
        className="mb-4 w-80 max-sm:w-full"
      />
      {settled !== '' && <Found text={settled} />}
    </>
  );
}

interface Row {
  readonly id: string;
  readonly name: string;
  /** Null: this one. */
  readonly cell: { readonly shard: string; readonly url: string } | null;
}

function Found({ text }: { readonly text: string }): ReactNode {
  const request = requestIdIn(text);
  const sought: Sought = request === null ? { search: text.slice(0, 100) } : { request_id: request };
  const query = useQuery(foundInCellsQuery(sought));
  const missing = query.data?.others.filter(({ problem }) => problem !== null) ?? [];
  const rows = query.data && [
    ...query.data.here.map((each): Row => ({ ...each, cell: null })),
    ...query.data.others.flatMap(({ workspaces, shard, url }) =>
      workspaces.map((each): Row => ({ ...each, cell: { shard, url } })),
    ),
  ];
  return (
    <>
      {missing.length > 0 && (
        <Banner tone="warn">
          {`Not looked at: ${missing.map(({ shard, problem }) => `cell ${shard} (${problem})`).join(', ')}. What is there is not found.`}
        </Banner>
      )}
      <QueryTable
        query={query}
        label="Found in cells"
        columns={columnsFor(request)}
        rows={rows}
        rowKey={({ cell, id }) => `${cell?.shard ?? ''} ${id}`}
        expectedRows={2}
        empty={
          <EmptyState
            cause={
              request === null
                ? `No workspace of ${whichCells(missing.length)} has "${text}" in its name.`
                : `No workspace of ${whichCells(missing.length)} has this request.`
            }
          />
        }
      />
    </>
  );
}

function whichCells(missing: number): string {
  return missing === 0 ? 'any cell' : 'the other cells';
}

function columnsFor(request: string | null): readonly Column<Row>[] {
  return [
    {
      id: 'name',
      header: 'Workspace',
      cell: ({ id, name, cell }) => {
        const path = request === null ? paths.operatorWorkspace(id) : paths.request(id, request);
        return <TextLink href={(cell?.url ?? '') + path}>{name}</TextLink>;
      },
      grow: true,
    },
    {
      id: 'cell',
      header: 'Cell',
      cell: ({ cell }) => (cell === null ? 'this cell' : <code className="font-mono">{cell.shard}</code>),
    },
  ];
}
