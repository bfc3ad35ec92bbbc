import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { granted, openProject } from '../../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import {
  addMember,
  identityParts,
  newWorkspace,
  PASSWORD,
  type Person,
  secretIn,
  signedIn,
  someEmail,
  team,
  visitor,
} from '../../../test/support/identity.ts';
import { consolePrincipal } from '../accounts/console-keys.ts';
import { createKey, showKey } from '../accounts/keys.ts';
import { makeChange } from '../audit/change.ts';
import type { Act } from '../../domain/actor.ts';
import { isRefusal, refuse, type Refusal } from '../../domain/refusals.ts';
import type { Permission, Role } from '../../domain/roles.ts';
import { authorise, authoriseOperator, type WorkspaceScope } from '../../domain/workspace-scope.ts';
import { NetworkList } from '../../lib/network-list.ts';
import type { Sql } from '../../lib/sql.ts';
import { acceptAsNewUser, acceptAsUser, findInvitation } from './accept-invitation.ts';
import { createAccessToken, findAccessToken, listAccessTokens, revokeAccessToken } from './access-tokens.ts';
import { identify } from './identify.ts';
import type { IdentityParts } from './identity-parts.ts';
import { invite, listInvitations, revokeInvitation } from './invitations.ts';
import { changeMember, leaveWorkspace, listMembers, listMemberships, removeMember, showMember } from './members.ts';
import {
  createOperatorToken,
  findOperatorToken,
  listOperatorTokens,
  recordRotation,
  revokeOperatorToken,
} from './operator-tokens.ts';
import type { PasswordHasher } from './password-hasher.ts';
import { makeMemberResetLink, makeResetLink } from './passwords.ts';
import { pruneIdentity } from './prune.ts';
import { findSession } from './sessions.ts';
import { changeUser, showUser } from './users.ts';
import type { UserAct } from './visitor.ts';

let db: TestDatabase;
let sql: Sql;
let parts: IdentityParts;
let hasher: PasswordHasher;

beforeAll(async () => {
  db = await startTestDatabase();
  sql = db.control;
  ({ parts, hasher } = identityParts(sql));
});
afterAll(async () => {
  await hasher.stop();
  await db.stop();
});

const OPERATOR: Act = {
  actor: { kind: 'operator', tokenId: null, name: 'operator', access: 'all' },
  address: null,
  requestId: null,
};

const operatorScope = () => granted(authoriseOperator(OPERATOR, 'write'));

const scopeOf = (act: Act, workspaceId: string, permission: Permission = 'members:write'): WorkspaceScope =>
  granted(authorise(act, permission, workspaceId));

function refusalIn(result: unknown): Refusal {
  if (!isRefusal(result)) throw new Error('it was not refused');
  return result;
}

const HOUR_MS = 3_600_000;
const inHours = (hours: number): Date => new Date(Date.now() + hours * HOUR_MS);

// Members -------------------------------------------------------------------------------------------------------------

test('a member gets another role, which counts from their next request on', async () => {
  const { workspaceId, people } = await team(sql, 'owner', 'developer');
  const [owner, developer] = people;
  const scope = scopeOf(owner.act, workspaceId);
  const changed = granted(
    await changeMember(sql, scope, developer.userId, { version: 1, change: { role: 'billing' } }),
  );
  expect(changed).toMatchObject({ id: developer.userId, email: developer.email, role: 'billing', version: 2 });
  const actor = await findSession(sql, developer.secret, '');
  expect(actor?.roles.get(workspaceId)).toBe('billing');
  expect((await listMembers(sql, scope)).items.map(({ role }) => role)).toEqual(['owner', 'billing']);
});

test('of two simultaneous changes of a member based on one version the second is refused', async () => {
  const { workspaceId, people } = await team(sql, 'owner', 'developer');
  const [owner, developer] = people;
  const scope = scopeOf(owner.act, workspaceId);
  const change = (role: Role) => changeMember(sql, scope, developer.userId, { version: 1, change: { role } });
  const results = await Promise.all([change('viewer'), change('billing')]);
  expect(results.filter(isRefusal)).toMatchObject([{ code: 'PRECONDITION_FAILED' }]);
  const made = results.find((result) => !isRefusal(result));
  expect((await listMembers(sql, scope)).items[1]).toEqual(made);
});

test('an admin neither makes nor changes nor removes nor invites an owner', async () => {
  const { workspaceId, people } = await team(sql, 'owner', 'admin', 'viewer');
  const [owner, admin, viewer] = people;
  const scope = scopeOf(admin.act, workspaceId);
  const refusals = [
    await changeMember(sql, scope, viewer.userId, { version: null, change: { role: 'owner' } }),
    await changeMember(sql, scope, admin.userId, { version: null, change: { role: 'owner' } }),
    await changeMember(sql, scope, owner.userId, { version: null, change: { role: 'viewer' } }),
    await removeMember(sql, scope, owner.userId),
    await invite(parts, scope, { email: someEmail(), role: 'owner' }),
  ];
  expect(refusals.map((refusal) => refusalIn(refusal).code)).toEqual(Array.from({ length: 5 }, () => 'FORBIDDEN'));
  granted(await changeMember(sql, scope, viewer.userId, { version: null, change: { role: 'admin' } }));
});

test('of the links of invitations only wrong ones count against a network', async () => {
  const { workspaceId, people } = await team(sql, 'owner');
  const { parts: own } = identityParts(sql);
  const made = granted(await invite(own, scopeOf(people[0].act, workspaceId), { email: someEmail(), role: 'viewer' }));
  const token = secretIn(made.link ?? '');
  for (let opened = 0; opened < 50; opened++) granted(await findInvitation(own, visitor(), token));
  const codes: string[] = [];
  for (let guess = 0; guess < 40; guess++) {
    codes.push(refusalIn(await findInvitation(own, visitor(), 'A'.repeat(43))).code);
  }
  expect(codes[0]).toBe('INVALID_REQUEST');
  expect(codes.at(-1)).toBe('RATE_LIMITED');
});

test('an admin does not end the invitation of an owner by another one', async () => {
  const { workspaceId, people } = await team(sql, 'owner', 'admin');
  const [owner, admin] = people;
  const email = someEmail();
  const { id } = granted(await invite(parts, scopeOf(owner.act, workspaceId), { email, role: 'owner' }));
  const again = await invite(parts, scopeOf(admin.act, workspaceId), { email, role: 'viewer' });
  expect(refusalIn(again).code).toBe('FORBIDDEN');
  expect((await listInvitations(sql, scopeOf(owner.act, workspaceId))).items).toMatchObject([{ id, role: 'owner' }]);
});

test('an invitation works for as many days as its inviter says, and says so in its mail', async () => {
  const { workspaceId, people } = await team(sql, 'owner');
  const { parts: mailing, mails } = identityParts(sql, { hasMail: true });
  const request = { email: someEmail(), role: 'viewer', days: 1 } as const;
  const made = granted(await invite(mailing, scopeOf(people[0].act, workspaceId), request));
  expect(made.expiresAt.getTime() - made.createdAt.getTime()).toBe(86_400_000);
  expect(mails[0]?.text).toContain('open this link within a day');
});

test('the last owner is not demoted, not removed, and can not leave', async () => {
  const { workspaceId, people } = await team(sql, 'owner', 'admin');
  const [owner, admin] = people;
  const scope = scopeOf(owner.act, workspaceId);
  const refusals = [
    await changeMember(sql, scope, owner.userId, { version: null, change: { role: 'admin' } }),
    await removeMember(sql, scope, owner.userId),
    await leaveWorkspace(sql, owner.act, workspaceId),
  ];
  expect(refusals.map((refusal) => refusalIn(refusal).code)).toEqual(['CONFLICT', 'CONFLICT', 'CONFLICT']);
  granted(await changeMember(sql, scope, admin.userId, { version: null, change: { role: 'owner' } }));
  expect(await leaveWorkspace(sql, owner.act, workspaceId)).toBeNull();
  expect((await listMembers(sql, scope)).items).toMatchObject([{ id: admin.userId, role: 'owner' }]);
});

