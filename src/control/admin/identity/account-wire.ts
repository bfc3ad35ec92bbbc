import { json, ok } from '../answers.ts';
import * as contract from './identity-contract.ts';

const done = ok(contract.done, 'It is done.');

/** Requests and answers of the operations on a user's own account. */
export const accountWire = {
  getMe: { responses: ok(contract.me, 'The user.') },
  renameMe: {
    body: json(contract.userRename, { name: 'Ada Lovelace' }),
    responses: ok(contract.user, 'The changed user.'),
  },
  acceptInvitation: {
    body: json(contract.linkOnly, { token: contract.LINK_EXAMPLE }),
    responses: ok(contract.signedIn, 'The answer sets a new session cookie.'),
  },
  leaveWorkspace: { responses: done },
};
