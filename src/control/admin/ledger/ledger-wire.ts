import { created, createdOrRepeated, json, ok } from '../answers.ts';
import * as contract from './ledger-contract.ts';
import { pageOf, pageQuery } from '../pages.ts';

/** Requests and answers of the operations on postings, receipts and proofs. */
export const ledgerWire = {
  postCredit: {
    body: json(contract.postingCreation, { kind: 'grant', amount_usd: '5.00', reason: 'welcome' }),
    responses: createdOrRepeated(contract.posted, 'The posting, and the balance after it.'),
  },
  listPostings: {
    query: pageQuery,
    responses: ok(pageOf(contract.posting), 'Postings, newest first, with the balance after each.'),
  },
  showReceipt: { responses: ok(contract.receipt, 'The receipt.') },
  showLastReceipt: { responses: ok(contract.receipt, 'The receipt.') },
  correctReceipt: {
    body: json(contract.correctionCreation, { charge_usd: '0.00', reason: 'the answer was empty' }),
    responses: created(contract.correction, 'The posting, and the unchanged receipt.'),
  },
  verifyLedger: { responses: ok(contract.ledgerReport, 'The totals, and the differences if there are any.') },
  sealReceipts: {
    body: json(contract.sealCreation, { before: '2026-01-01' }),
    responses: ok(contract.sealing, 'The partitions that were sealed and dropped.'),
  },
};
