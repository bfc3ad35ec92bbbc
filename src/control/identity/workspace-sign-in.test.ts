import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { granted } from '../../../test/support/accounts.ts';
import { changeAccessOf, openCompany } from '../../../test/support/company.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import {
  addMember,
  identityParts,
  newWorkspace,
  PASSWORD,
  secretIn,
  seedOf,
  signedIn,
  visitor,
} from '../../../test/support/identity.ts';
import { makeInvitedKey } from '../../../test/support/invited-key.ts';
import { CLIENT, startOpenIdIssuer } from '../../../test/support/openid-issuer.ts';
import { operatorScope, scopeOf } from '../../../test/support/scopes.ts';
import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import { authorise } from '../../domain/workspace-scope.ts';
import type { Sql } from '../../lib/sql.ts';
import { TargetNetwork } from '../../lib/target-network.ts';
import { createAccessToken, findAccessToken } from './access-tokens.ts';
import { beginAuthenticator, confirmAuthenticator } from './authenticators.ts';
import type { IdentityParts } from './identity-parts.ts';
import { invite } from './invitations.ts';
import { listMembers } from './members.ts';
import { codeOf, stepAt } from './one-time-passwords.ts';
import type { OpenIdUser } from './openid-provider.ts';
import { signInByOpenId } from './openid-sign-in.ts';
import { hashPassword } from './password-hash.ts';
import { makeResetLink, resetPassword } from './passwords.ts';
import { findSession, renewedIn } from './sessions.ts';
import { proveSecondFactor, signIn } from './sign-in.ts';
import { showUser } from './users.ts';
import type { UserAct } from './visitor.ts';
import { type AccessChange, changeAccess, showAccess } from './workspace-access.ts';
import { addDomain, approveDomain, proveDomain, removeDomain } from './workspace-domains.ts';
import { findProviderOf, WorkspaceProviders } from './workspace-providers.ts';
import { signInAtWorkspace } from './workspace-sign-in.ts';

const ISSUER = 'https://login.acme.example';
const HASH = hashPassword(PASSWORD, { memory: 64, passes: 1, parallelism: 1 });
const network = new TargetNetwork(['127.0.0.0/8']);

let db: TestDatabase;
let sql: Sql;
let parts: IdentityParts;

beforeAll(async () => {
  db = await startTestDatabase();
  sql = db.control;
  ({ parts } = identityParts(sql));
});
afterAll(() => db.stop());

const someDomain = (): string => `d-${randomUUID()}.example`;

const change = (workspaceId: string, given: AccessChange) => changeAccessOf(sql, workspaceId, given);

/** A workspace with a provider and a domain, which the operator has approved. */
const company = (given: AccessChange = {}) =>
  openCompany(sql, { issuer: ISSUER, clientId: 'faregate', defaultRole: 'viewer', ...given });

function person(email: string, more: Partial<OpenIdUser> = {}): OpenIdUser {
  return { issuer: ISSUER, subject: randomUUID(), email, isEmailVerified: true, name: 'Ada', groups: [], ...more };
}

const arrive = (workspaceId: string, who: OpenIdUser, present: UserAct | null = null) =>
  signInAtWorkspace(parts, visitor(), { workspaceId, person: who, present });

function failure(result: unknown): string | null {
  return isRefusal(result) ? (result satisfies Refusal).param : null;
}

async function roleOf(workspaceId: string, email: string): Promise<string | null> {
  const { items } = await listMembers(sql, scopeOf(workspaceId));
  return items.find((member) => member.email === email)?.role ?? null;
}

test('people come to the provider of the workspace that has proven the domain of their address, and to no other', async () => {
  const { workspaceId, domain } = await company();
  expect(await findProviderOf(sql, `Ada@${domain.toUpperCase()}`)).toMatchObject({ workspaceId });
  expect(await findProviderOf(sql, `ada@sub.${domain}`)).toBeNull();
  const thief = await newWorkspace(db.database);
  granted(await addDomain(sql, scopeOf(thief), domain));
  expect(await approveDomain(sql, scopeOf(thief), domain)).toMatchObject({ code: 'CONFLICT' });
  granted(await change(thief, { issuer: 'https://evil.example', clientId: 'x', defaultRole: 'viewer' }));
  expect(await findProviderOf(sql, `ada@${domain}`)).toMatchObject({ workspaceId });
  const forged = person(`ada@${domain}`, { issuer: 'https://evil.example' });
  expect(failure(await arrive(thief, forged))).toBe('address_not_of_workspace');
});