test('of the members the last owner who can sign in is marked as the one who stays', async () => {
  const { workspaceId, people } = await team(sql, 'owner', 'owner', 'admin');
  const [owner, other] = people;
  const marked = async () => {
    const { items } = await listMembers(sql, scopeOf(owner.act, workspaceId));
    return items.filter(({ isLastOwner }) => isLastOwner).map(({ id }) => id);
  };
  expect(await marked()).toEqual([]);
  await sql.query('update users set disabled_at = now() where id = $1', [other.userId]);
  expect(await marked()).toEqual([owner.userId]);
});

test('of two owners who leave, remove or demote each other at the same time one stays', async () => {
  for (let round = 0; round < 10; round++) {
    const { workspaceId, people } = await team(sql, 'owner', 'owner');
    const [one, two] = people;
    const [byOne, byTwo] = [scopeOf(one.act, workspaceId), scopeOf(two.act, workspaceId)];
    const results = await Promise.all(
      round % 2 === 0
        ? [leaveWorkspace(sql, one.act, workspaceId), leaveWorkspace(sql, two.act, workspaceId)]
        : [
            removeMember(sql, byOne, two.userId),
            changeMember(sql, byTwo, one.userId, { version: null, change: { role: 'viewer' } }),
          ],
    );
    expect(results.filter(isRefusal)).toHaveLength(1);
    const owners = await sql.query(`select from members where workspace_id = $1 and role = 'owner'`, [workspaceId]);
    expect(owners).toHaveLength(1);
  }
});

test('an owner whose account is disabled does not count as one who stays', async () => {
  const { workspaceId, people } = await team(sql, 'owner', 'owner');
  const [owner, disabled] = people;
  await sql.query('update users set disabled_at = now() where id = $1', [disabled.userId]);
  expect(refusalIn(await leaveWorkspace(sql, owner.act, workspaceId)).code).toBe('CONFLICT');
});

test('a member who is removed has no right in the workspace any more, and is no member of another', async () => {
  const { workspaceId, people } = await team(sql, 'owner', 'developer');
  const [owner, developer] = people;
  const other = await newWorkspace(sql);
  await addMember(sql, other, developer.userId, 'viewer');
  expect(await removeMember(sql, scopeOf(owner.act, workspaceId), developer.userId)).toBeNull();
  const actor = await findSession(sql, developer.secret, '');
  expect([...(actor?.roles ?? [])]).toEqual([[other, 'viewer']]);
  const again = await removeMember(sql, scopeOf(owner.act, workspaceId), developer.userId);
  expect(refusalIn(again).code).toBe('NOT_FOUND');
  const elsewhere = scopeOf(OPERATOR, workspaceId);
  expect(
    refusalIn(await changeMember(sql, elsewhere, developer.userId, { version: null, change: { role: 'owner' } })).code,
  ).toBe('NOT_FOUND');
});

test('each change of members leaves an audit event with the role before and after', async () => {
  const { workspaceId, people } = await team(sql, 'owner', 'developer');
  const [owner, developer] = people;
  const scope = scopeOf(owner.act, workspaceId);
  granted(await changeMember(sql, scope, developer.userId, { version: null, change: { role: 'viewer' } }));
  await removeMember(sql, scope, developer.userId);
  const events = await sql.query(
    'select action, before, after, actor_name from audit_events where workspace_id = $1 order by id',
    [workspaceId],
  );
  expect(events).toEqual([
    { action: 'member.update', before: { role: 'developer' }, after: { role: 'viewer' }, actor_name: owner.email },
    { action: 'member.remove', before: { role: 'viewer' }, after: null, actor_name: owner.email },
  ]);
});

// Invitations ---------------------------------------------------------------------------------------------------------

test('an invitation without mail is a link for the inviter, by which somebody new becomes a member', async () => {
  const { workspaceId, people } = await team(sql, 'owner');
  const scope = scopeOf(people[0].act, workspaceId);
  const email = someEmail();
  const invitation = granted(await invite(parts, scope, { email: email.toUpperCase(), role: 'developer' }));
  expect(invitation).toMatchObject({ email, role: 'developer', invitedBy: people[0].email, isMailed: false });
  expect(invitation.link).toContain('https://gateway.example/invitation#');
  const token = secretIn(invitation.link ?? '');
  expect(granted(await findInvitation(parts, visitor(), token))).toMatchObject({
    workspaceId,
    email,
    hasAccount: false,
  });
  const session = granted(await acceptAsNewUser(parts, visitor(), token, { name: 'New', password: PASSWORD }));
  expect([...session.act.actor.roles]).toEqual([[workspaceId, 'developer']]);
  // The link went through the inviter's hands, so it proves nothing of the address.
  expect(await showUser(sql, session.act.actor.userId)).toMatchObject({ email, isEmailVerified: false });
  expect((await listInvitations(sql, scope)).items).toEqual([]);
});

test('an invitation by mail proves the address, and its link is not shown to the inviter', async () => {
  const { parts: mailing, mails, hasher: own } = identityParts(sql, { hasMail: true });
  const { workspaceId, people } = await team(sql, 'owner');
  const email = someEmail();
  const made = granted(await invite(mailing, scopeOf(people[0].act, workspaceId), { email, role: 'viewer' }));
  expect(made).toMatchObject({ isMailed: true, link: null });
  expect(mails).toMatchObject([{ to: email }]);
  const token = secretIn(mails[0]?.text ?? '');
  const session = granted(await acceptAsNewUser(mailing, visitor(), token, { name: 'New', password: PASSWORD }));
  expect(await showUser(sql, session.act.actor.userId)).toMatchObject({ isEmailVerified: true });
  await own.stop();
});

test('of two who accept one invitation at the same time one becomes a member', async () => {
  const { workspaceId, people } = await team(sql, 'owner');
  const scope = scopeOf(people[0].act, workspaceId);
  const token = secretIn(granted(await invite(parts, scope, { email: someEmail(), role: 'viewer' })).link ?? '');
  const accept = (name: string) => acceptAsNewUser(parts, visitor(), token, { name, password: PASSWORD });
  const results = await Promise.all([accept('One'), accept('Two')]);
  expect(results.filter((result) => !isRefusal(result))).toHaveLength(1);
  expect((await listMembers(sql, scope)).items).toHaveLength(2);
  const known = await signedIn(sql);
  const again = secretIn(granted(await invite(parts, scope, { email: known.email, role: 'viewer' })).link ?? '');
  const both = await Promise.all([1, 2].map(() => acceptAsUser(parts, visitor(), known.act, again)));
  expect(both.filter((result) => !isRefusal(result))).toHaveLength(1);
});

test('a user with an account accepts by it, and the session that has more rights has a new secret', async () => {
  const { workspaceId, people } = await team(sql, 'owner');
  const { email, act, secret } = await signedIn(sql);
  const scope = scopeOf(people[0].act, workspaceId);
  const token = secretIn(granted(await invite(parts, scope, { email, role: 'admin' })).link ?? '');
  const asNew = await acceptAsNewUser(parts, visitor(), token, { name: 'New', password: PASSWORD });
  expect(refusalIn(asNew).code).toBe('UNAUTHENTICATED');
  const session = granted(await acceptAsUser(parts, visitor(), act, token));
  expect(session.act.actor.roles.get(workspaceId)).toBe('admin');
  expect(await findSession(sql, secret, '')).toBeNull();
  expect(await findSession(sql, session.secret, '')).not.toBeNull();
});

