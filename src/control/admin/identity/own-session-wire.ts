import { json, ok } from '../answers.ts';
import * as contract from './identity-contract.ts';
import { pageOf, pageQuery } from '../pages.ts';

const done = ok(contract.done, 'It is done.');

/** Requests and answers of the operations on a user's own sessions. */
export const ownSessionWire = {
  signOut: { responses: done },
  confirmSession: {
    body: json(contract.confirmation, { password: 'an old friend of the lamp' }),
    responses: ok(contract.signedIn, 'The answer sets a new session cookie.'),
  },
  proveSecondFactor: {
    body: json(contract.codeOnly, { code: '123456' }),
    responses: ok(contract.signedIn, 'The answer sets a new session cookie.'),
  },
  listSessions: {
    query: pageQuery,
    responses: ok(pageOf(contract.session), 'The sessions that are open, oldest first.'),
  },
  endSession: { responses: done },
  endOtherSessions: { responses: ok(contract.ended, 'How many ended.') },
};
