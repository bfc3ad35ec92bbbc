import { json, ok } from '../answers.ts';
import * as contract from './move-contract.ts';

const MOVE = '0198c5f4-7a10-7c3e-8f2b-5b1d6c0e9a11';

/** Requests and answers of the operations on moves of workspaces to other cells. */
export const moveWire = {
  moveWorkspace: {
    description:
      'It is copied while it works. Then its requests are refused with 503 for a moment, and it lives there. Begun again for the same cell, the move goes on.',
    body: json(contract.moveStart, { to: '01' }),
    responses: ok(contract.move, 'The move.'),
  },
  showMove: { responses: ok(contract.move, 'The last move of the workspace from this cell.') },
  cancelMove: {
    description: 'Refused once it lives in the other cell.',
    responses: ok(contract.move, 'The move, which goes back.'),
  },
  beginArrival: {
    description: 'For the other cell, whose program calls it. Begun again, what was set apart is to be sent once more.',
    body: json(contract.arrivalStart, {
      move: MOVE,
      shard: '00',
      name: 'Acme',
      digest: '',
      first_receipt: null,
      prices: [],
      models: [],
      people: [],
    }),
    responses: ok(contract.arrivalProblems, 'What is in the way.'),
  },
  receiveRows: {
    description: 'For the other cell. They are set apart until all are there. Rows with the same keys are replaced.',
    body: json(contract.arrivingRows, { move: MOVE, tables: [], keys: [], rows: [] }),
    responses: ok(contract.arrivalDone, 'The workspace.'),
  },
  landRows: {
    description: 'For the other cell. They land as they come, after all that they refer to.',
    body: json(contract.landingRows, { move: MOVE, table: 'receipts', rows: [] }),
    responses: ok(contract.arrivalDone, 'The workspace.'),
  },
  landArrival: {
    description: 'For the other cell, which compares the figures with its own.',
    body: json(contract.arrivalName, { move: MOVE }),
    responses: ok(contract.arrivalFigures, 'What is counted of the rows.'),
  },
  openArrival: {
    description: 'For the other cell, which has let go of the workspace. Refused if the figures are other ones.',
    body: json(contract.arrivalOpening, { move: MOVE, figures: {} }),
    responses: ok(contract.arrivalDone, 'The workspace.'),
  },
  dropArrival: {
    description:
      'For the other cell. What has landed before stays, as what a workspace leaves in a cell that it lived in.',
    body: json(contract.arrivalName, { move: MOVE }),
    responses: ok(contract.arrivalDone, 'The workspace.'),
  },
};