test('a member who is removed loses the console’s key of the workspace, and no key that it or another goes on using', async () => {
  const [workspaceId, elsewhere] = [await newWorkspace(sql), await newWorkspace(sql)];
  const owner = await signedIn(sql, { roles: { [workspaceId]: 'owner', [elsewhere]: 'owner' } });
  const developer = await signedIn(sql, { roles: { [workspaceId]: 'developer', [elsewhere]: 'developer' } });
  const project = await openProject(sql, { id: workspaceId }, { name: 'Search' });
  const scope = scopeOf(developer.act, workspaceId, 'keys:write');
  const key = granted(await makeChange(sql, (tx) => createKey(tx, scope, project.id, { name: 'service' })));
  const other = await openProject(sql, { id: elsewhere }, { name: 'Search' });
  const playedIn = async (of: string, projectId: string) => {
    const playing = scopeOf(developer.act, of, 'playground:use');
    return granted(await sql.transaction((tx) => consolePrincipal(tx, playing, projectId))).keyId;
  };
  const [played, stays] = [await playedIn(workspaceId, project.id), await playedIn(elsewhere, other.id)];
  expect(await removeMember(sql, scopeOf(owner.act, workspaceId), developer.userId)).toBeNull();
  const isRevoked = async (id: string, of = workspaceId) =>
    granted(await showKey(sql, scopeOf(owner.act, of, 'keys:read'), id)).revokedAt !== null;
  expect(await isRevoked(played)).toBe(true);
  expect(await isRevoked(key.id)).toBe(false);
  expect(await isRevoked(stays, elsewhere)).toBe(false);
});

test('a member who accepts an invitation to another role keeps the role that they have', async () => {
  const { workspaceId, people } = await team(sql, 'owner');
  const guest = await signedIn(sql);
  const scope = scopeOf(people[0].act, workspaceId);
  const { link } = granted(await invite(parts, scope, { email: guest.email, role: 'owner' }));
  await addMember(sql, workspaceId, guest.userId, 'viewer');
  const session = granted(await acceptAsUser(parts, visitor(), guest.act, secretIn(link ?? '')));
  expect(session.act.actor.roles.get(workspaceId)).toBe('viewer');
});

test('an invitation of one address is not accepted by a user with another', async () => {
  const { workspaceId, people } = await team(sql, 'owner');
  const scope = scopeOf(people[0].act, workspaceId);
  const token = secretIn(granted(await invite(parts, scope, { email: someEmail(), role: 'viewer' })).link ?? '');
  const other = await signedIn(sql);
  expect(refusalIn(await acceptAsUser(parts, visitor(), other.act, token)).code).toBe('FORBIDDEN');
  expect(isRefusal(await findInvitation(parts, visitor(), token))).toBe(false);
});

test('an invitation is dead once it was revoked, has expired, or was made again', async () => {
  const { workspaceId, people } = await team(sql, 'owner');
  const scope = scopeOf(people[0].act, workspaceId);
  const email = someEmail();
  const dead = async (link: string | null): Promise<boolean> =>
    isRefusal(await acceptAsNewUser(parts, visitor(), secretIn(link ?? ''), { name: 'New', password: PASSWORD }));
  const first = granted(await invite(parts, scope, { email, role: 'viewer' }));
  const second = granted(await invite(parts, scope, { email, role: 'admin' }));
  expect((await listInvitations(sql, scope)).items).toMatchObject([{ id: second.id, role: 'admin' }]);
  expect(await dead(first.link)).toBe(true);
  await sql.query('update invitations set expires_at = now() where id = $1 and workspace_id = $2', [
    second.id,
    workspaceId,
  ]);
  expect(await dead(second.link)).toBe(true);
  const third = granted(await invite(parts, scope, { email, role: 'viewer' }));
  const foreign = scopeOf(OPERATOR, await newWorkspace(sql));
  expect(refusalIn(await revokeInvitation(sql, foreign, third.id)).code).toBe('NOT_FOUND');
  expect(await revokeInvitation(sql, scope, third.id)).toBeNull();
  expect(refusalIn(await revokeInvitation(sql, scope, third.id)).code).toBe('NOT_FOUND');
  expect(await dead(third.link)).toBe(true);
});

test('a member is not invited again, and text that is no address never', async () => {
  const { workspaceId, people } = await team(sql, 'owner', 'viewer');
  const scope = scopeOf(people[0].act, workspaceId);
  expect(refusalIn(await invite(parts, scope, { email: people[1].email, role: 'admin' })).code).toBe('CONFLICT');
  expect(refusalIn(await invite(parts, scope, { email: 'nobody', role: 'admin' })).param).toBe('email');
});

test('an owner gets a link for the password of a member, but not of one with rights elsewhere', async () => {
  const { workspaceId, people } = await team(sql, 'owner', 'viewer', 'viewer');
  const [owner, member, guest] = people;
  const operator = await signedIn(sql, { isOperator: true, roles: { [workspaceId]: 'viewer' } });
  await addMember(sql, await newWorkspace(sql), guest.userId, 'owner');
  const scope = scopeOf(owner.act, workspaceId, 'owners:write');
  expect(granted(await makeMemberResetLink(parts, scope, member.userId))).toContain('/reset-password#');
  expect(refusalIn(await makeMemberResetLink(parts, scope, guest.userId)).code).toBe('FORBIDDEN');
  expect(refusalIn(await makeMemberResetLink(parts, scope, operator.userId)).code).toBe('FORBIDDEN');
  expect(refusalIn(await makeMemberResetLink(parts, scope, (await signedIn(sql)).userId)).code).toBe('NOT_FOUND');
  const byOperator = scopeOf(OPERATOR, workspaceId, 'owners:write');
  expect(isRefusal(await makeMemberResetLink(parts, byOperator, guest.userId))).toBe(false);
});

// Access tokens -------------------------------------------------------------------------------------------------------

const SCOPES: readonly Permission[] = ['keys:read', 'usage:read'];

test('an access token acts with its scopes and the present role of its member', async () => {
  const { workspaceId, people } = await team(sql, 'owner', 'developer');
  const [owner, developer] = people;
  const request = { workspaceId, name: 'ci', scopes: SCOPES, expiresAt: inHours(1) };
  const token = granted(await createAccessToken(sql, developer.act, request));
  expect(token.secret).toMatch(/^fg_pat_[0-9A-Za-z]{49}$/);
  const actor = await findAccessToken(sql, token.secret ?? '', null);
  expect(actor).toMatchObject({ kind: 'access_token', tokenId: token.id, role: 'developer', workspaceId });
  expect([...(actor?.scopes ?? [])]).toEqual(SCOPES);
  const act = { actor: actor ?? OPERATOR.actor, address: null, requestId: null };
  expect(isRefusal(authorise(act, 'keys:read', workspaceId))).toBe(false);
  expect(refusalIn(authorise(act, 'keys:write', workspaceId)).code).toBe('FORBIDDEN');
  expect(refusalIn(authorise(act, 'keys:read', await newWorkspace(sql))).code).toBe('NOT_FOUND');
  granted(
    await changeMember(sql, scopeOf(owner.act, workspaceId), developer.userId, {
      version: null,
      change: { role: 'billing' },
    }),
  );
  const lesser = { ...act, actor: (await findAccessToken(sql, token.secret ?? '', null)) ?? OPERATOR.actor };
  expect(refusalIn(authorise(lesser, 'keys:read', workspaceId)).code).toBe('FORBIDDEN');
});