test('a domain is proven by the record of this workspace alone', async () => {
  const [workspaceId, domain] = [await newWorkspace(db.database), someDomain()];
  const { recordName, recordValue } = granted(await addDomain(sql, scopeOf(workspaceId), ` ${domain.toUpperCase()}`));
  expect(recordName).toBe(`_faregate.${domain}`);
  const prove = (records: readonly (readonly string[])[] | Error) =>
    proveDomain(
      { sql, resolveTxt: () => (records instanceof Error ? Promise.reject(records) : Promise.resolve(records)) },
      scopeOf(workspaceId),
      domain,
    );
  expect(await prove(new Error('no records'))).toMatchObject({ code: 'CONFLICT' });
  expect(await prove([[`${recordValue}0`], ['faregate-domain=']])).toMatchObject({ code: 'CONFLICT' });
  expect(await prove([['v=spf1'], [recordValue.slice(0, 9), recordValue.slice(9)]])).toMatchObject({ provenBy: 'dns' });
  expect(await addDomain(sql, scopeOf(workspaceId), 'localhost')).toMatchObject({ code: 'INVALID_REQUEST' });
  expect(await addDomain(sql, scopeOf(workspaceId), 'ada@example.com')).toMatchObject({ code: 'INVALID_REQUEST' });
});

test('somebody new gets an account and the role of their groups, which follows the groups at each sign-in', async () => {
  const groupRoles = { engineers: 'developer', staff: 'viewer', heads: 'admin' };
  const { workspaceId, domain } = await company({ groupRoles, defaultRole: 'none' });
  const ada = person(`ada@${domain}`, { groups: ['staff', 'engineers', '__proto__'] });
  const session = granted(await arrive(workspaceId, ada));
  expect(session.act.actor).toMatchObject({ email: `ada@${domain}`, providerId: workspaceId });
  expect(session.act.actor.roles).toEqual(new Map([[workspaceId, 'developer']]));
  expect((await showUser(sql, session.act.actor.userId))?.isEmailVerified).toBe(true);
  granted(await arrive(workspaceId, { ...ada, groups: ['heads', 'staff'] }));
  expect(await roleOf(workspaceId, `ada@${domain}`)).toBe('admin');
  expect(failure(await arrive(workspaceId, { ...ada, groups: ['constructor', 'unknown'] }))).toBe('no_role');
  granted(await change(workspaceId, { defaultRole: 'billing' }));
  granted(await arrive(workspaceId, { ...ada, groups: ['unknown'] }));
  expect(await roleOf(workspaceId, `ada@${domain}`)).toBe('billing');
  const stranger = person(`eve@${domain}`);
  granted(await change(workspaceId, { defaultRole: 'none' }));
  expect(failure(await arrive(workspaceId, stranger))).toBe('no_role');
  expect(await sql.query('select from users where email = $1', [`eve@${domain}`])).toEqual([]);
});

test('a person who arrives by the provider gets the key and the limit that an open invitation of the address brings', async () => {
  const { workspaceId, domain } = await company();
  const invited = async () => {
    const email = `${randomUUID()}@${domain}`;
    const { id } = granted(await invite(parts, scopeOf(workspaceId), { email, role: 'developer' }));
    await sql.query('update invitations set monthly_limit_nano_usd = 7 where id = $1', [id]);
    return { id, email, isLive: await makeInvitedKey(sql, { workspaceId, invitationId: id }) };
  };
  const joined = async ({ id, email }: { id: string; email: string }) => {
    const { userId } = granted(await arrive(workspaceId, person(email))).act.actor;
    const [found] = await sql.query(
      `select members.role, keys.created_by is not distinct from members.user_id as "isTheirs",
         member_limits.monthly_limit_nano_usd as limit, invitations.accepted_at is not null as "isAccepted"
       from members join invitations on invitations.id = $2 join keys on keys.id = key_id
         left join member_limits on member_limits.workspace_id = $3 and member_limits.user_id = members.user_id
       where members.workspace_id = $3 and members.user_id = $1`,
      [userId, id, workspaceId],
    );
    return found;
  };
  const ada = await invited();
  expect(await joined(ada)).toEqual({ role: 'viewer', isTheirs: true, limit: 7n, isAccepted: true });
  const late = await invited();
  await sql.query(`update invitations set expires_at = now() where id = $1`, [late.id]);
  expect(await joined(late)).toEqual({ role: 'viewer', isTheirs: false, limit: null, isAccepted: false });
  expect([await ada.isLive(), await late.isLive()]).toEqual([true, true]);
});

