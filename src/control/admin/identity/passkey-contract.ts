import { z } from '@hono/zod-openapi';
import { id, timestamp } from '../contract-fields.ts';
import { name } from './identity-contract.ts';

// The contract of passkeys. What a browser needs is as WebAuthn has it (PublicKeyCredential.parseCreationOptionsFromJSON); bytes are in
// base64url.

const BYTES_MAX = 8_192;

function bytes(max = BYTES_MAX) {
  const error = `must be 1 to ${max} characters of base64url`;
  return z
    .string({ error })
    .min(1, error)
    .max(max, error)
    .regex(/^[\w-]+$/, error);
}

const credentialId = bytes(1_400);

const transport = z
  .string()
  .max(32)
  .regex(/^[a-z-]+$/);

const describedCredential = z.object({
  type: z.literal('public-key'),
  id: z.string(),
  transports: z.array(z.string()),
});

export const creationOptions = z
  .object({
    challenge: z.string(),
    rp: z.object({ id: z.string(), name: z.string() }),
    user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
    pubKeyCredParams: z.array(z.object({ type: z.literal('public-key'), alg: z.int() })),
    excludeCredentials: z.array(describedCredential),
    authenticatorSelection: z.object({
      residentKey: z.literal('required'),
      requireResidentKey: z.literal(true),
      userVerification: z.literal('required'),
    }),
    attestation: z.literal('none'),
    timeout: z.int(),
  })
  .openapi('PasskeyCreationOptions');

export const requestOptions = z
  .object({
    challenge: z.string(),
    rpId: z.string(),
    allowCredentials: z.array(describedCredential),
    userVerification: z.literal('required'),
    timeout: z.int(),
  })
  .openapi('PasskeyRequestOptions');

export const passkeyCreation = z
  .strictObject({
    name,
    credential: z.strictObject({
      id: credentialId,
      client_data: bytes(),
      attestation: bytes(),
      transports: z.array(transport).max(10),
    }),
  })
  .openapi('PasskeyCreation');

export const passkeyAnswer = z
  .strictObject({
    credential: z.strictObject({
      id: credentialId,
      client_data: bytes(),
      authenticator_data: bytes(),
      signature: bytes(),
      user_handle: bytes(100).nullable(),
    }),
  })
  .openapi('PasskeyAnswer');

export const passkey = z
  .object({ id, name: z.string(), created_at: timestamp, last_used_at: timestamp.nullable() })
  .openapi('Passkey');

export const passkeys = z.object({ data: z.array(passkey) }).openapi('Passkeys');

export type PasskeyJson = z.infer<typeof passkey>;
export type PasskeyAnswer = z.output<typeof passkeyAnswer>;
