import { json, ok } from '../answers.ts';
import { ledgerReport } from '../ledger/ledger-contract.ts';
import * as contract from './cell-contract.ts';

/** Requests and answers of the operations on other cells. */
export const cellWire = {
  listCells: {
    description: 'Each cell has a second to answer. One that does not is listed with the reason.',
    responses: ok(contract.cells, 'The other cells, in the order of their shards.'),
  },
  showCell: { responses: ok(contract.cellFigures, 'The figures.') },
  searchCells: {
    query: contract.cellSearch,
    description: 'Each cell has a second to answer. One that does not is listed with the reason.',
    responses: ok(contract.cellsFound, 'What was found in each cell, in the order of their shards.'),
  },
  verifyCell: {
    params: { shard: contract.shardParam },
    description: 'Takes as long as a proof of that cell. Its token must be one that may do more than read.',
    responses: ok(ledgerReport, 'The report of that cell.'),
  },
  storeCell: {
    params: { shard: contract.shardParam },
    description:
      'The cell is asked first: it must answer to this token, and have this shard. An expected version of 0 is that of a cell that is not there yet.',
    body: json(contract.cellStoring, { url: 'https://one.gateway.example', token: 'fg_op_1234' }),
    responses: ok(contract.cell, 'The cell.'),
  },
  deleteCell: {
    params: { shard: contract.shardParam },
    description: 'Refused while a workspace of this cell lives there, or one of that cell lives here.',
    responses: ok(contract.cell, 'The cell that was forgotten.'),
  },
};