test('an access token has no scope beyond the role, no expiry beyond a year, and no workspace of others', async () => {
  const { workspaceId, people } = await team(sql, 'viewer');
  const [viewer] = people;
  const request = { workspaceId, name: 'ci', scopes: SCOPES, expiresAt: inHours(1) };
  const refused = async (change: Partial<typeof request>): Promise<Refusal> =>
    refusalIn(await createAccessToken(sql, viewer.act, { ...request, ...change }));
  expect(await refused({ scopes: ['keys:write'] })).toMatchObject({ param: 'scopes' });
  expect(await refused({ expiresAt: inHours(366 * 24) })).toMatchObject({ param: 'expires_at' });
  expect(await refused({ expiresAt: inHours(-1) })).toMatchObject({ param: 'expires_at' });
  expect(await refused({ workspaceId: await newWorkspace(sql) })).toMatchObject({ code: 'NOT_FOUND' });
});

test('access tokens of a user who was disabled for a while stay dead, and so do sessions', async () => {
  const { workspaceId, people } = await team(sql, 'viewer');
  const [viewer] = people;
  const request = { workspaceId, name: 'ci', scopes: SCOPES, expiresAt: inHours(1) };
  const { secret } = granted(await createAccessToken(sql, viewer.act, request));
  for (const isDisabled of [true, false])
    granted(await changeUser(sql, operatorScope(), viewer.userId, { isDisabled }));
  expect(await findAccessToken(sql, secret ?? '', null)).toBeNull();
  expect(await findSession(sql, viewer.secret, '')).toBeNull();
});

test.each([
  ['it has expired', 'update access_tokens set expires_at = now() where workspace_id = $1 and user_id = $2'],
  ['its member was removed', 'delete from members where workspace_id = $1 and user_id = $2'],
  ['its user is disabled', 'update users set disabled_at = now() where $1::uuid is not null and id = $2'],
  ['its workspace is archived', 'update workspaces set archived_at = now() where id = $1 and $2::uuid is not null'],
])('an access token counts no more once %s', async (_reason, change) => {
  const { workspaceId, people } = await team(sql, 'viewer');
  const [viewer] = people;
  const request = { workspaceId, name: 'ci', scopes: SCOPES, expiresAt: inHours(1) };
  const { secret } = granted(await createAccessToken(sql, viewer.act, request));
  expect(await findAccessToken(sql, secret ?? '', null)).not.toBeNull();
  await sql.query(change, [workspaceId, viewer.userId]);
  expect(await findAccessToken(sql, secret ?? '', null)).toBeNull();
});

test('an access token is listed without its secret, says when it was used, and is revoked by its own user alone', async () => {
  const { workspaceId, people } = await team(sql, 'viewer', 'viewer');
  const [viewer, other] = people;
  const request = { workspaceId, name: 'ci', scopes: SCOPES, expiresAt: inHours(1) };
  const { secret, ...token } = granted(await createAccessToken(sql, viewer.act, request));
  await findAccessToken(sql, secret ?? '', null);
  const { items } = await listAccessTokens(sql, viewer.act);
  expect(items).toEqual([{ ...token, lastUsedAt: expect.any(Date) }]);
  expect(refusalIn(await revokeAccessToken(sql, other.act, token.id)).code).toBe('NOT_FOUND');
  expect(granted(await revokeAccessToken(sql, viewer.act, token.id)).revokedAt).not.toBeNull();
  expect(await findAccessToken(sql, secret ?? '', null)).toBeNull();
  expect((await listAccessTokens(sql, other.act)).items).toEqual([]);
});

// Operator tokens, and whose a request is -----------------------------------------------------------------------------

test('an operator token that is read-only reads, and its name is free again once it is revoked', async () => {
  const token = granted(await createOperatorToken(sql, operatorScope(), { name: 'prometheus', access: 'read' }));
  expect(token.secret).toMatch(/^fg_op_[0-9A-Za-z]{49}$/);
  const actor = await findOperatorToken(sql, token.secret ?? '');
  expect(actor).toEqual({ kind: 'operator', tokenId: token.id, name: 'prometheus', access: 'read' });
  const act = { ...OPERATOR, actor: actor ?? OPERATOR.actor };
  expect(isRefusal(authoriseOperator(act, 'read'))).toBe(false);
  expect(refusalIn(authoriseOperator(act, 'write')).code).toBe('FORBIDDEN');
  const again = () => createOperatorToken(sql, operatorScope(), { name: 'prometheus', access: 'all' });
  expect(refusalIn(await again())).toMatchObject({ code: 'CONFLICT', param: 'name' });
  expect(granted(await revokeOperatorToken(sql, operatorScope(), 'prometheus')).revokedAt).not.toBeNull();
  expect(await findOperatorToken(sql, token.secret ?? '')).toBeNull();
  expect(refusalIn(await revokeOperatorToken(sql, operatorScope(), 'prometheus')).code).toBe('NOT_FOUND');
  const second = granted(await again());
  expect(await findOperatorToken(sql, second.secret ?? '')).toMatchObject({ access: 'all' });
  const { items } = await listOperatorTokens(sql, operatorScope());
  expect(items.filter(({ name }) => name === 'prometheus').map(({ id }) => id)).toEqual([token.id, second.id]);
  expect(JSON.stringify(items)).not.toContain((second.secret ?? '').slice(10, 40));
});

test("a request is the operator's, a token's or a session's, and a bad token is not made good by a cookie", async () => {
  const { workspaceId, people } = await team(sql, 'viewer');
  const [viewer] = people;
  const request = { workspaceId, name: 'ci', scopes: SCOPES, expiresAt: inHours(1) };
  const { secret } = granted(await createAccessToken(sql, viewer.act, request));
  const identified = async (token: string | null, session: string | null) => {
    const isOwnToken = (given: string): Promise<boolean> => Promise.resolve(given === 'own token');
    const presented = { token, session, address: '192.0.2.1', requestId: null };
    const act = await identify({ sql, isOwnToken, operatorNetworks: null }, presented);
    return isRefusal(act) ? act.code : act.actor.kind;
  };
  expect(await identified('own token', null)).toBe('operator');
  expect(await identified(secret, null)).toBe('access_token');
  expect(await identified(null, viewer.secret)).toBe('session');
  expect(await identified('own token', viewer.secret)).toBe('operator');
  for (const bad of [
    '',
    'other token',
    `${secret}x`,
    (secret ?? '').slice(0, -1),
    viewer.secret,
    `fg_op_${(secret ?? '').slice(7)}`,
  ]) {
    expect(await identified(bad, viewer.secret)).toBe('UNAUTHENTICATED');
  }
  expect(await identified(null, null)).toBe('UNAUTHENTICATED');
  expect(await identified(null, secret)).toBe('UNAUTHENTICATED');
  expect(await identified(null, 'x'.repeat(43))).toBe('UNAUTHENTICATED');
});

test('sessions and links that ended long ago are deleted, all others stay', async () => {
  const [live, idle] = [await signedIn(sql), await signedIn(sql)];
  await sql.query(`update sessions set last_seen_at = now() - interval '8 days' where user_id = $1`, [idle.userId]);
  await pruneIdentity(sql);
  expect(await findSession(sql, live.secret, '')).not.toBeNull();
  expect(await sql.query('select from sessions where user_id = $1', [idle.userId])).toEqual([]);
});

// What is recorded and said --------------------------------------------------------------------------------------------

interface RecordedEvent {
  readonly action: string;
  readonly by: string;
  readonly target: readonly (string | null)[];
  readonly before: unknown;
  readonly after: unknown;
}

