import { amountFields } from '../../../domain/money.ts';
import type { CsvColumn } from '../../ledger/csv.ts';
import type { Statement, StatementLine } from '../../usage/statement.ts';
import { pageJson } from '../pages.ts';
import { recordJson } from '../record-json.ts';
import { type StatementJson, statementLine, type StatementLineJson } from './statement-contract.ts';

// The JSON and the columns of statements.

export function statementJson({ number, startsAt, opening, closing, lines }: Statement): StatementJson {
  return {
    ...pageJson(lines, lineJson),
    number,
    month: startsAt.toISOString().slice(0, 7),
    ...amountFields('opening', opening),
    ...amountFields('closing', closing),
  };
}

function lineJson(line: StatementLine): StatementLineJson {
  return recordJson(statementLine, { ...line, requests: line.requests === null ? null : Number(line.requests) });
}

/** The columns of an exported statement. */
export const STATEMENT_COLUMNS: readonly CsvColumn<StatementLine>[] = [
  { name: 'starts_at', read: ({ startsAt }) => startsAt },
  { name: 'kind', read: ({ kind }) => kind },
  { name: 'amount', isAmount: true, read: ({ amount }) => amount },
  { name: 'balance', isAmount: true, read: ({ balance }) => balance },
  { name: 'requests', read: ({ requests }) => (requests === null ? null : Number(requests)) },
  { name: 'actor', read: ({ actor }) => actor },
  { name: 'reason', read: ({ reason }) => reason },
  { name: 'receipt_request_id', read: ({ receiptRequestId }) => receiptRequestId },
  { name: 'top_up_id', read: ({ topUpId }) => topUpId },
  { name: 'id', read: ({ id }) => id },
  { name: 'expires_at', read: ({ expiresAt }) => expiresAt },
];
