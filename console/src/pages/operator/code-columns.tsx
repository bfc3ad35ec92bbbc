import type { ReactNode } from 'react';
import type { CodeBatchJson, RedemptionCodeJson } from '../../../../src/control/admin/payments/payment-contract.ts';
import { formatCount } from '../../format/count.ts';
import { paths } from '../../paths.ts';
import { moneyColumn } from '../../ui/columns.tsx';
import { Cut } from '../../ui/cut.tsx';
import { StatusWord } from '../../ui/status-word.tsx';
import type { Column } from '../../ui/table-types.ts';
import { TextLink } from '../../ui/text-link.tsx';
import { Timestamp } from '../../ui/timestamp.tsx';

/** The columns of batches of codes. */
export function batchColumns(batches: readonly CodeBatchJson[]): readonly Column<CodeBatchJson>[] {
  return [
    { id: 'reason', header: 'For', cell: ({ reason }) => reason, grow: true },
    { id: 'state', header: 'Status', cell: (batch) => <BatchState batch={batch} /> },
    moneyColumn('amount', 'Each', ({ amount_nano_usd: amount }) => amount, { rows: batches }),
    {
      id: 'redeemed',
      header: 'Redeemed',
      align: 'end',
      cell: ({ redeemed, count }) => `${formatCount(redeemed)} of ${formatCount(count)}`,
    },
    { id: 'credit', header: 'Credit is', from: 'lg', cell: ({ sold }) => (sold ? 'sold' : 'granted') },
    { id: 'expires', header: 'Void from', cell: ({ expires_at: at }) => <Timestamp at={at} daysAlone /> },
    { id: 'created', header: 'Created', from: 'lg', cell: ({ created_at: at }) => <Timestamp at={at} daysAlone /> },
    { id: 'actor', header: 'By', from: 'xl', cell: ({ actor }) => <Cut>{actor}</Cut> },
  ];
}

const STATES = {
  open: { status: 'open', word: 'open' },
  used_up: { status: 'off', word: 'used up' },
  over: { status: 'off', word: 'over' },
} as const;

/** Whether codes of a batch can be redeemed. */
export function BatchState({ batch: { state } }: { readonly batch: CodeBatchJson }): ReactNode {
  return <StatusWord status={STATES[state].status}>{STATES[state].word}</StatusWord>;
}

/** The columns of the codes of one batch. */
export const CODE_COLUMNS: readonly Column<RedemptionCodeJson>[] = [
  {
    id: 'code',
    header: 'Code',
    cell: ({ last_four: last }) => <code className="font-mono text-meta">{`…${last}`}</code>,
  },
  {
    id: 'workspace',
    header: 'Redeemed for',
    grow: true,
    cell: ({ workspace_id: id, workspace_name: name }) =>
      id === null ? (
        <span className="text-text-3">nobody yet</span>
      ) : (
        <TextLink href={paths.credit(id)}>{name}</TextLink>
      ),
  },
  { id: 'by', header: 'By', cell: ({ redeemed_by: by }) => by && <Cut>{by}</Cut> },
  { id: 'at', header: 'When', cell: ({ redeemed_at: at }) => at && <Timestamp at={at} daysAlone /> },
];
