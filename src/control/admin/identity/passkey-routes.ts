import type { Context } from 'hono';
import { isRefusal, refuse, type Refusal } from '../../../domain/refusals.ts';
import { ALGORITHMS, base64url, type RelyingParty, type ShownCredential } from '../../identity/passkeys/ceremony.ts';
import {
  addPasskey,
  beginPasskey,
  type ChallengeAnswer,
  type KnownCredential,
  listPasskeys,
  type Passkey,
  removePasskey,
} from '../../identity/passkeys/passkeys.ts';
import {
  beginPasskeyConfirmation,
  beginPasskeySignIn,
  confirmByPasskey,
  signInByPasskey,
} from '../../identity/passkeys/passkey-sign-in.ts';
import { endPresented } from '../../identity/sessions.ts';
import { showUser } from '../../identity/users.ts';
import { recordJson } from '../record-json.ts';
import type { AdminApp } from '../route-access.ts';
import { serve } from '../serve.ts';
import type { IdentityDependencies } from './identity-dependencies.ts';
import * as contract from './passkey-contract.ts';
import { relyingPartyOf } from './relying-party.ts';
import { answerRenewed } from './renewed-session.ts';
import { challengeOf, keepChallenge, keepSession, sessionOf } from './session-cookie.ts';

const PRODUCT = 'Faregate';
const ANSWER_MS = 300_000;

function passkeyJson(passkey: Passkey): contract.PasskeyJson {
  return recordJson(contract.passkey, passkey);
}

function described({ credentialId, transports }: KnownCredential) {
  return { type: 'public-key' as const, id: base64url(credentialId), transports: [...transports] };
}

function requestOptions(party: RelyingParty, challenge: Buffer, known: readonly KnownCredential[]) {
  return {
    challenge: base64url(challenge),
    rpId: party.id,
    allowCredentials: known.map(described),
    userVerification: 'required' as const,
    timeout: ANSWER_MS,
  };
}

function partyFor(c: Context, { configuredUrl }: IdentityDependencies): RelyingParty | Refusal {
  return (
    relyingPartyOf(c, configuredUrl) ??
    refuse(
      'CONFLICT',
      'Passkeys need a host name and TLS: set server.public_url to the https address of this instance.',
    )
  );
}

/** What a browser answers, with the challenge that it was given. */
function answerOf(
  c: Context,
  deps: IdentityDependencies,
  { credential }: contract.PasskeyAnswer,
): ChallengeAnswer<ShownCredential> | Refusal {
  const party = partyFor(c, deps);
  if (isRefusal(party)) return party;
  const { id, client_data: clientData, authenticator_data: authenticatorData, signature } = credential;
  const secret = takeChallenge(c, deps);
  return {
    party,
    secret,
    credential: { id, clientData, authenticatorData, signature, userHandle: credential.user_handle },
  };
}

function takeChallenge(c: Context, { configuredUrl }: IdentityDependencies): string | null {
  const secret = challengeOf(c, configuredUrl);
  keepChallenge(c, null, configuredUrl);
  return secret;
}

/** Adds the routes by which people sign in by passkeys. */
export function addPasskeySignInRoutes(app: AdminApp, deps: IdentityDependencies): void {
  const { sql, configuredUrl } = deps;
  serve(app, 'beginPasskeySignIn', async ({ c }) => {
    const party = partyFor(c, deps);
    if (isRefusal(party)) return party;
    const begun = await beginPasskeySignIn(deps, c.var.visitor);
    if (isRefusal(begun)) return begun;
    keepChallenge(c, begun.secret, configuredUrl);
    return requestOptions(party, begun.challenge, []);
  });
  serve(app, 'finishPasskeySignIn', async ({ body, c }) => {
    const answer = answerOf(c, deps, body);
    const session = isRefusal(answer) ? answer : await signInByPasskey(deps, c.var.visitor, answer);
    if (isRefusal(session)) return session;
    const former = sessionOf(c, configuredUrl);
    if (former !== null) await endPresented(sql, former);
    keepSession(c, session, configuredUrl);
    return { signed_in: true };
  });
}

/** Adds the routes of a user's own passkeys. */
export function addOwnPasskeyRoutes(app: AdminApp, deps: IdentityDependencies): void {
  const { sql, configuredUrl } = deps;
  serve(app, 'listPasskeys', async ({ user }) => ({ data: (await listPasskeys(sql, user)).map(passkeyJson) }));
  serve(app, 'beginPasskey', async ({ user, c }) => {
    const { userId, email } = user.actor;
    const party = partyFor(c, deps);
    if (isRefusal(party)) return party;
    const begun = await beginPasskey(sql, user);
    if (isRefusal(begun)) return begun;
    keepChallenge(c, begun.secret, configuredUrl);
    const displayName = (await showUser(sql, userId))?.name ?? email;
    return {
      challenge: base64url(begun.challenge),
      rp: { id: party.id, name: PRODUCT },
      user: { id: base64url(Buffer.from(userId)), name: email, displayName },
      pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key' as const, alg })),
      excludeCredentials: begun.known.map(described),
      authenticatorSelection: {
        residentKey: 'required' as const,
        requireResidentKey: true as const,
        userVerification: 'required' as const,
      },
      attestation: 'none' as const,
      timeout: ANSWER_MS,
    };
  });
  serve(app, 'addPasskey', async ({ user, body, c }) => {
    const party = partyFor(c, deps);
    if (isRefusal(party)) return party;
    const { id, client_data: clientData, attestation, transports } = body.credential;
    const credential = { id, clientData, attestation, transports };
    const secret = takeChallenge(c, deps);
    const added = await addPasskey(sql, c.var.visitor, user, { name: body.name, party, secret, credential });
    if (isRefusal(added)) return added;
    keepSession(c, added.session, configuredUrl);
    return passkeyJson(added.value);
  });
  serve(app, 'removePasskey', async ({ user, params }) => {
    const refused = await removePasskey(sql, user, params.id);
    return refused === null ? { done: true as const } : refused;
  });
  serve(app, 'beginPasskeyConfirmation', async ({ user, c }) => {
    const party = partyFor(c, deps);
    if (isRefusal(party)) return party;
    const begun = await beginPasskeyConfirmation(deps, user);
    if (isRefusal(begun)) return begun;
    keepChallenge(c, begun.secret, configuredUrl);
    return requestOptions(party, begun.challenge, begun.known);
  });
  serve(app, 'confirmByPasskey', async ({ user, body, c }) => {
    const answer = answerOf(c, deps, body);
    return isRefusal(answer)
      ? answer
      : answerRenewed(c, deps, await confirmByPasskey(deps, c.var.visitor, user, answer));
  });
}