/** The events of a workspace, or of none with these targets; oldest first. */
async function eventsOf(
  workspaceId: string | null,
  targetIds: readonly string[] = [],
): Promise<readonly RecordedEvent[]> {
  return await sql.query<RecordedEvent & { [name: string]: unknown }>(
    `select action, actor_name as by, array[target_kind, target_id, target_name] as target, before, after
     from audit_events
     where workspace_id is not distinct from $1::uuid and ($1::uuid is not null or target_id = any ($2)) order by id`,
    [workspaceId, targetIds],
  );
}

const event = (
  action: string,
  by: string,
  target: readonly (string | null)[],
  { before = null, after = null }: { readonly before?: unknown; readonly after?: unknown } = {},
): RecordedEvent => ({ action, by, target, before, after });

test('an invitation from its making to its acceptance, or its end, is recorded with its role', async () => {
  const { workspaceId, people } = await team(sql, 'owner');
  const [owner] = people;
  const scope = scopeOf(owner.act, workspaceId);
  const guest = await signedIn(sql);
  const email = someEmail();
  const accepted = granted(await invite(parts, scope, { email: guest.email, role: 'viewer' }));
  granted(await acceptAsUser(parts, visitor(), guest.act, secretIn(accepted.link ?? '')));
  const byNew = granted(await invite(parts, scope, { email, role: 'billing' }));
  granted(await acceptAsNewUser(parts, visitor(), secretIn(byNew.link ?? ''), { name: 'New', password: PASSWORD }));
  const other = someEmail();
  const revoked = granted(await invite(parts, scope, { email: other, role: 'admin' }));
  expect(await revokeInvitation(sql, scope, revoked.id)).toBeNull();
  expect(await leaveWorkspace(sql, guest.act, workspaceId)).toMatchObject({ code: 'NOT_FOUND' });
  const { act } = granted(await acceptAsUserAgain(guest, scope));
  expect(await leaveWorkspace(sql, act, workspaceId)).toBeNull();
  const events = await eventsOf(workspaceId);
  expect(events.slice(0, 6)).toEqual([
    event('invitation.create', owner.email, ['invitation', accepted.id, guest.email], { after: { role: 'viewer' } }),
    event('invitation.accept', guest.email, ['invitation', accepted.id, guest.email], { after: { role: 'viewer' } }),
    event('invitation.create', owner.email, ['invitation', byNew.id, email], { after: { role: 'billing' } }),
    event('invitation.accept', email, ['invitation', byNew.id, email], { after: { role: 'billing' } }),
    event('invitation.create', owner.email, ['invitation', revoked.id, other], { after: { role: 'admin' } }),
    event('invitation.revoke', owner.email, ['invitation', revoked.id, other], { before: { role: 'admin' } }),
  ]);
  expect(events.at(-1)).toEqual(
    event('member.remove', guest.email, ['member', guest.userId, guest.email], { before: { role: 'viewer' } }),
  );
});

/** The session of somebody who is a member already, as it knows that. */
async function acceptAsUserAgain(guest: Person, scope: WorkspaceScope): Promise<{ readonly act: UserAct }> {
  await sql.query('delete from members where workspace_id = $1 and user_id = $2', [scope.workspaceId, guest.userId]);
  const { link } = granted(await invite(parts, scope, { email: guest.email, role: 'viewer' }));
  return granted(await acceptAsUser(parts, visitor(), guest.act, secretIn(link ?? '')));
}

test('what becomes of an invitation that is opened again, or by somebody else, is said', async () => {
  const { workspaceId, people } = await team(sql, 'owner');
  const scope = scopeOf(people[0].act, workspaceId);
  const [{ name: workspace } = { name: '' }] = await sql.query<{ name: string }>(
    'select name from workspaces where id = $1',
    [workspaceId],
  );
  const guest = await signedIn(sql);
  const other = await signedIn(sql);
  const made = granted(await invite(parts, scope, { email: guest.email, role: 'viewer' }));
  const token = secretIn(made.link ?? '');
  const given = { name: 'New', password: PASSWORD };
  expect(await findInvitation(parts, visitor(), token)).toEqual({
    id: made.id,
    workspaceId,
    workspace,
    email: guest.email,
    role: 'viewer',
    isMailed: false,
    hasAccount: true,
    expiresAt: made.expiresAt,
  });
  expect(await acceptAsNewUser(parts, visitor(), token, given)).toEqual(
    refuse('UNAUTHENTICATED', `There is an account for ${guest.email}: sign in with it, then open the link again.`),
  );
  expect(await acceptAsUser(parts, visitor(), other.act, token)).toEqual(
    refuse(
      'FORBIDDEN',
      `The invitation is for ${guest.email}, and you are signed in as ${other.email}: sign in as the other.`,
    ),
  );
  granted(await acceptAsUser(parts, visitor(), guest.act, token));
  const again = refuse(
    'CONFLICT',
    `The invitation of ${guest.email} to "${workspace}" was accepted already: sign in as ${guest.email}.`,
  );
  expect(await findInvitation(parts, visitor(), token)).toEqual(again);
  expect(await acceptAsUser(parts, visitor(), guest.act, token)).toEqual(again);
  expect(await acceptAsNewUser(parts, visitor(), token, given)).toEqual(again);
  expect(await findInvitation(parts, visitor(), 'no secret')).toEqual(
    refuse('INVALID_REQUEST', 'This link does not work any more: it was used, has expired, or was cut off.', {
      param: 'token',
    }),
  );
});

test('an invitation is not accepted with a bad password, for a closed workspace or in a session that has ended', async () => {
  const { workspaceId, people } = await team(sql, 'owner');
  const scope = scopeOf(people[0].act, workspaceId);
  const token = secretIn(granted(await invite(parts, scope, { email: someEmail(), role: 'viewer' })).link ?? '');
  const weak = await acceptAsNewUser(parts, visitor(), token, { name: 'New', password: 'short' });
  expect(refusalIn(weak).param).toBe('password');
  const guest = await signedIn(sql);
  const own = secretIn(granted(await invite(parts, scope, { email: guest.email, role: 'viewer' })).link ?? '');
  await sql.query('delete from sessions where id = $1', [guest.act.actor.sessionId]);
  expect(await acceptAsUser(parts, visitor(), guest.act, own)).toEqual(
    refuse('UNAUTHENTICATED', 'This session has ended: sign in again.'),
  );
  granted(await findInvitation(parts, visitor(), own));
  await sql.query('update workspaces set archived_at = now() where id = $1', [workspaceId]);
  expect(refusalIn(await findInvitation(parts, visitor(), own)).param).toBe('token');
});

test('an invitation that was mailed proves the address of who accepts it, and one that was passed on does not', async () => {
  const { parts: mailing, mails } = identityParts(sql, { hasMail: true });
  const { workspaceId, people } = await team(sql, 'owner');
  const [owner] = people;
  const scope = scopeOf(owner.act, workspaceId);
  const [passedOn, mailed] = [await signedIn(sql), await signedIn(sql)];
  const { link } = granted(await invite(parts, scope, { email: passedOn.email, role: 'viewer' }));
  granted(await acceptAsUser(parts, visitor(), passedOn.act, secretIn(link ?? '')));
  expect(await showUser(sql, passedOn.userId)).toMatchObject({ isEmailVerified: false });
  granted(await invite(mailing, scope, { email: mailed.email, role: 'viewer' }));
  const [{ name } = { name: '' }] = await sql.query<{ name: string }>('select name from workspaces where id = $1', [
    workspaceId,
  ]);
  const secret = secretIn(mails[0]?.text ?? '');
  expect(mails).toEqual([
    {
      to: mailed.email,
      subject: `Invitation to ${name}`,
      text: `${owner.email} invites you to the workspace "${name}". To accept, open this link within 7 days:\n\nhttps://gateway.example/invitation#${secret}`,
    },
  ]);
  granted(await acceptAsUser(mailing, visitor(), mailed.act, secret));
  expect(await showUser(sql, mailed.userId)).toMatchObject({ isEmailVerified: true });
});

