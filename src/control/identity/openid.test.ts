import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { granted } from '../../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { identityParts, newWorkspace, type Person, signedIn, visitor } from '../../../test/support/identity.ts';
import { CLIENT, type OpenIdIssuer, startOpenIdIssuer } from '../../../test/support/openid-issuer.ts';
import { isRefusal, refuse, type Refusal } from '../../domain/refusals.ts';
import { SIGN_IN_FAILURES, type SignInFailure } from '../../domain/sign-in-failures.ts';
import type { Sql } from '../../lib/sql.ts';
import { beginAuthenticator } from './authenticators.ts';
import type { IdentityParts } from './identity-parts.ts';
import { type OpenIdAttempt, OpenIdProvider, type OpenIdPurpose, type OpenIdUser } from './openid-provider.ts';
import { confirmByOpenId, linkOpenId, signInByOpenId } from './openid-sign-in.ts';
import { findSession } from './sessions.ts';
import { showUser } from './users.ts';

const REDIRECT = 'http://127.0.0.1:9/admin/v1/openid/callback';

let db: TestDatabase;
let sql: Sql;
let parts: IdentityParts;
let open: IdentityParts;
let issuer: OpenIdIssuer;
let provider: OpenIdProvider;
let faults: unknown[] = [];

beforeAll(async () => {
  db = await startTestDatabase();
  sql = db.control;
  ({ parts } = identityParts(sql));
  ({ parts: open } = identityParts(sql, { allowsSignUp: true }));
  issuer = await startOpenIdIssuer(REDIRECT);
  provider = new OpenIdProvider({ issuer: issuer.issuer, ...CLIENT, name: 'Test' }, (fault) => faults.push(fault));
});
afterAll(async () => {
  await issuer.stop();
  await db.stop();
});

function refusalIn(result: unknown): Refusal {
  if (!isRefusal(result)) throw new Error('it was not refused');
  return result;
}

const someLogin = (): string => `login-${randomUUID()}`;

interface Journey {
  readonly purpose?: OpenIdPurpose;
  /** Changes the address at which the browser arrives at the provider. */
  readonly onWay?: (url: URL) => void;
  /** Changes what the browser kept. */
  readonly kept?: (attempt: OpenIdAttempt) => OpenIdAttempt;
}

/** Signs in at the provider from end to end. */
async function arrive(
  login: string,
  { purpose = 'sign_in', onWay, kept }: Journey = {},
): Promise<OpenIdUser | Refusal> {
  const begun = granted(await provider.begin(REDIRECT, purpose));
  const url = new URL(begun.url);
  onWay?.(url);
  const callback = await issuer.signIn(url.href, login);
  return await provider.finish(callback, kept?.(begun.attempt) ?? begun.attempt);
}

const person = async (login: string): Promise<OpenIdUser> => granted(await arrive(login));

test('a provider says who somebody is: subject, address, and whether it vouches for that', async () => {
  const login = someLogin();
  expect(await person(login)).toEqual({
    issuer: issuer.issuer,
    subject: login,
    email: `${login}@example.com`,
    isEmailVerified: true,
    name: `Name of ${login}`,
  });
  expect(await person(`unverified-${login}`)).toMatchObject({ isEmailVerified: false });
});

test('a sign-in at a provider is asked for with PKCE, state and nonce, new ones each time', async () => {
  const [one, two] = [await provider.begin(REDIRECT, 'sign_in'), await provider.begin(REDIRECT, 'sign_in')].map(
    granted,
  );
  const query = new URL(one?.url ?? '').searchParams;
  expect(Object.fromEntries(query)).toMatchObject({
    client_id: CLIENT.clientId,
    redirect_uri: REDIRECT,
    response_type: 'code',
    code_challenge_method: 'S256',
    state: one?.attempt.state,
    nonce: one?.attempt.nonce,
  });
  const secrets = [one, two].flatMap((begun) => [begun?.attempt.state, begun?.attempt.nonce, begun?.attempt.verifier]);
  expect(new Set(secrets).size).toBe(6);
});

