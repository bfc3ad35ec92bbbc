import { callApi } from './client.ts';

// The signed-in user's second factor.

/** Gives a code of the authenticator app in a session that began without one. */
export const proveSecondFactor = (code: string) => callApi('POST /session/second-factor', { body: { code } });

/** Begins to add an authenticator app, which counts once a code of it is confirmed. */
export const addAuthenticator = () => callApi('POST /me/authenticator');

export const confirmAuthenticator = (code: string) => callApi('POST /me/authenticator/confirm', { body: { code } });

export const removeAuthenticator = () => callApi('DELETE /me/authenticator');

export const replaceRecoveryCodes = () => callApi('POST /me/recovery-codes');
