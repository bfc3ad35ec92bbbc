import * as z from 'zod';
import { plainText, section, wholeNumber, yesOrNo } from '../file-fields.ts';
import { proxyUrl } from '../proxy-url.ts';

// Keys that providers of several kinds have.

export const PATH_RIGHT = 'write the path of a file';

export const KEY_KEYS = {
  api_key: plainText('write the key, best as "${VAR}"').optional().describe('The key, best as "${VAR}".'),
  api_key_file: plainText(PATH_RIGHT).optional().describe('A file that holds the key.'),
};

export const LIMIT_KEYS = {
  concurrency_max: wholeNumber(1, 1_000_000)
    .optional()
    .describe('Attempts of one process that may run there at the same time. Left out: no limit.'),
  drain: yesOrNo()
    .prefault(false)
    .describe('Whether a stream that its caller has left is read on for its usage until the deadline of the request.'),
};

const ACCEPTED_RIGHT = 'write the names of fields, such as [new_field]';

/** For kinds whose providers are sent bodies as they are. */
export const ACCEPT_KEYS = {
  accept_fields: z
    .array(z.string({ error: ACCEPTED_RIGHT }).regex(/^[\w.=-]{1,128}$/, { error: ACCEPTED_RIGHT }), {
      error: ACCEPTED_RIGHT,
    })
    .max(64, { error: 'write 64 names at most' })
    .prefault([])
    .describe(
      'Fields of requests, and betas of anthropic-beta, that are not known here and may be sent there all the same.',
    ),
};

/** How a provider is reached. */
export const CONNECTION_KEYS = {
  proxy: proxyUrl()
    .optional()
    .describe('An HTTP proxy on the way there, or none. Default: as HTTPS_PROXY, HTTP_PROXY and NO_PROXY say.'),
  tls: section(
    {
      ca: plainText(PATH_RIGHT)
        .optional()
        .describe('A PEM file of the certificates that vouch for the server, instead of the usual ones.'),
      cert: plainText(PATH_RIGHT).optional().describe('A PEM file of a client certificate.'),
      key: plainText(PATH_RIGHT).optional().describe('A PEM file of its private key, without a passphrase.'),
    },
    'write a mapping such as { ca: /etc/ssl/company-ca.pem }',
  ).prefault({}),
};

const CAP_FIELDS = ['max_tokens', 'max_completion_tokens'] as const;

/** The name of a field of requests that caps the output. */
export function capFieldName() {
  return z.enum(CAP_FIELDS, { error: `write ${CAP_FIELDS.join(' or ')}` });
}
