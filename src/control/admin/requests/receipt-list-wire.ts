import { ok } from '../answers.ts';
import * as contract from '../ledger/ledger-contract.ts';

/** Requests and answers of the operations on the search over receipts. */
export const receiptListWire = {
  listReceipts: {
    query: contract.receiptQuery,
    responses: ok(contract.receiptList, 'Receipts, newest first, and how far the search has come.'),
  },
};
