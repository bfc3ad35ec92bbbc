import type { VerifiedAuthenticationResponse, VerifiedRegistrationResponse } from '@simplewebauthn/server';

// What WebAuthn asks of a server, by the package @simplewebauthn/server, which is loaded when the first passkey is used.

/** The instance as passkeys know it: a name of a host, and the origin of its pages. */
export interface RelyingParty {
  readonly id: string;
  readonly origin: string;
}

/** The answer of a browser that has made a passkey. Bytes are in base64url. */
export interface MadeCredential {
  readonly id: string;
  readonly clientData: string;
  readonly attestation: string;
  readonly transports: readonly string[];
}

/** The answer of a browser that has signed a challenge by a passkey. */
export interface ShownCredential {
  readonly id: string;
  readonly clientData: string;
  readonly authenticatorData: string;
  readonly signature: string;
  /** The id that the account had when the passkey was made; null: the authenticator keeps none. */
  readonly userHandle: string | null;
}

/** A passkey as it is kept. */
export interface KeptCredential {
  readonly credentialId: Buffer;
  readonly publicKey: Buffer;
  readonly counter: bigint;
}

/** EdDSA, ES256 and RS256, which are all that browsers and authenticators have in common. */
export const ALGORITHMS: readonly number[] = [-8, -7, -257];

export function base64url(bytes: Buffer): string {
  return bytes.toString('base64url');
}

interface Ceremony {
  readonly party: RelyingParty;
  readonly challenge: Buffer;
}

/** The passkey that a browser has made for this challenge, with its user verified; null if it is none. */
export async function checkMade(
  { party, challenge }: Ceremony,
  { id, clientData, attestation }: MadeCredential,
): Promise<KeptCredential | null> {
  const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
  const checked = await unlessWrong<VerifiedRegistrationResponse>(async () => {
    await refuseCertificates(attestation);
    return await verifyRegistrationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: { clientDataJSON: clientData, attestationObject: attestation },
      },
      expectedChallenge: base64url(challenge),
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: [...ALGORITHMS],
    });
  });
  if (checked?.verified !== true) return null;
  const { credential } = checked.registrationInfo;
  return {
    credentialId: Buffer.from(credential.id, 'base64url'),
    publicKey: Buffer.from(credential.publicKey),
    counter: BigInt(credential.counter),
  };
}

/**
 * No maker of authenticators is asked for, and a browser then sends no certificates. Those that somebody sends all the same name addresses
 * that the package would ask whether they are revoked.
 */
async function refuseCertificates(attestation: string): Promise<void> {
  const { decodeAttestationObject, isoBase64URL } = await import('@simplewebauthn/server/helpers');
  const decoded = decodeAttestationObject(isoBase64URL.toBuffer(attestation));
  const format = decoded.get('fmt');
  if ((format !== 'none' && format !== 'packed') || decoded.get('attStmt').get('x5c') !== undefined) {
    throw new Error('an attestation with certificates');
  }
}

/** The counter of the passkey after it has signed this challenge, with its user verified; null if it has not. */
export async function checkShown(
  { party, challenge }: Ceremony,
  kept: KeptCredential,
  { id, clientData, authenticatorData, signature }: ShownCredential,
): Promise<bigint | null> {
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const checked = await unlessWrong<VerifiedAuthenticationResponse>(() =>
    verifyAuthenticationResponse({
      response: {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: { clientDataJSON: clientData, authenticatorData, signature },
      },
      expectedChallenge: base64url(challenge),
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: true,
      credential: { id, publicKey: new Uint8Array(kept.publicKey), counter: Number(kept.counter) },
    }),
  );
  return checked?.verified === true ? BigInt(checked.authenticationInfo.newCounter) : null;
}

/** The package throws on any invalid input from the browser. */
async function unlessWrong<Result>(check: () => Promise<Result>): Promise<Result | null> {
  try {
    return await check();
  } catch {
    return null;
  }
}
