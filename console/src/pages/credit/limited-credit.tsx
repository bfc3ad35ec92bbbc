import { useInfiniteQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { ExpiringGrantJson, RecurringGrantJson } from '../../../../src/control/admin/ledger/grant-contract.ts';
import { CREDIT_COMMANDS } from '../../../../src/control/operations/credit-commands.ts';
import { endRecurringGrant, expiringGrantsQuery, recurringGrantsQuery } from '../../api/credit.ts';
import { commandWords } from '../../components/command-words.ts';
import { ListTable } from '../../components/list-table.tsx';
import { ConfirmAction } from '../../forms/confirm-action.tsx';
import { formatMoney } from '../../format/money.ts';
import { useMe, useMovedAway } from '../../session/access.ts';
import { moneyColumn } from '../../ui/columns.tsx';
import { Section } from '../../ui/section.tsx';
import type { Column } from '../../ui/table-types.ts';
import { Timestamp } from '../../ui/timestamp.tsx';

const EXPIRING: readonly Column<ExpiringGrantJson>[] = [
  { id: 'expires', header: 'Expires', cell: ({ expires_at: at }) => <Timestamp at={at} /> },
  { id: 'reason', header: 'Reason', grow: true, cell: ({ reason }) => reason },
  moneyColumn('granted', 'Granted', ({ amount_nano_usd: amount }) => amount, { from: 'md' }),
  moneyColumn('left', 'Left', ({ left_nano_usd: left }) => left),
];

/** Credit that expires, and credit that comes again each period. Nothing if the workspace has neither. */
export function LimitedCredit({ workspace }: { readonly workspace: string }): ReactNode {
  const expiring = useInfiniteQuery(expiringGrantsQuery(workspace));
  const recurring = useInfiniteQuery(recurringGrantsQuery(workspace));
  const { user } = useMe();
  const canEnd = useMovedAway(workspace) === null && user.is_operator;
  return (
    <>
      {hasRows(expiring.data) && (
        <Section title="Credit that expires" lead="Requests are charged to the credit that expires first.">
          <ListTable list={expiring} label="Credit that expires" columns={EXPIRING} empty={null} />
        </Section>
      )}
      {hasRows(recurring.data) && (
        <Section title="Recurring credit">
          <ListTable
            list={recurring}
            label="Recurring credit"
            columns={[...RECURRING, ...(canEnd ? [endColumn(workspace)] : [])]}
            empty={null}
          />
        </Section>
      )}
    </>
  );
}

function hasRows(data: { readonly pages: readonly { readonly data: readonly unknown[] }[] } | undefined): boolean {
  return (data?.pages[0]?.data.length ?? 0) > 0;
}

/** When the credit of a period expires, in words. */
export function expiryWords({ expires, expires_after_days: days }: RecurringGrantJson): string {
  if (expires === 'after_days') return days === 1 ? 'after a day' : `after ${days} days`;
  return expires === 'never' ? 'never' : 'with its period';
}

const RECURRING: readonly Column<RecurringGrantJson>[] = [
  {
    id: 'amount',
    header: 'Amount',
    cell: ({ amount_nano_usd: amount, period }) => `${formatMoney(amount)} each ${period}`,
  },
  { id: 'expires', header: 'Expires', cell: expiryWords, from: 'md' },
  {
    id: 'next',
    header: 'Next',
    cell: ({ next_at: next, ended_at: ended }) =>
      next === null ? <>Ended {ended !== null && <Timestamp at={ended} />}</> : <Timestamp at={next} />,
  },
  { id: 'reason', header: 'Reason', grow: true, cell: ({ reason }) => reason },
];

function endColumn(workspace: string): Column<RecurringGrantJson> {
  return {
    id: 'end',
    header: '',
    align: 'end',
    cell: (grant) => grant.ended_at === null && <EndRecurring workspace={workspace} grant={grant} />,
  };
}

interface EndRecurringProps {
  readonly workspace: string;
  readonly grant: RecurringGrantJson;
}

function EndRecurring({ workspace, grant }: EndRecurringProps): ReactNode {
  const words = `${formatMoney(grant.amount_nano_usd)} each ${grant.period}`;
  return (
    <ConfirmAction
      kind="quiet"
      label="End"
      aria-label={`End ${words}`}
      title={`End ${words}?`}
      action="End recurring credit"
      command={commandWords(CREDIT_COMMANDS, 'credit recurring end', { workspace, grant: grant.id })}
      send={() => endRecurringGrant(workspace, grant.id)}
      done={() => 'Ended. It gives nothing more.'}
      reload={(queries) => queries.invalidateQueries({ queryKey: ['workspace', workspace] })}
    >
      It gives nothing more. Credit that it gave stays until that expires.
    </ConfirmAction>
  );
}
