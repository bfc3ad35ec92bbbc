import { amountFields } from '../../../domain/money.ts';
import type { CsvColumn } from '../../ledger/csv.ts';
import type { Statement, StatementLine } from '../../usage/statement.ts';
import { pageJson } from '../pages.ts';
import { type Parties, type Party, partyLine } from './statement-parties.ts';
import { recordJson } from '../record-json.ts';
import { type PartyJson, type StatementJson, statementLine, type StatementLineJson } from './statement-contract.ts';

// The JSON and the columns of statements.

/** A month, and between whom it is. */
export interface AddressedStatement extends Parties {
  readonly statement: Statement;
}

export function statementJson({ statement, seller, buyer }: AddressedStatement): StatementJson {
  const { number, startsAt, opening, closing, lines } = statement;
  return {
    ...pageJson(lines, lineJson),
    number,
    month: startsAt.toISOString().slice(0, 7),
    seller: seller === null ? null : partyJson(seller),
    buyer: partyJson(buyer),
    ...amountFields('opening', opening),
    ...amountFields('closing', closing),
  };
}

function partyJson({ name, address, taxId }: Party): PartyJson {
  return { name, address, tax_id: taxId };
}

function lineJson(line: StatementLine): StatementLineJson {
  return recordJson(statementLine, { ...line, requests: line.requests === null ? null : Number(line.requests) });
}

/** The columns of an exported statement with this number, between these parties. */
export function statementColumns(number: string, { seller, buyer }: Parties): readonly CsvColumn<StatementLine>[] {
  return [
    ...LINE_COLUMNS,
    { name: 'statement', read: () => number },
    { name: 'seller', read: () => (seller === null ? null : partyLine(seller)) },
    { name: 'buyer', read: () => partyLine(buyer) },
  ];
}

const LINE_COLUMNS: readonly CsvColumn<StatementLine>[] = [
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
  { name: 'tax', isAmount: true, read: ({ tax }) => tax },
];
