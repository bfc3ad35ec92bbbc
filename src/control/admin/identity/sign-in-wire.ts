import { json, ok } from '../answers.ts';
import * as contract from './identity-contract.ts';

const signedIn = ok(contract.signedIn, 'The answer sets the session cookie.');

/** Requests and answers of the operations on sign-in. */
export const signInWire = {
  getSignInOptions: { responses: ok(contract.signInOptions, 'The ways in.') },
  showSession: { responses: ok(contract.currentSession, 'The user; null if nobody is signed in.') },
  setUp: {
    body: json(contract.setUp, {
      token: contract.LINK_EXAMPLE,
      email: 'ada@example.com',
      name: 'Ada Lovelace',
      password: 'an old friend of the lamp',
    }),
    responses: signedIn,
  },
  signIn: {
    body: json(contract.signIn, { email: 'ada@example.com', password: 'an old friend of the lamp' }),
    responses: signedIn,
  },
  requestPasswordReset: {
    body: json(contract.mailRequest, { email: 'ada@example.com' }),
    responses: ok(contract.accepted, 'The same whether the address has an account or not.'),
  },
  resetPassword: {
    body: json(contract.passwordReset, { token: contract.LINK_EXAMPLE, password: 'an old friend of the lamp' }),
    responses: signedIn,
  },
  requestSignUp: {
    body: json(contract.mailRequest, { email: 'ada@example.com' }),
    responses: ok(contract.accepted, 'The same whether the address has an account or not.'),
  },
  signUp: {
    body: json(contract.signUp, {
      token: contract.LINK_EXAMPLE,
      name: 'Ada Lovelace',
      password: 'an old friend of the lamp',
      workspace: 'Acme',
    }),
    responses: signedIn,
  },
  showInvitation: {
    body: json(contract.linkOnly, { token: contract.LINK_EXAMPLE }),
    responses: ok(contract.invitationOffer, 'The invitation.'),
  },
  acceptInvitationAsNewUser: {
    body: json(contract.acceptance.required(), {
      token: contract.LINK_EXAMPLE,
      name: 'Ada Lovelace',
      password: 'an old friend of the lamp',
    }),
    responses: signedIn,
  },
};