test('owners stay owners unless a group has that role, and the last owner stays one in any case', async () => {
  const { workspaceId, domain } = await company({ groupRoles: { staff: 'viewer' } });
  const email = `owner@${domain}`;
  await signedIn(db.database, { email, isEmailVerified: true, roles: { [workspaceId]: 'owner' } });
  const owner = person(email, { groups: ['staff'] });
  granted(await arrive(workspaceId, owner));
  expect(await roleOf(workspaceId, email)).toBe('owner');
  granted(await change(workspaceId, { groupRoles: { staff: 'viewer', board: 'owner' } }));
  granted(await arrive(workspaceId, owner));
  expect(await roleOf(workspaceId, email)).toBe('owner');
  const second = await signedIn(db.database, { roles: { [workspaceId]: 'owner' } });
  granted(await arrive(workspaceId, owner));
  expect([await roleOf(workspaceId, email), await roleOf(workspaceId, second.email)]).toEqual(['viewer', 'owner']);
});

test('without groups, members keep the role that they were given', async () => {
  const { workspaceId, domain } = await company({ defaultRole: 'none' });
  const email = `dev@${domain}`;
  await signedIn(db.database, { email, isEmailVerified: true, roles: { [workspaceId]: 'developer' } });
  granted(await arrive(workspaceId, person(email, { groups: ['any'] })));
  expect(await roleOf(workspaceId, email)).toBe('developer');
});

test('an address counts that the provider vouches for, or about which it is silent where the workspace trusts it', async () => {
  const { workspaceId, domain } = await company();
  const silent = person(`silent@${domain}`, { isEmailVerified: null });
  expect(failure(await arrive(workspaceId, silent))).toBe('address_not_vouched_for');
  granted(await change(workspaceId, { trustsAddresses: true }));
  granted(await arrive(workspaceId, silent));
  const denied = person(`denied@${domain}`, { isEmailVerified: false });
  expect(failure(await arrive(workspaceId, denied))).toBe('address_not_vouched_for');
  expect(failure(await arrive(workspaceId, person('ada@other.example')))).toBe('address_not_of_workspace');
});

test('an account whose address nobody has proven loses all that its maker may know', async () => {
  const { workspaceId, domain } = await company();
  const email = `early@${domain}`;
  const own = await newWorkspace(db.database);
  const maker = await signedIn(db.database, { email, passwordHash: HASH, roles: { [own]: 'owner' } });
  const expiresAt = new Date(Date.now() + 86_400_000);
  const token = granted(
    await createAccessToken(sql, maker.act, { workspaceId: own, name: 't', scopes: ['keys:read'], expiresAt }),
  );
  const session = granted(await arrive(workspaceId, person(email)));
  expect(session.act.actor.userId).toBe(maker.userId);
  expect(await findSession(sql, maker.secret, null)).toBeNull();
  expect(await findAccessToken(sql, token.secret ?? '', null)).toBeNull();
  expect(await showUser(sql, maker.userId)).toMatchObject({ hasPassword: false, isEmailVerified: true });
});

