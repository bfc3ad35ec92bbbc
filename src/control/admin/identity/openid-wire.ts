import { z } from '@hono/zod-openapi';
import { SIGN_IN_FAILURE_NAMES } from '../../../domain/sign-in-failures.ts';
import { json, ok, redirect } from '../answers.ts';
import * as contract from './identity-contract.ts';

/** Requests and answers of the operations on sign-in at an OpenID provider. */
export const openidWire = {
  findOwnProvider: {
    body: json(contract.mailRequest, { email: 'ada@example.com' }),
    responses: ok(contract.ownProvider, 'The workspace, by the domain of the address; it need not be of an account.'),
  },
  beginOpenIdSignIn: {
    query: z.strictObject({
      purpose: z.enum(['sign_in', 'confirm', 'link']).optional().openapi({
        description:
          'To sign in (the default), to prove again who the signed-in user is, or to add the account there to theirs.',
      }),
      workspace: z.uuid().optional().openapi({
        description: "The workspace at whose own provider to sign in; left out: at the instance's.",
      }),
    }),
    responses: redirect('The provider.'),
  },
  finishOpenIdSignIn: {
    responses: redirect(
      `The console; "sign_in_error" in its query names what went wrong: ${SIGN_IN_FAILURE_NAMES.join(', ')}.`,
    ),
  },
  finishSignInAtWorkspace: { responses: redirect('The console, as from the provider of the instance.') },
};
