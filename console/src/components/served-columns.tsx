import type { ReceiptSummaryJson } from '../../../src/control/admin/ledger/ledger-contract.ts';
import { moneyColumn, timeColumn } from '../ui/columns.tsx';
import { Duration } from '../ui/duration.tsx';
import type { Column } from '../ui/table-types.ts';
import { OutcomeWord } from './outcome-word.tsx';
import { TokenFlow } from './token-flow.tsx';

const TIME: Column<ReceiptSummaryJson> = timeColumn('time', 'Time', ({ admitted_at: at }) => at);
const OUTCOME: Column<ReceiptSummaryJson> = {
  id: 'outcome',
  header: 'Outcome',
  cell: ({ outcome }) => <OutcomeWord outcome={outcome} />,
};
const MODEL: Column<ReceiptSummaryJson> = { id: 'model', header: 'Model', cell: ({ model }) => model, grow: true };
/** The columns of served requests; fewer beside an open one. The points of their charges stand below each other. */
export function servedColumns(
  rows: readonly ReceiptSummaryJson[],
  isBeside: boolean,
): readonly Column<ReceiptSummaryJson>[] {
  const charge = moneyColumn<ReceiptSummaryJson>('charge', 'Charge', ({ net_charge_nano_usd: amount }) => amount, {
    rows,
  });
  if (isBeside) return [TIME, OUTCOME, { ...MODEL, from: 'xl' }, charge];
  return [
    TIME,
    OUTCOME,
    MODEL,
    {
      id: 'key',
      header: 'Key',
      cell: ({ key_name: name }) => <span className="block max-w-40 truncate xl:max-w-64">{name}</span>,
      from: 'md',
    },
    {
      id: 'tokens',
      header: 'Tokens in, out',
      align: 'end',
      cell: ({ usage }) => <TokenFlow tokens={usage.tokens} />,
      from: 'xl',
    },
    charge,
    {
      id: 'duration',
      header: 'Duration',
      align: 'end',
      cell: ({ duration_ms: ms }) => <Duration ms={ms} />,
      from: 'md',
    },
  ];
}