test('an account with an authenticator is linked to a provider by somebody who has shown a code of it', async () => {
  const { workspaceId, domain } = await company({ onlyOpenid: true });
  const email = `ada@${domain}`;
  const ada = await signedIn(db.database, { email, passwordHash: HASH, isEmailVerified: true });
  const { secret } = granted(await beginAuthenticator(sql, parts.keyring, ada.act));
  const codeAt = (step: number) => codeOf(seedOf(secret), stepAt(Date.now()) + step);
  granted(
    await renewedIn(sql, ada.act, visitor(), (tx) => confirmAuthenticator(tx, parts.keyring, ada.act, codeAt(0))),
  );
  const who = person(email);
  const other = await signedIn(db.database, { isEmailVerified: true });
  await sql.query('update sessions set second_factor_at = now() where user_id = $1', [other.userId]);
  for (const present of [null, ada.act, other.act]) {
    expect(failure(await arrive(workspaceId, who, present))).toBe('company_after_code');
  }
  const byPassword = (code: string | null) => signIn(parts, visitor(), { email, password: PASSWORD, code });
  expect(await byPassword(null)).toMatchObject({ code: 'UNAUTHENTICATED', param: 'code' });
  const signed = granted(await byPassword(codeAt(1)));
  expect([...signed.act.actor.roles]).toEqual([]);
  const session = granted(await arrive(workspaceId, who, signed.act));
  expect(session.act.actor).toMatchObject({ userId: ada.userId, providerId: workspaceId });
  granted(await arrive(workspaceId, who));
  await sql.query('update authenticators set last_step = 0 where user_id = $1', [ada.userId]);
  expect(failure(await byPassword(codeAt(0)))).toBe('company_alone');
});

test('a provider signs in no operator and no disabled user, also if their accounts were linked before', async () => {
  const { workspaceId, domain } = await company();
  await signedIn(db.database, { email: `root@${domain}`, isEmailVerified: true, isOperator: true });
  expect(failure(await arrive(workspaceId, person(`root@${domain}`)))).toBe('operator_account');
  const ada = person(`ada@${domain}`);
  const { userId } = granted(await arrive(workspaceId, ada)).act.actor;
  await sql.query('update users set is_operator = true where id = $1', [userId]);
  expect(failure(await arrive(workspaceId, ada))).toBe('operator_account');
  await sql.query('update users set is_operator = false, disabled_at = now() where id = $1', [userId]);
  expect(failure(await arrive(workspaceId, ada))).toBe('account_disabled');
});

test('an account that was linked at the same issuer elsewhere is signed in for its own domains alone', async () => {
  const [one, other] = [await company(), await company()];
  const ada = person(`ada@${one.domain}`);
  granted(await arrive(one.workspaceId, ada));
  expect(failure(await arrive(other.workspaceId, ada))).toBe('address_not_of_workspace');
});

test('what the workspace decides counts at the end of a sign-in: the issuer, the domain, and that it is open', async () => {
  const { workspaceId, domain } = await company();
  const ada = person(`ada@${domain}`);
  const session = granted(await arrive(workspaceId, ada));
  granted(await change(workspaceId, { issuer: 'https://new.acme.example' }));
  expect(await findSession(sql, session.secret, null)).toBeNull();
  expect(failure(await arrive(workspaceId, ada))).toBe('failed');
  const moved = granted(await arrive(workspaceId, { ...ada, issuer: 'https://new.acme.example' }));
  await removeDomain(sql, scopeOf(workspaceId), domain);
  expect(await findSession(sql, moved.secret, null)).toBeNull();
  expect(failure(await arrive(workspaceId, { ...ada, issuer: 'https://new.acme.example' }))).toBe(
    'address_not_of_workspace',
  );
  const closed = await company();
  await sql.query('update workspaces set closing_at = now() where id = $1', [closed.workspaceId]);
  expect(failure(await arrive(closed.workspaceId, person(`a@${closed.domain}`)))).toBe('failed');
});

test('with only_openid, people of the domains sign in at their provider alone, and an owner by the operator’s link', async () => {
  const { workspaceId, domain } = await company();
  const [email, owner] = [`ada@${domain}`, `owner@${domain}`];
  const options = { passwordHash: HASH, isEmailVerified: true };
  const before = await signedIn(db.database, { ...options, email, roles: { [workspaceId]: 'admin' } });
  const chief = await signedIn(db.database, { ...options, email: owner, roles: { [workspaceId]: 'owner' } });
  const outside = await signedIn(db.database, { ...options, roles: { [workspaceId]: 'viewer' } });
  granted(await change(workspaceId, { onlyOpenid: true }));
  const byPassword = (who: string) => signIn(parts, visitor(), { email: who, password: PASSWORD, code: null });
  expect(failure(await byPassword(email))).toBe('company_alone');
  granted(await byPassword(outside.email));
  const elsewhere = person(email, { issuer: 'https://instance.example' });
  expect(failure(await signInByOpenId(parts, visitor(), elsewhere))).toBe('company_alone');
  const stale = await findSession(sql, before.secret, null);
  expect([stale?.roles.size, stale?.withheld.get(workspaceId)]).toEqual([0, 'company_sign_in']);
  const link = async (userId: string) =>
    resetPassword(parts, visitor(), {
      token: secretIn(granted(await makeResetLink(parts, operatorScope(), userId))),
      password: 'another long enough secret',
    });
  expect(failure(await link(before.userId))).toBe('company_alone');
  const recovered = granted(await link(chief.userId));
  expect(recovered?.act.actor.roles.get(workspaceId)).toBe('owner');
  const session = granted(await arrive(workspaceId, person(email)));
  expect(session.act.actor.roles.get(workspaceId)).toBe('admin');
});