test('an invitation is made once under a name, which stands for no other and shows no link again', async () => {
  const { workspaceId, people } = await team(sql, 'owner');
  const scope = scopeOf(people[0].act, workspaceId);
  const request = { email: someEmail(), role: 'viewer', once: 'first' } as const;
  const { link, ...made } = granted(await invite(parts, scope, request));
  expect(made.repeated).toBe(false);
  expect(await invite(parts, scope, request)).toEqual({ ...made, repeated: true, link: null });
  for (const change of [{ email: someEmail() }, { role: 'admin' }, { days: 3 }] as const) {
    expect(refusalIn(await invite(parts, scope, { ...request, ...change })).code).toBe('IDEMPOTENCY_MISMATCH');
  }
  granted(await acceptAsNewUser(parts, visitor(), secretIn(link ?? ''), { name: 'New', password: PASSWORD }));
  expect(await invite(parts, scope, request)).toEqual(
    refuse('CONFLICT', 'The invitation that was made under this name was accepted or has ended.', { param: 'once' }),
  );
});

test('an admin does not end the invitation of an owner, and refusals of invitations say why', async () => {
  const { workspaceId, people } = await team(sql, 'owner', 'admin', 'viewer');
  const [owner, admin, viewer] = people;
  const { id } = granted(await invite(parts, scopeOf(owner.act, workspaceId), { email: someEmail(), role: 'owner' }));
  const scope = scopeOf(admin.act, workspaceId);
  expect(refusalIn(await revokeInvitation(sql, scope, id)).code).toBe('FORBIDDEN');
  expect((await listInvitations(sql, scope)).items).toMatchObject([{ id }]);
  expect(await invite(parts, scope, { email: viewer.email, role: 'viewer' })).toEqual(
    refuse('CONFLICT', `${viewer.email} is a member already.`, { param: 'email' }),
  );
  expect(await invite(parts, scope, { email: 'nobody', role: 'viewer' })).toEqual(
    refuse('INVALID_REQUEST', '"email" must be an email address.', { param: 'email' }),
  );
  expect(await revokeInvitation(sql, scope, crypto.randomUUID())).toEqual(
    refuse('NOT_FOUND', 'There is no such open invitation.'),
  );
});

test('an address that two invite at the same moment is invited by one of them', async () => {
  const { workspaceId, people } = await team(sql, 'owner');
  const scope = scopeOf(people[0].act, workspaceId);
  const email = someEmail();
  const results = await Promise.all(Array.from({ length: 4 }, () => invite(parts, scope, { email, role: 'viewer' })));
  for (const refused of results.filter(isRefusal)) {
    expect(refused).toEqual(
      refuse('CONFLICT', `Another member is inviting ${email} now: look at the invitations in a moment.`, {
        param: 'email',
      }),
    );
  }
  expect((await listInvitations(sql, scope)).items).toHaveLength(1);
});

/** All items of a list that is read by pages of two. */
async function byPages<Item>(
  read: (page: { after: string | null; limit: number }) => Promise<{ items: readonly Item[]; next: string | null }>,
): Promise<readonly (readonly Item[])[]> {
  const pages: (readonly Item[])[] = [];
  let after: string | null = null;
  do {
    const page: { items: readonly Item[]; next: string | null } = await read({ after, limit: 2 });
    pages.push(page.items);
    after = page.next;
  } while (after !== null);
  return pages;
}

test('members, invitations and tokens are listed page by page, none twice and none left out', async () => {
  const { workspaceId, people } = await team(sql, 'owner', 'viewer', 'viewer');
  const [owner] = people;
  const scope = scopeOf(owner.act, workspaceId);
  const members = await byPages((page) => listMembers(sql, scope, page));
  expect(members.map((page) => page.map(({ id }) => id))).toEqual([
    people.slice(0, 2).map(({ userId }) => userId),
    [people[2].userId],
  ]);
  const invited: string[] = [];
  const tokens: string[] = [];
  for (const name of ['a', 'b', 'c']) {
    invited.push(granted(await invite(parts, scope, { email: someEmail(), role: 'viewer' })).id);
    const request = { workspaceId, name, scopes: SCOPES, expiresAt: inHours(1) };
    tokens.push(granted(await createAccessToken(sql, owner.act, request)).id);
  }
  const invitations = await byPages((page) => listInvitations(sql, scope, page));
  expect(invitations.map((page) => page.map(({ id }) => id))).toEqual([invited.slice(0, 2), invited.slice(2)]);
  const listed = await byPages((page) => listAccessTokens(sql, owner.act, page));
  expect(listed.map((page) => page.map(({ id }) => id))).toEqual([tokens.slice(0, 2), tokens.slice(2)]);
});

test('a member is shown as they are, to their own workspace alone', async () => {
  const { workspaceId, people } = await team(sql, 'owner', 'viewer');
  const [owner, viewer] = people;
  const scope = scopeOf(owner.act, workspaceId);
  expect(await showMember(sql, scope, owner.userId)).toEqual({
    id: owner.userId,
    email: owner.email,
    name: 'A user',
    role: 'owner',
    isLastOwner: true,
    hasAuthenticator: false,
    hasPasskey: false,
    disabledAt: null,
    lastSeenAt: expect.any(Date),
    createdAt: expect.any(Date),
    version: 1,
    monthlyLimit: null,
    raisedLimit: null,
    raisedUntil: null,
  });
  const foreign = scopeOf(OPERATOR, await newWorkspace(sql));
  expect(await showMember(sql, foreign, viewer.userId)).toEqual(refuse('NOT_FOUND', 'There is no such member.'));
});

test('a member who may not change roles is told which right it takes, and the last owner that another comes first', async () => {
  const { workspaceId, people } = await team(sql, 'owner', 'admin');
  const [owner, admin] = people;
  const role = await changeMember(sql, scopeOf(admin.act, workspaceId), owner.userId, {
    version: null,
    change: { role: 'viewer' },
  });
  expect(role).toEqual(refuse('FORBIDDEN', 'Your role here, admin, does not include owners:write: it takes owner.'));
  expect(await leaveWorkspace(sql, owner.act, workspaceId)).toEqual(
    refuse('CONFLICT', 'A workspace has one owner at least: make another member an owner first.'),
  );
  const stranger = await signedIn(sql);
  expect(refusalIn(await leaveWorkspace(sql, stranger.act, workspaceId)).code).toBe('NOT_FOUND');
  // Somebody who operates the instance has all rights, and is no member who could leave.
  const operator = await signedIn(sql, { isOperator: true });
  expect(await leaveWorkspace(sql, operator.act, workspaceId)).toEqual(refuse('NOT_FOUND', 'There is no such member.'));
  // The owner who stays may have their role confirmed.
  const same = await changeMember(sql, scopeOf(owner.act, workspaceId), owner.userId, {
    version: null,
    change: { role: 'owner' },
  });
  expect(same).toMatchObject({ role: 'owner', version: 2 });
});

