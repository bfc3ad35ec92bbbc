import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { WorkspaceJson } from '../../../../src/control/admin/accounts/account-contract.ts';
import { statementFile, statementQuery } from '../../api/credit.ts';
import { CommandLine } from '../../components/command-line.tsx';
import { ListTable, rowsOf } from '../../components/list-table.tsx';
import { addMonths, formatMonth, monthOf } from '../../format/day.ts';
import { paths } from '../../paths.ts';
import { useUnavailable } from '../../session/access.ts';
import { ActionLink } from '../../ui/action-link.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Money } from '../../ui/money.tsx';
import { Pager } from '../../ui/pager.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { lineHref, statementColumns } from './statement-lines.tsx';
import { commandWords } from '../../components/command-words.ts';
import { CREDIT_COMMANDS } from '../../../../src/control/operations/credit-commands.ts';

const route = getRouteApi('/in/workspaces/$workspace/credit');

/** A month of the credit, line by line. */
export function Statement({ workspace }: { readonly workspace: WorkspaceJson }): ReactNode {
  const { month } = route.useSearch();
  const navigate = route.useNavigate();
  const { id } = workspace;
  const statement = useInfiniteQuery(statementQuery(id, month ?? null));
  const lines = rowsOf(statement);
  const [latest] = statement.data?.pages ?? [];
  const [present] = useState(() => monthOf(new Date()));
  const shown = month ?? present;
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <p className="min-w-0 text-control text-text-2">
          {formatMonth(shown)}
          {latest === undefined ? (
            <Skeleton className="ml-2 w-48" />
          ) : (
            <>
              {' '}
              began with <Money amount={latest.opening_nano_usd} /> and {shown === present ? 'stands at' : 'ended with'}{' '}
              <Money amount={latest.closing_nano_usd} />
            </>
          )}
        </p>
        <span className="flex flex-wrap gap-2">
          <ActionLink href={paths.statement(id, { month: shown })}>Print statement</ActionLink>
          <Download workspace={workspace} month={shown} />
        </span>
      </div>
      <ListTable
        list={statement}
        label={`Statement of ${formatMonth(shown)}`}
        columns={statementColumns(lines ?? [])}
        href={(line) => lineHref(id, line, month)}
        moveByKeys
        empty={
          <EmptyState
            cause={`Nothing was added or spent in ${formatMonth(shown)}.`}
            detail="Credit that is added, and what the requests of each day cost, stands here."
          />
        }
      />
      <MonthPager
        shown={shown}
        first={workspace.created_at.slice(0, 7)}
        present={present}
        onChoose={(next) =>
          void navigate({ search: (former) => ({ ...former, month: next === present ? undefined : next }) })
        }
      />
      <CommandLine className="mt-6" command={commandWords(CREDIT_COMMANDS, 'credit history', { workspace: id })} />
    </>
  );
}

interface MonthPagerProps {
  readonly shown: string;
  /** The workspace's first month. */
  readonly first: string;
  readonly present: string;
  readonly onChoose: (month: string) => void;
}

/** Moves by months, if there is another one. */
function MonthPager({ shown, first, present, onChoose }: MonthPagerProps): ReactNode {
  const note = "Days are days of UTC. A day's usage stands after its postings.";
  const newer = shown >= present ? null : addMonths(shown, 1);
  const older = shown <= first ? null : addMonths(shown, -1);
  if (newer === null && older === null) return <p className="pt-3 text-meta text-text-3">{note}</p>;
  return (
    <Pager
      shown={note}
      onNewer={newer === null ? null : () => onChoose(newer)}
      onOlder={older === null ? null : () => onChoose(older)}
      newerLabel={newer === null ? 'Newer' : formatMonth(newer)}
      olderLabel={older === null ? 'Older' : formatMonth(older)}
    />
  );
}

interface DownloadProps {
  readonly workspace: WorkspaceJson;
  readonly month: string;
}

function Download({ workspace: { id, name }, month }: DownloadProps): ReactNode {
  const unavailable = useUnavailable(id, 'exports:read', 'download statements');
  return (
    <ActionLink href={statementFile(id, month)} download={`${name} ${month}.csv`} unavailable={unavailable}>
      Download CSV
    </ActionLink>
  );
}
