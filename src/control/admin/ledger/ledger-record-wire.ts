import { ok } from '../answers.ts';
import * as contract from './ledger-record-contract.ts';
import { pageOf, pageQuery } from '../pages.ts';

/** Requests and answers of the operations on what is on record of the whole ledger. */
export const ledgerRecordWire = {
  listProofs: { query: contract.proofQuery, responses: ok(contract.proofs, 'Proofs, newest first.') },
  listSeals: { query: pageQuery, responses: ok(pageOf(contract.seal), 'Seals, that of the newest receipts first.') },
  listCorrections: {
    query: pageQuery,
    responses: ok(pageOf(contract.correctionPosting), 'Corrections, newest first.'),
  },
};