test.each<[string, Journey]>([
  ['a state other than the browser kept', { kept: (attempt) => ({ ...attempt, state: 'another' }) }],
  ['a nonce that was changed on the way', { onWay: (url) => url.searchParams.set('nonce', 'another') }],
  ['a nonce other than the browser kept', { kept: (attempt) => ({ ...attempt, nonce: 'another' }) }],
  ['a verifier other than the browser kept', { kept: (attempt) => ({ ...attempt, verifier: 'x'.repeat(43) }) }],
])('a sign-in at a provider fails with %s', async (_what, journey) => {
  faults = [];
  expect(refusalIn(await arrive(someLogin(), journey))).toMatchObject({ code: 'UNAUTHENTICATED' });
  expect(faults).toHaveLength(1);
});

test('the answer of a provider counts once', async () => {
  const begun = granted(await provider.begin(REDIRECT, 'sign_in'));
  const callback = await issuer.signIn(begun.url, someLogin());
  granted(await provider.finish(callback, begun.attempt));
  expect(isRefusal(await provider.finish(callback, begun.attempt))).toBe(true);
});

test('a provider that is away is a 503, and is asked again the next time', async () => {
  const away = new OpenIdProvider({ issuer: 'http://127.0.0.1:9', ...CLIENT, name: 'Away' }, () => undefined);
  expect(refusalIn(await away.begin(REDIRECT, 'sign_in'))).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
  expect(refusalIn(await away.begin(REDIRECT, 'sign_in')).message).toContain("Away can't be reached");
});

test('somebody new gets an account by a provider where sign-ups are open, and the same one the next time', async () => {
  const login = someLogin();
  expect(refusalIn(await signInByOpenId(parts, visitor(), await person(login))).code).toBe('FORBIDDEN');
  const first = granted(await signInByOpenId(open, visitor(), await person(login)));
  const again = granted(await signInByOpenId(parts, visitor(), await person(login)));
  expect(again.act.actor.userId).toBe(first.act.actor.userId);
  expect(await findSession(sql, again.secret, '')).not.toBeNull();
  expect(await showUser(sql, first.act.actor.userId)).toMatchObject({
    email: `${login}@example.com`,
    isEmailVerified: true,
    hasPassword: false,
  });
});

test('somebody who was invited gets an account by a provider though sign-ups are closed', async () => {
  const login = someLogin();
  await sql.query(
    `insert into invitations (workspace_id, id, email, role, token_sha256, mailed, expires_at)
     values ($1, gen_random_uuid(), $2::text, 'viewer', sha256(convert_to($2, 'UTF8')), false, now() + interval '1 day')`,
    [await newWorkspace(sql), `${login}@example.com`],
  );
  const session = granted(await signInByOpenId(parts, visitor(), await person(login)));
  // The link is still needed: the account alone is a member of nothing.
  expect(session.act.actor.roles.size).toBe(0);
});

test('an invitation that has expired or was revoked makes no account where sign-ups are closed', async () => {
  for (const ended of ['expires_at = now()', 'revoked_at = now()']) {
    const login = someLogin();
    const email = `${login}@example.com`;
    await sql.query(
      `insert into invitations (workspace_id, id, email, role, token_sha256, mailed, expires_at)
       values ($1, gen_random_uuid(), $2::text, 'viewer', sha256(convert_to($2, 'UTF8')), false, now() + interval '1 day')`,
      [await newWorkspace(sql), email],
    );
    await sql.query(`update invitations set ${ended} where email = $1`, [email]);
    expect(refusalIn(await signInByOpenId(parts, visitor(), await person(login))).param).toBe('no_sign_ups');
  }
});

test('an address that the provider does not vouch for finds no account and makes none', async () => {
  const login = someLogin();
  await signedIn(sql, { email: `${login}@example.com`, isEmailVerified: true });
  const stranger = await person(`unverified-${login}`);
  expect(refusalIn(await signInByOpenId(open, visitor(), stranger)).code).toBe('FORBIDDEN');
  const other = { ...stranger, subject: someLogin(), email: null };
  expect(refusalIn(await signInByOpenId(open, visitor(), other)).code).toBe('FORBIDDEN');
});

test('an account whose address is proven is found by a provider that vouches for the address', async () => {
  const login = someLogin();
  const { userId } = await signedIn(sql, { email: `${login}@example.com`, isEmailVerified: true });
  const session = granted(await signInByOpenId(parts, visitor(), await person(login)));
  expect(session.act.actor.userId).toBe(userId);
});

