import { ok, records } from '../answers.ts';
import * as contract from './usage-contract.ts';

/** Requests and answers of the operations on usage. */
export const usageWire = {
  showUsage: {
    query: contract.usageQuery,
    responses: ok(contract.usage, 'Sums that equal the receipts, of all and of the groups that were charged most.'),
  },
  showUsageOfAll: {
    query: contract.operatorUsageQuery,
    responses: ok(contract.usage, 'Sums that equal the receipts, of all and of the groups that were charged most.'),
  },
  exportUsage: {
    query: contract.usageExportQuery,
    responses: records('CSV with a header line, or one JSON object per line: one for each group in each bucket.'),
  },
  rebuildUsage: { responses: ok(contract.recounted, 'All receipts are counted. Until then usage is not answered.') },
};
