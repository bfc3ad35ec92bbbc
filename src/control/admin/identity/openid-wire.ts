import { z } from '@hono/zod-openapi';
import { SIGN_IN_FAILURE_NAMES } from '../../../domain/sign-in-failures.ts';
import { redirect } from '../answers.ts';

/** Requests and answers of the operations on sign-in at an OpenID provider. */
export const openidWire = {
  beginOpenIdSignIn: {
    query: z.strictObject({
      purpose: z.enum(['sign_in', 'confirm', 'link']).optional().openapi({
        description:
          'To sign in (the default), to prove again who the signed-in user is, or to add the account there to theirs.',
      }),
    }),
    responses: redirect('The provider.'),
  },
  finishOpenIdSignIn: {
    responses: redirect(
      `The console; "sign_in_error" in its query names what went wrong: ${SIGN_IN_FAILURE_NAMES.join(', ')}.`,
    ),
  },
};
