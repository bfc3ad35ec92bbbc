import { ok, records } from '../answers.ts';
import * as contract from './statement-contract.ts';

/** Requests and answers of the operations on statements. */
export const statementWire = {
  showStatement: {
    query: contract.statementQuery,
    responses: ok(contract.statement, 'The lines of the month, the newest first.'),
  },
  exportStatement: {
    query: contract.statementExportQuery,
    responses: records('CSV with a header line, the oldest line of the month first.'),
  },
};