test('a user sees the workspaces that they are a member of by name, with the state of each', async () => {
  const { act, userId } = await signedIn(sql);
  const memberOf = async (letter: string, change: string): Promise<string> => {
    const id = await newWorkspace(sql);
    await sql.query(`update workspaces set name = $2, ${change} where id = $1`, [id, `${letter} ${userId}`]);
    await addMember(sql, id, userId, 'viewer');
    return id;
  };
  const suspension = `suspended_at = now(), suspension_reason = 'a test'`;
  const active = await memberOf('b', 'closing_at = null');
  const suspended = await memberOf('a', suspension);
  const closing = await memberOf('d', `${suspension}, closing_at = now()`);
  await memberOf('c', 'archived_at = now()');
  expect(await listMemberships(sql, act)).toEqual([
    { id: suspended, name: `a ${userId}`, role: 'viewer', state: 'suspended', movedTo: null, movedToUrl: null },
    { id: active, name: `b ${userId}`, role: 'viewer', state: 'active', movedTo: null, movedToUrl: null },
    { id: closing, name: `d ${userId}`, role: 'viewer', state: 'closing', movedTo: null, movedToUrl: null },
  ]);
});

test('a link for the password of a member is refused with the reason, and recorded once it is made', async () => {
  const { workspaceId, people } = await team(sql, 'owner', 'viewer', 'viewer');
  const [owner, member, guest] = people;
  await addMember(sql, await newWorkspace(sql), guest.userId, 'viewer');
  const scope = scopeOf(owner.act, workspaceId, 'owners:write');
  expect(await makeMemberResetLink(parts, scope, guest.userId)).toEqual(
    refuse('FORBIDDEN', 'This user has rights outside of this workspace: only the operator may make a link for them.'),
  );
  expect(await makeMemberResetLink(parts, scope, crypto.randomUUID())).toEqual(
    refuse('NOT_FOUND', 'There is no such member.'),
  );
  expect(await makeResetLink(parts, operatorScope(), crypto.randomUUID())).toEqual(
    refuse('NOT_FOUND', 'There is no such user.'),
  );
  const link = granted(await makeMemberResetLink(parts, scope, member.userId));
  expect(link).toMatch(/^https:\/\/gateway\.example\/reset-password#[\w-]{43}$/);
  const byOperator = scopeOf(OPERATOR, workspaceId, 'owners:write');
  granted(await makeMemberResetLink(parts, byOperator, guest.userId));
  expect(await eventsOf(workspaceId)).toEqual([
    event('password.reset_link', owner.email, ['user', member.userId, member.email]),
    event('password.reset_link', 'operator', ['user', guest.userId, guest.email]),
  ]);
  // The operator's right is in no one workspace, and so outlasts what the member may do elsewhere.
  expect(
    await sql.query('select by_right_in from one_time_links where user_id = any ($1) order by id', [
      [member.userId, guest.userId],
    ]),
  ).toEqual([{ by_right_in: workspaceId }, { by_right_in: null }]);
});

test('access tokens say what is wrong with their request, to the second of their expiry', async () => {
  const { workspaceId, people } = await team(sql, 'viewer');
  const [viewer] = people;
  const DAY_MS = 24 * HOUR_MS;
  const nowMs = Date.now();
  vi.useFakeTimers({ toFake: ['Date'], now: nowMs });
  onTestFinished(() => void vi.useRealTimers());
  const create = (more: object) =>
    createAccessToken(sql, viewer.act, {
      workspaceId,
      name: 'ci',
      scopes: SCOPES,
      expiresAt: new Date(nowMs + DAY_MS),
      ...more,
    });
  const wrongExpiry = refuse('INVALID_REQUEST', '"expires_at" must be in the future, and within 365 days.', {
    param: 'expires_at',
  });
  expect(await create({ expiresAt: new Date(nowMs) })).toEqual(wrongExpiry);
  expect(await create({ expiresAt: new Date(nowMs + 365 * DAY_MS + 1) })).toEqual(wrongExpiry);
  granted(await create({ expiresAt: new Date(nowMs + 365 * DAY_MS) }));
  expect(await create({ scopes: ['usage:read', 'keys:write'] })).toEqual(
    refuse('INVALID_REQUEST', 'Your role, viewer, does not include keys:write.', { param: 'scopes' }),
  );
  const notAMember = refuse(
    'FORBIDDEN',
    'Access tokens are for members of a workspace: operators use operator tokens.',
  );
  const operator = await signedIn(sql, { isOperator: true });
  const request = { workspaceId, name: 'ci', scopes: SCOPES, expiresAt: inHours(1) };
  expect(await createAccessToken(sql, operator.act, request)).toEqual(notAMember);
  await sql.query('delete from members where workspace_id = $1 and user_id = $2', [workspaceId, viewer.userId]);
  expect(await create({})).toEqual(notAMember);
});

test('an access token is made once under a name, and what becomes of it is recorded', async () => {
  const { workspaceId, people } = await team(sql, 'viewer', 'viewer');
  const [viewer, other] = people;
  const expiresAt = inHours(1);
  const request = { workspaceId, name: 'ci', scopes: SCOPES, expiresAt, once: 'first' };
  const { secret, ...token } = granted(await createAccessToken(sql, viewer.act, request));
  expect(token).toEqual({
    id: token.id,
    workspaceId,
    name: 'ci',
    lastFour: secret?.slice(-4),
    scopes: SCOPES,
    createdAt: expect.any(Date),
    expiresAt,
    lastUsedAt: null,
    revokedAt: null,
  });
  expect(await createAccessToken(sql, viewer.act, request)).toEqual({ ...token, secret: null });
  for (const change of [{ name: 'cd' }, { scopes: [] }, { expiresAt: inHours(2) }]) {
    const changed = await createAccessToken(sql, viewer.act, { ...request, ...change });
    expect(refusalIn(changed).code).toBe('IDEMPOTENCY_MISMATCH');
  }
  expect(refusalIn(await createAccessToken(sql, other.act, request)).code).toBe('IDEMPOTENCY_MISMATCH');
  const revoked = granted(await revokeAccessToken(sql, viewer.act, token.id));
  expect(revoked.revokedAt).not.toBeNull();
  expect(granted(await revokeAccessToken(sql, viewer.act, token.id)).revokedAt).toEqual(revoked.revokedAt);
  expect(await revokeAccessToken(sql, other.act, token.id)).toEqual(
    refuse('NOT_FOUND', 'There is no such access token.'),
  );
  const target = ['access_token', token.id, 'ci'];
  expect(await eventsOf(workspaceId)).toEqual([
    event('access_token.create', viewer.email, target, {
      after: { scopes: SCOPES, expires_at: expiresAt.toISOString() },
    }),
    event('access_token.revoke', viewer.email, target),
    event('access_token.revoke', viewer.email, target),
  ]);
});

test('tokens note their use once a minute', async () => {
  const { workspaceId, people } = await team(sql, 'viewer');
  const request = { workspaceId, name: 'ci', scopes: SCOPES, expiresAt: inHours(1) };
  const access = granted(await createAccessToken(sql, people[0].act, request));
  const operator = granted(await createOperatorToken(sql, operatorScope(), { name: 'minutes', access: 'read' }));
  const used = {
    access_tokens: () => findAccessToken(sql, access.secret ?? '', null),
    operator_tokens: () => findOperatorToken(sql, operator.secret ?? ''),
  };
  for (const [table, use] of Object.entries(used)) {
    const id = table === 'access_tokens' ? access.id : operator.id;
    const usedAt = async (): Promise<Date | null | undefined> =>
      (await sql.query<{ at: Date | null }>(`select last_used_at as at from ${table} where id = $1`, [id]))[0]?.at;
    const after = async (ago: string): Promise<[Date | null | undefined, Date | null | undefined]> => {
      await sql.query(`update ${table} set last_used_at = now() - $2::interval where id = $1`, [id, ago]);
      const before = await usedAt();
      expect(await use()).not.toBeNull();
      return [before, await usedAt()];
    };
    expect(await use()).not.toBeNull();
    expect(await usedAt()).toBeInstanceOf(Date);
    const [fresh, freshAfter] = await after('30 seconds');
    expect(freshAfter).toEqual(fresh);
    const [stale, staleAfter] = await after('61 seconds');
    expect(staleAfter).not.toEqual(stale);
  }
});

test('an operator token is made once under a name, for what it is meant for, and its life is recorded', async () => {
  const scope = operatorScope();
  const request = { name: 'backups', access: 'read_and_backup', once: 'first' } as const;
  const { secret, ...token } = granted(await createOperatorToken(sql, scope, request));
  expect(token).toEqual({
    id: token.id,
    name: 'backups',
    lastFour: secret?.slice(-4),
    access: 'read_and_backup',
    createdBy: 'operator',
    createdAt: expect.any(Date),
    lastUsedAt: null,
    revokedAt: null,
  });
  expect(await createOperatorToken(sql, scope, request)).toEqual({ ...token, secret: null });
  expect(refusalIn(await createOperatorToken(sql, scope, { ...request, access: 'read' })).code).toBe(
    'IDEMPOTENCY_MISMATCH',
  );
  expect(refusalIn(await createOperatorToken(sql, scope, { ...request, name: 'other' })).code).toBe(
    'IDEMPOTENCY_MISMATCH',
  );
  expect(await findOperatorToken(sql, secret ?? '')).toMatchObject({ access: 'read_and_backup' });
  expect(await createOperatorToken(sql, scope, { name: 'backups', access: 'all' })).toEqual(
    refuse('CONFLICT', 'There is an operator token named "backups" already.', { param: 'name' }),
  );
  const others: string[] = [];
  for (const name of ['page one', 'page two'])
    others.push(granted(await createOperatorToken(sql, scope, { name, access: 'all' })).id);
  const pages = await byPages((page) => listOperatorTokens(sql, scope, page));
  expect(pages.flat().map(({ id }) => id)).toEqual((await listOperatorTokens(sql, scope)).items.map(({ id }) => id));
  expect(pages.flat().map(({ id }) => id)).toEqual(expect.arrayContaining([token.id, ...others]));
  expect(await revokeOperatorToken(sql, scope, token.id)).toEqual({
    ...token,
    lastUsedAt: expect.any(Date),
    revokedAt: expect.any(Date),
  });
  expect(await revokeOperatorToken(sql, scope, token.id)).toEqual(
    refuse('NOT_FOUND', `There is no operator token "${token.id}".`),
  );
  await recordRotation(sql, scope);
  const target = ['operator_token', token.id, 'backups'];
  expect(await eventsOf(null, [token.id])).toEqual([
    event('operator_token.create', 'operator', target, { after: { access: 'read_and_backup' } }),
    event('operator_token.revoke', 'operator', target),
  ]);
  // Other tests rotate it, too.
  expect((await eventsOf(null, ['own'])).at(-1)).toEqual(
    event('operator_token.rotate', 'operator', ['operator_token', 'own', null]),
  );
});

test('a rotation of the own token ends the links and invitations that were made with it, and no others', async () => {
  const { workspaceId, people } = await team(sql, 'owner', 'viewer');
  const [owner, viewer] = people;
  const scope = scopeOf(owner.act, workspaceId);
  granted(await invite(parts, scopeOf(OPERATOR, workspaceId), { email: someEmail(), role: 'viewer' }));
  const own = granted(await invite(parts, scope, { email: someEmail(), role: 'viewer' }));
  granted(await makeResetLink(parts, operatorScope(), viewer.userId));
  await recordRotation(sql, operatorScope());
  expect((await listInvitations(sql, scope)).items.map(({ id }) => id)).toEqual([own.id]);
  expect(await sql.query('select claimed_at from one_time_links where user_id = $1', [viewer.userId])).toEqual([
    { claimed_at: expect.any(Date) },
  ]);
});

test('an operator is accepted from the networks of operators alone, and others from anywhere', async () => {
  const { workspaceId, people } = await team(sql, 'owner');
  const operator = await signedIn(sql, { isOperator: true, roles: { [workspaceId]: 'viewer' } });
  const operatorNetworks = new NetworkList(['203.0.113.0/24']);
  const from = async (address: string, token: string | null, session: string | null) => {
    const isOwnToken = (given: string): Promise<boolean> => Promise.resolve(given === 'own token');
    const act = await identify({ sql, isOwnToken, operatorNetworks }, { token, session, address, requestId: null });
    return isRefusal(act) ? act.code : act.actor.kind;
  };
  expect(await from('203.0.113.7', 'own token', null)).toBe('operator');
  expect(await from('192.0.2.1', 'own token', null)).toBe('FORBIDDEN');
  expect(await from('192.0.2.1', 'unknown', null)).toBe('UNAUTHENTICATED');
  expect(await from('203.0.113.7', null, operator.secret)).toBe('session');
  expect(await from('192.0.2.1', null, operator.secret)).toBe('FORBIDDEN');
  expect(await from('192.0.2.1', null, people[0].secret)).toBe('session');
});

test('a request that nobody is known by is told what to send, and one that is known keeps where it came from', async () => {
  const { secret, userId } = await signedIn(sql);
  const identified = (token: string | null, session: string | null) =>
    identify(
      { sql, isOwnToken: (given) => Promise.resolve(given === 'own token'), operatorNetworks: null },
      { token, session, address: '192.0.2.1', requestId: 'a request' },
    );
  expect(await identified('own token', null)).toEqual({ ...OPERATOR, address: '192.0.2.1', requestId: 'a request' });
  expect(await identified(null, secret)).toMatchObject({
    actor: { kind: 'session', userId },
    address: '192.0.2.1',
    requestId: 'a request',
  });
  expect(await identified(null, null)).toEqual(
    refuse('UNAUTHENTICATED', 'Sign in, or send "Authorization: Bearer …" with an access token or the operator token.'),
  );
  expect(await identified(null, 'x'.repeat(43))).toEqual(
    refuse('UNAUTHENTICATED', 'The session has ended: sign in again.'),
  );
  expect(await identified('other', secret)).toEqual(
    refuse('UNAUTHENTICATED', 'The token is unknown, has expired or was revoked.'),
  );
});

test('ended sessions, dead links and forgotten networks are deleted, each after its own time', async () => {
  const { userId } = await signedIn(sql);
  granted(await makeResetLink(parts, operatorScope(), userId));
  const left = async () => {
    await pruneIdentity(sql);
    const [row] = await sql.query<{ sessions: bigint; links: bigint; networks: bigint }>(
      `select (select count(*) from sessions where user_id = $1) as sessions,
         (select count(*) from one_time_links where user_id = $1) as links,
         (select count(*) from sign_in_networks where user_id = $1) as networks`,
      [userId],
    );
    return row;
  };
  const age = (text: string) => sql.query(text, [userId]);
  await age(`update one_time_links set expires_at = now() - interval '6 days' where user_id = $1`);
  await age(`update sign_in_networks set used_at = now() - interval '179 days' where user_id = $1`);
  await age(`update sessions set last_seen_at = now() - interval '6 days' where user_id = $1`);
  expect(await left()).toEqual({ sessions: 1n, links: 1n, networks: 1n });
  await age(`update one_time_links set expires_at = now() - interval '8 days' where user_id = $1`);
  await age(`update sign_in_networks set used_at = now() - interval '181 days' where user_id = $1`);
  expect(await left()).toEqual({ sessions: 1n, links: 0n, networks: 0n });
  await age(`update sessions set last_seen_at = now(), expires_at = now() - interval '1 second' where user_id = $1`);
  expect(await left()).toEqual({ sessions: 0n, links: 0n, networks: 0n });
});
