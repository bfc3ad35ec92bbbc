import { created, json, ok } from '../answers.ts';
import * as contract from './identity-contract.ts';

/** Requests and answers of the operations on a user's password and authenticator. */
export const ownFactorWire = {
  setMyPassword: {
    body: json(contract.newPasswordOnly, { password: 'an old friend of the lamp' }),
    responses: ok(contract.signedIn, 'The answer sets a new session cookie.'),
  },
  addAuthenticator: { responses: created(contract.authenticator, 'It counts once a code of it is confirmed.') },
  confirmAuthenticator: {
    body: json(contract.codeOnly, { code: '123456' }),
    responses: ok(contract.recoveryCodes, 'The recovery codes, which are shown once. The session has a new cookie.'),
  },
  removeAuthenticator: { responses: ok(contract.done, 'It is done. The session has a new cookie.') },
  replaceRecoveryCodes: { responses: created(contract.recoveryCodes, 'The new codes, which are shown once.') },
};