test('an account that somebody made with an address that is not proven is not shared with its owner', async () => {
  const login = someLogin();
  await signedIn(sql, { email: `${login}@example.com`, isEmailVerified: false });
  expect(refusalIn(await signInByOpenId(open, visitor(), await person(login)))).toMatchObject({
    param: 'account_has_password',
  });
});

test('an account with an authenticator is not entered by its address alone, but once its user has added the provider', async () => {
  const login = someLogin();
  const owner = await signedIn(sql, { email: `${login}@example.com`, isEmailVerified: true });
  granted(await beginAuthenticator(sql, parts.keyring, owner.act));
  await sql.query('update authenticators set confirmed_at = now() where user_id = $1', [owner.userId]);
  const refused = refusalIn(await signInByOpenId(parts, visitor(), await person(login)));
  expect(refused).toMatchObject({ code: 'FORBIDDEN', param: 'account_has_authenticator' });
  expect(await linkOpenId(sql, owner.act, await person(login))).toBeNull();
  const session = granted(await signInByOpenId(parts, visitor(), await person(login)));
  expect(session.act.actor.userId).toBe(owner.userId);
});

test('a disabled user does not sign in by a provider', async () => {
  const login = someLogin();
  const { act } = granted(await signInByOpenId(open, visitor(), await person(login)));
  await sql.query('update users set disabled_at = now() where id = $1', [act.actor.userId]);
  expect(refusalIn(await signInByOpenId(open, visitor(), await person(login))).code).toBe('FORBIDDEN');
});

test("a user adds a provider's account to theirs, which nobody else can add then", async () => {
  const login = someLogin();
  const owner: Person = await signedIn(sql, { email: `${login}@example.com` });
  expect(await linkOpenId(sql, owner.act, await person(login))).toBeNull();
  expect(await linkOpenId(sql, owner.act, await person(login))).toBeNull();
  expect(await showUser(sql, owner.userId)).toMatchObject({ isEmailVerified: true });
  const session = granted(await signInByOpenId(parts, visitor(), await person(login)));
  expect(session.act.actor.userId).toBe(owner.userId);
  const thief = await signedIn(sql);
  expect(refusalIn(await linkOpenId(sql, thief.act, await person(login))).code).toBe('CONFLICT');
});

test('a session is confirmed by a new sign-in at the provider, of the same user', async () => {
  const login = someLogin();
  const { act, secret } = granted(await signInByOpenId(open, visitor(), await person(login)));
  const confirmed = granted(await arrive(login, { purpose: 'confirm' }));
  const other = granted(await arrive(someLogin(), { purpose: 'confirm' }));
  expect(refusalIn(await confirmByOpenId(parts, visitor(), act, other)).code).toBe('FORBIDDEN');
  const session = granted(await confirmByOpenId(parts, visitor(), act, confirmed));
  expect(session.act.actor.sessionId).toBe(act.actor.sessionId);
  expect(await findSession(sql, secret, '')).toBeNull();
});

/** Somebody whom a provider has signed in. */
const somebody = (more: Partial<OpenIdUser> = {}): OpenIdUser => {
  const login = someLogin();
  const known = { email: `${login}@example.com`, isEmailVerified: true, name: 'Ada' };
  return { issuer: 'https://login.example', subject: login, ...known, ...more };
};

