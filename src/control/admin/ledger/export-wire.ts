import { z } from '@hono/zod-openapi';
import { records } from '../answers.ts';
import * as contract from './ledger-contract.ts';

/** Requests and answers of the operations on the export of records. */
export const exportWire = {
  exportRecords: {
    params: {
      workspace: z.string().openapi({ description: 'Id or name.' }),
      what: z.enum(['receipts', 'entries'], { error: 'must be receipts or entries' }),
    },
    query: contract.exportQuery,
    responses: records('CSV with a header line, or one JSON object per line.'),
  },
};
