import { json, ok } from '../answers.ts';
import { id } from '../contract-fields.ts';
import { done, signedIn } from './identity-contract.ts';
import * as contract from './passkey-contract.ts';

const ANSWER = {
  credential: { id: 'AQID', client_data: 'e30', authenticator_data: 'AQID', signature: 'AQID', user_handle: null },
};

/** Requests and answers of the operations on passkeys. */
export const passkeyWire = {
  beginPasskeySignIn: {
    responses: ok(contract.requestOptions, 'What the browser needs. It sets a cookie for the answer.'),
  },
  finishPasskeySignIn: {
    body: json(contract.passkeyAnswer, ANSWER),
    responses: ok(signedIn, 'The answer sets the session cookie.'),
  },
  listPasskeys: { responses: ok(contract.passkeys, 'The passkeys, oldest first: 20 at most.') },
  beginPasskey: { responses: ok(contract.creationOptions, 'What the browser needs. It sets a cookie for the answer.') },
  addPasskey: {
    body: json(contract.passkeyCreation, {
      name: 'Phone',
      credential: { id: 'AQID', client_data: 'e30', attestation: 'oA', transports: ['internal'] },
    }),
    responses: ok(contract.passkey, 'The passkey. The session has a new cookie.'),
  },
  removePasskey: { params: { id }, responses: ok(done, 'It is done.') },
  beginPasskeyConfirmation: {
    responses: ok(contract.requestOptions, 'What the browser needs. It sets a cookie for the answer.'),
  },
  confirmByPasskey: {
    body: json(contract.passkeyAnswer, ANSWER),
    responses: ok(signedIn, 'The session has a new cookie.'),
  },
};
