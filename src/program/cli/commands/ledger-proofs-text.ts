import type { AdminClient } from '../../../control/admin/client.ts';
import { columnsText } from '../columns.ts';

type Proofs = Awaited<ReturnType<AdminClient['listProofs']>>;

/** The last proofs of the ledger, and how far the one has come that is being made. */
export function proofsText({ running, data }: Proofs): string {
  const progress =
    running === null
      ? ''
      : `A proof is being made since ${running.started_at}: ${running.receipts} of about ${running.receipts_expected} receipts.\n`;
  return (
    progress +
    columnsText(data, 'No proof was made yet.', [
      ['STARTED', 'started_at'],
      ['FINISHED', 'finished_at'],
      ['BY', ({ nightly }) => (nightly ? 'night' : 'request')],
      ['DIFFERENCES', 'difference_count', 'right'],
    ])
  );
}