test('a provider is named as it names itself, where it may be reached, and with what it takes to sign in', async () => {
  const workspaceId = await newWorkspace(db.database);
  const refused = async (given: AccessChange) => {
    const result = await change(workspaceId, given);
    return isRefusal(result) ? result.param : null;
  };
  expect(await refused({ issuer: 'http://login.example', clientId: 'x' })).toBe('issuer');
  expect(await refused({ issuer: 'https://10.0.0.1/', clientId: 'x' })).toBe('issuer');
  expect(await refused({ issuer: 'https://evil.example/.well-known/openid-configuration', clientId: 'x' })).toBe(
    'issuer',
  );
  expect(await refused({ issuer: 'https://login.example' })).toBe('client_id');
  expect(await refused({ onlyOpenid: true })).toBe('only_openid');
  granted(await change(workspaceId, { issuer: ISSUER, clientId: 'x', clientSecret: 'secret' }));
  const events = await sql.query(
    `select before, after from audit_events where workspace_id = $1 and action = 'access.update'`,
    [workspaceId],
  );
  expect(JSON.stringify(events)).not.toContain('"secret"');
  expect(await showAccess(sql, scopeOf(workspaceId))).toMatchObject({ hasClientSecret: true, version: 1 });
  expect(
    await changeAccess({ sql, keyring: parts.keyring, network }, scopeOf(workspaceId), { version: 0, change: {} }),
  ).toMatchObject({ code: 'PRECONDITION_FAILED' });
});

test('members without a second factor see nothing of a workspace that asks for one, and their tokens neither', async () => {
  const workspaceId = await newWorkspace(db.database);
  const ada = await signedIn(db.database, { roles: { [workspaceId]: 'developer' }, isEmailVerified: true });
  const expiresAt = new Date(Date.now() + 86_400_000);
  const request = { workspaceId, name: 't', scopes: ['keys:read'] as const, expiresAt };
  const token = granted(await createAccessToken(sql, ada.act, request));
  granted(await change(workspaceId, { secondFactor: true }));
  const seen = async (secret: string) => {
    const actor = await findSession(sql, secret, null);
    if (actor === null) throw new Error('the session ended');
    const scope = authorise({ actor, address: null, requestId: null }, 'keys:read', workspaceId);
    return isRefusal(scope) ? [scope.code, scope.param] : 'all';
  };
  expect(await seen(ada.secret)).toEqual(['FORBIDDEN', 'second_factor']);
  expect((await findAccessToken(sql, token.secret ?? '', null))?.withheld).toBe('second_factor');
  const { secret } = granted(await beginAuthenticator(sql, parts.keyring, ada.act));
  const code = codeOf(seedOf(secret), stepAt(Date.now()));
  const set = granted(
    await renewedIn(sql, ada.act, visitor(), (tx) => confirmAuthenticator(tx, parts.keyring, ada.act, code), {
      hasSecondFactor: true,
    }),
  );
  expect(await seen(set.session.secret)).toBe('all');
  expect((await findAccessToken(sql, token.secret ?? '', null))?.withheld).toBeNull();
  const [recovery = ''] = set.value;
  await sql.query('update sessions set second_factor_at = null where user_id = $1', [ada.userId]);
  expect(await seen(set.session.secret)).toEqual(['FORBIDDEN', 'second_factor']);
  const wrong = await proveSecondFactor(parts, visitor(), set.session.act, '000000');
  expect(wrong).toMatchObject({ code: 'UNAUTHENTICATED', param: 'code' });
  const proven = granted(await proveSecondFactor(parts, visitor(), set.session.act, recovery));
  expect(await seen(proven.secret)).toBe('all');
  await sql.query('delete from authenticators where user_id = $1', [ada.userId]);
  expect(await seen(proven.secret)).toEqual(['FORBIDDEN', 'second_factor']);
});