test('a sign-in by a provider that fails says why', async () => {
  const failure = async (from: IdentityParts, given: OpenIdUser): Promise<string | null> => {
    const { code, message, param } = refusalIn(await signInByOpenId(from, visitor(), given));
    expect([code, message]).toEqual(['FORBIDDEN', SIGN_IN_FAILURES[param as SignInFailure]]);
    return param;
  };
  expect(await failure(parts, somebody())).toBe('no_sign_ups');
  expect(await failure(open, somebody({ email: null }))).toBe('address_not_vouched_for');
  expect(await failure(open, somebody({ email: 'no address' }))).toBe('address_not_vouched_for');
  expect(await failure(open, somebody({ isEmailVerified: false }))).toBe('address_not_vouched_for');
  const owner = await signedIn(sql);
  expect(await failure(open, somebody({ email: owner.email.toUpperCase() }))).toBe('account_has_password');
  const known = somebody();
  const session = granted(await signInByOpenId(open, visitor(), known));
  expect(await confirmByOpenId(parts, visitor(), owner.act, known)).toMatchObject({ param: 'another_account' });
  expect(await confirmByOpenId(parts, visitor(), owner.act, somebody())).toMatchObject({ param: 'another_account' });
  expect(await linkOpenId(sql, owner.act, known)).toMatchObject({ code: 'CONFLICT', param: 'account_of_another' });
  await sql.query('update users set disabled_at = now() where id = $1', [session.act.actor.userId]);
  expect(await failure(open, known)).toBe('account_disabled');
});

test('an account by a provider has the name that the provider gives, cut to what fits, or else its address', async () => {
  const nameOf = async (given: OpenIdUser) => {
    const { act } = granted(await signInByOpenId(open, visitor(), given));
    return (await showUser(sql, act.actor.userId))?.name;
  };
  expect(await nameOf(somebody())).toBe('Ada');
  expect(await nameOf(somebody({ name: 'n'.repeat(101) }))).toBe('n'.repeat(100));
  const nameless = somebody({ name: null });
  expect(await nameOf(nameless)).toBe(nameless.email);
});

test('the account of a provider that a user adds is recorded, and proves their address only if it is the same', async () => {
  const { act, userId, email } = await signedIn(sql);
  const isVerified = async () => (await showUser(sql, userId))?.isEmailVerified;
  const [other, unverified, nameless, own] = [
    somebody(),
    somebody({ email, isEmailVerified: false }),
    somebody({ email: null }),
    somebody({ email: email.toUpperCase() }),
  ];
  for (const each of [other, unverified, nameless]) {
    expect(await linkOpenId(sql, act, each)).toBeNull();
    expect(await isVerified()).toBe(false);
  }
  expect(await linkOpenId(sql, act, own)).toBeNull();
  expect(await isVerified()).toBe(true);
  expect(await linkOpenId(sql, act, own)).toBeNull();
  const events = await sql.query<{ after: unknown }>(
    `select action, target_kind as kind, target_name as name, after from audit_events where target_id = $1 order by id`,
    [userId],
  );
  expect(events).toEqual(
    [other, unverified, nameless, own].map(({ issuer: by, subject }) => ({
      action: 'openid.link',
      kind: 'user',
      name: email,
      after: { issuer: by, subject },
    })),
  );
});

test('only an issuer on this machine is spoken to without TLS', async () => {
  const faultOf = async (url: string): Promise<string> => {
    const found: unknown[] = [];
    const away = new OpenIdProvider({ issuer: url, ...CLIENT, name: 'Away' }, (fault) => found.push(fault));
    expect(refusalIn(await away.begin(REDIRECT, 'sign_in'))).toEqual(
      refuse('SERVICE_UNAVAILABLE', "Away can't be reached: try again in a moment.", { retryAfterMs: 1_000 }),
    );
    const [fault] = found;
    return fault instanceof Error ? `${fault.message} ${String(fault.cause)}` : '';
  };
  for (const host of ['localhost', '127.0.0.1', '127.9.9.9', '[::1]']) {
    expect(await faultOf(`http://${host}:9`)).not.toMatch(/HTTPS/i);
  }
  for (const host of ['10.0.0.1', '128.0.0.1', '127.example', '127.0.0.1.example', 'a.localhost.example']) {
    expect(await faultOf(`http://${host}:9`)).toMatch(/HTTPS/i);
  }
});

test('a provider is asked to prove who somebody is, now, only where that is to be confirmed', async () => {
  const query = async (purpose: OpenIdPurpose) =>
    new URL(granted(await provider.begin(REDIRECT, purpose)).url).searchParams;
  const [signIn, confirm] = [await query('sign_in'), await query('confirm')];
  expect([signIn.get('prompt'), signIn.get('max_age'), signIn.get('scope')]).toEqual([
    null,
    null,
    'openid email profile',
  ]);
  expect([confirm.get('prompt'), confirm.get('max_age')]).toEqual(['login', '60']);
});
