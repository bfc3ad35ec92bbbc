import { ArrowRight } from 'lucide-react';
import type { ReactNode } from 'react';
import type { ReceiptSummaryJson } from '../../../src/control/admin/ledger/ledger-contract.ts';
import { INPUT_CLASSES, OUTPUT_CLASSES, type TokenClass } from '../../../src/domain/usage.ts';
import { formatCount } from '../format/count.ts';
import { moneyColumn, nameColumn, timeColumn } from '../ui/columns.tsx';
import { Duration } from '../ui/duration.tsx';
import type { Column } from '../ui/table-types.ts';
import { OutcomeWord } from './outcome-word.tsx';

const TIME: Column<ReceiptSummaryJson> = timeColumn('time', 'Time', ({ admitted_at: at }) => at);
const OUTCOME: Column<ReceiptSummaryJson> = {
  id: 'outcome',
  header: 'Outcome',
  cell: ({ outcome }) => <OutcomeWord outcome={outcome} />,
};
const MODEL: Column<ReceiptSummaryJson> = { id: 'model', header: 'Model', cell: ({ model }) => model, grow: true };
/** The columns of served requests; fewer while a request is open. Charges are aligned at their decimal points. */
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
    nameColumn('key', 'Key', ({ key_name: name }) => name, { from: 'md' }),
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

/** All tokens that went in, and all that came out. */
function TokenFlow({ tokens }: { readonly tokens: Readonly<Record<string, number>> }): ReactNode {
  const sum = (classes: readonly TokenClass[]): string =>
    formatCount(classes.reduce((total, tokenClass) => total + (tokens[tokenClass] ?? 0), 0));
  return (
    <span className="inline-flex items-center gap-1.5">
      {sum(INPUT_CLASSES)}
      <ArrowRight size={12} strokeWidth={1.5} aria-hidden="true" className="text-text-3" />
      <span className="sr-only">to</span>
      {sum(OUTPUT_CLASSES)}
    </span>
  );
}