test('a sign-in at the workspace’s own provider is a second factor there, and in no other workspace', async () => {
  const { workspaceId, domain } = await company({ secondFactor: true });
  const other = await newWorkspace(db.database);
  granted(await change(other, { secondFactor: true }));
  const ada = person(`ada@${domain}`);
  const { userId } = granted(await arrive(workspaceId, ada)).act.actor;
  await addMember(db.database, other, userId, 'viewer');
  const { roles, withheld } = granted(await arrive(workspaceId, ada)).act.actor;
  expect([roles, withheld]).toEqual([new Map([[workspaceId, 'viewer']]), new Map([[other, 'second_factor']])]);
});

test('sessions and tokens are of no use for a workspace from outside of its networks', async () => {
  const workspaceId = await newWorkspace(db.database);
  const ada = await signedIn(db.database, { roles: { [workspaceId]: 'owner' } });
  const expiresAt = new Date(Date.now() + 86_400_000);
  const request = { workspaceId, name: 't', scopes: ['keys:read'] as const, expiresAt };
  const token = granted(await createAccessToken(sql, ada.act, request));
  const networks = { allowedNetworks: ['203.0.113.0/24', '2001:db8::/32'] };
  const byOwner = granted(authorise({ ...ada.act, address: '192.0.2.1' }, 'access:write', workspaceId));
  const own = await changeAccess({ sql, keyring: parts.keyring, network }, byOwner, {
    version: null,
    change: networks,
  });
  expect(own).toMatchObject({ code: 'INVALID_REQUEST', param: 'allowed_networks' });
  granted(await change(workspaceId, networks));
  const from = async (address: string | null) => [
    (await findSession(sql, ada.secret, address))?.withheld.get(workspaceId) ?? null,
    (await findAccessToken(sql, token.secret ?? '', address))?.withheld,
  ];
  expect(await from('203.0.113.200')).toEqual([null, null]);
  expect(await from('2001:db8:9::1')).toEqual([null, null]);
  expect(await from('203.0.114.1')).toEqual(['network', 'network']);
  expect(await from(null)).toEqual(['network', 'network']);
});

test('a workspace’s own provider is asked by its metadata, with the client’s secret, and for groups', async () => {
  const { workspaceId, domain } = await company({ groupRoles: { engineers: 'developer' } });
  const callback = `https://gateway.example/admin/v1/openid/callback/${workspaceId}`;
  const issuer = await startOpenIdIssuer(callback);
  try {
    granted(await change(workspaceId, { ...CLIENT, issuer: issuer.issuer }));
    const faults: unknown[] = [];
    const found = async (allowed: readonly string[]) => {
      const providers = new WorkspaceProviders({
        sql,
        keyring: parts.keyring,
        network: new TargetNetwork(allowed),
        onFault: (fault) => faults.push(fault),
      });
      return (await providers.find(workspaceId))?.begin(callback, 'sign_in');
    };
    expect(await found([])).toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    expect(faults).toMatchObject([{ cause: { message: expect.stringContaining('not public') } }]);
    const providers = new WorkspaceProviders({
      sql,
      keyring: parts.keyring,
      network,
      onFault: (fault) => faults.push(fault),
    });
    const provider = await providers.find(workspaceId);
    if (provider === null) throw new Error('the workspace has a provider');
    const { url, attempt } = granted(await provider.begin(callback, 'sign_in'));
    const arrived = granted(await provider.finish(await issuer.signIn(url, `ada@${domain}|engineers`), attempt));
    expect(arrived).toMatchObject({ email: `ada@${domain}`, isEmailVerified: true, groups: ['engineers'] });
    const session = granted(await arrive(workspaceId, arrived));
    expect(session.act.actor.roles.get(workspaceId)).toBe('developer');
  } finally {
    await issuer.stop();
  }
});
