import { queryOptions } from '@tanstack/react-query';
import type { AnswerOf } from '../../../src/control/admin/operation-contract.ts';
import { ApiError } from './api-error.ts';
import { callApi } from './client.ts';

// Passkeys: what the server begins, the browser's authenticator signs, and the server checks.

export const passkeysQuery = queryOptions({
  queryKey: ['me', 'passkeys'],
  queryFn: ({ signal }) => callApi('GET /me/passkeys', { signal }),
});

/** Makes a passkey with the browser, and adds it to the signed-in user's account. */
export async function addPasskey(name: string) {
  const options = await callApi('POST /me/passkeys/begin');
  const made = await asked(() =>
    navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) }),
  );
  const { id, response } = made.toJSON() as RegistrationResponseJSON;
  const credential = {
    id,
    client_data: response.clientDataJSON,
    attestation: response.attestationObject,
    transports: response.transports,
  };
  return await callApi('POST /me/passkeys', { body: { name, credential } });
}

export const removePasskey = (id: string) => callApi('DELETE /me/passkeys/{id}', { id });

/** Signs in by a passkey that the browser knows. */
export async function signInByPasskey() {
  const options = await callApi('POST /passkeys/begin', { answersSignIn: true });
  return await callApi('POST /passkeys/sign-in', { body: await shown(options), answersSignIn: true });
}

/** Proves again, by a passkey, who the signed-in user is. */
export async function confirmByPasskey() {
  const options = await callApi('POST /session/passkey/begin', { answersSignIn: true });
  return await callApi('POST /session/passkey', { body: await shown(options), answersSignIn: true });
}

async function shown(options: AnswerOf<'beginPasskeySignIn'>) {
  const credential = await asked(() =>
    navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) }),
  );
  const { id, response } = credential.toJSON() as AuthenticationResponseJSON;
  return {
    credential: {
      id,
      client_data: response.clientDataJSON,
      authenticator_data: response.authenticatorData,
      signature: response.signature,
      user_handle: response.userHandle ?? null,
    },
  };
}

/** The browser says in the same words that its user has cancelled, and that there is no passkey. */
async function asked(ask: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  try {
    if (!('PublicKeyCredential' in globalThis)) throw notUsed('This browser has no passkeys.');
    const credential = await ask();
    if (credential instanceof PublicKeyCredential) return credential;
  } catch (fault) {
    if (fault instanceof ApiError) throw fault;
    if (fault instanceof DOMException && fault.name === 'InvalidStateError') {
      throw notUsed('This device has a passkey for your account already.');
    }
  }
  throw notUsed('No passkey was used: it was cancelled, or there is none for this address.');
}

function notUsed(message: string): ApiError {
  return new ApiError(0, { message, code: 'NO_PASSKEY', param: null }, null);
}
