import { isIP } from 'node:net';
import * as z from 'zod';
import { isNetwork } from '../lib/network-range.ts';
import { baseUrl, plainText, section, yesOrNo } from './file-fields.ts';

// How people sign in.

const NETWORK_RIGHT = 'write an address or a network, such as "10.0.0.7" or "10.0.0.0/8"';

/** A list of networks, or addresses, by `isNetworkOrAddress`. */
export function networks(isNetworkOrAddress: (text: string) => boolean) {
  return z
    .array(plainText(NETWORK_RIGHT).refine(isNetworkOrAddress, { error: NETWORK_RIGHT }), { error: NETWORK_RIGHT })
    .max(100, { error: 'write 100 networks at most' });
}

const oidc = section(
  {
    issuer: baseUrl().describe("The OpenID provider's issuer; its metadata is below it."),
    client_id: plainText('write the client id that the provider knows this instance by', 255).describe(
      'The id of this instance at the provider.',
    ),
    client_secret: plainText('write the client secret, best as "${OIDC_CLIENT_SECRET}"')
      .optional()
      .describe('Its secret there. Left out: it has none.'),
    name: plainText('write the name that people know the provider by', 100)
      .prefault('single sign-on')
      .describe('How the sign-in page names the provider.'),
  },
  'write a mapping with issuer and client_id',
);

export const identity = section(
  {
    sign_up: yesOrNo().prefault(false).describe('Whether people may make accounts of their own.'),
    operator_networks: networks((text) => isIP(text) !== 0 || isNetwork(text))
      .optional()
      .describe('The networks from which operators and their tokens are accepted. Left out: any.'),
    oidc: oidc.optional().describe('A provider of OpenID Connect to sign in at. Left out: by password only.'),
  },
  'write a mapping such as { sign_up: false }',
);
