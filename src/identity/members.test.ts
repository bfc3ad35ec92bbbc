import { afterAll, beforeAll, expect, test } from 'vitest';
import { granted, openProject } from '../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../test/support/database.ts';
import {
  addMember,
  identityParts,
  newWorkspace,
  PASSWORD,
  secretIn,
  signedIn,
  someEmail,
  team,
  visitor,
} from '../../test/support/identity.ts';
import { consolePrincipal } from '../accounts/console-keys.ts';
import { createKey, showKey } from '../accounts/keys.ts';
import { makeChange } from '../audit/change.ts';
import type { Act } from '../domain/actor.ts';
import { isRefusal, type Refusal } from '../domain/refusals.ts';
import type { Permission, Role } from '../domain/roles.ts';
import { authorise, authoriseOperator, type WorkspaceScope } from '../domain/workspace-scope.ts';
import type { Sql } from '../lib/sql.ts';
import { acceptAsNewUser, acceptAsUser, findInvitation } from './accept-invitation.ts';
import { createAccessToken, findAccessToken, listAccessTokens, revokeAccessToken } from './access-tokens.ts';
import { identify } from './identify.ts';
import type { IdentityParts } from './identity-parts.ts';
import { invite, listInvitations, revokeInvitation } from './invitations.ts';
import { changeRole, leaveWorkspace, listMembers, removeMember } from './members.ts';
import { createOperatorToken, findOperatorToken, listOperatorTokens, revokeOperatorToken } from './operator-tokens.ts';
import type { PasswordHasher } from './password-hasher.ts';
import { makeMemberResetLink } from './passwords.ts';
import { pruneIdentity } from './prune.ts';
import { findSession } from './sessions.ts';
import { changeUser, showUser } from './users.ts';

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
  const changed = granted(await changeRole(sql, scope, developer.userId, { role: 'billing', version: 1 }));
  expect(changed).toMatchObject({ id: developer.userId, email: developer.email, role: 'billing', version: 2 });
  const actor = await findSession(sql, developer.secret, '');
  expect(actor?.roles.get(workspaceId)).toBe('billing');
  expect((await listMembers(sql, scope)).items.map(({ role }) => role)).toEqual(['owner', 'billing']);
});

test('of two simultaneous changes of a member based on one version the second is refused', async () => {
  const { workspaceId, people } = await team(sql, 'owner', 'developer');
  const [owner, developer] = people;
  const scope = scopeOf(owner.act, workspaceId);
  const change = (role: Role) => changeRole(sql, scope, developer.userId, { role, version: 1 });
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
    await changeRole(sql, scope, viewer.userId, { role: 'owner', version: null }),
    await changeRole(sql, scope, admin.userId, { role: 'owner', version: null }),
    await changeRole(sql, scope, owner.userId, { role: 'viewer', version: null }),
    await removeMember(sql, scope, owner.userId),
    await invite(parts, scope, { email: someEmail(), role: 'owner' }),
  ];
  expect(refusals.map((refusal) => refusalIn(refusal).code)).toEqual(Array.from({ length: 5 }, () => 'FORBIDDEN'));
  granted(await changeRole(sql, scope, viewer.userId, { role: 'admin', version: null }));
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
    await changeRole(sql, scope, owner.userId, { role: 'admin', version: null }),
    await removeMember(sql, scope, owner.userId),
    await leaveWorkspace(sql, owner.act, workspaceId),
  ];
  expect(refusals.map((refusal) => refusalIn(refusal).code)).toEqual(['CONFLICT', 'CONFLICT', 'CONFLICT']);
  granted(await changeRole(sql, scope, admin.userId, { role: 'owner', version: null }));
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
        : [removeMember(sql, byOne, two.userId), changeRole(sql, byTwo, one.userId, { role: 'viewer', version: null })],
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
  expect(refusalIn(await changeRole(sql, elsewhere, developer.userId, { role: 'owner', version: null })).code).toBe(
    'NOT_FOUND',
  );
});

test('each change of members leaves an audit event with the role before and after', async () => {
  const { workspaceId, people } = await team(sql, 'owner', 'developer');
  const [owner, developer] = people;
  const scope = scopeOf(owner.act, workspaceId);
  granted(await changeRole(sql, scope, developer.userId, { role: 'viewer', version: null }));
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

test('a member who is removed loses the key of the console, and not those that the workspace goes on using', async () => {
  const { workspaceId, people } = await team(sql, 'owner', 'developer');
  const [owner, developer] = people;
  const project = await openProject(sql, { id: workspaceId }, { name: 'Search' });
  const scope = scopeOf(developer.act, workspaceId, 'keys:write');
  const key = granted(await makeChange(sql, (tx) => createKey(tx, scope, project.id, { name: 'service' })));
  const played = await sql.transaction((tx) =>
    consolePrincipal(tx, scopeOf(developer.act, workspaceId, 'playground:use'), project.id),
  );
  expect(await removeMember(sql, scopeOf(owner.act, workspaceId), developer.userId)).toBeNull();
  const isRevoked = async (id: string) =>
    granted(await showKey(sql, scopeOf(owner.act, workspaceId, 'keys:read'), id)).revokedAt !== null;
  expect(await isRevoked(granted(played).keyId)).toBe(true);
  expect(await isRevoked(key.id)).toBe(false);
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
  const actor = await findAccessToken(sql, token.secret ?? '');
  expect(actor).toMatchObject({ kind: 'access_token', tokenId: token.id, role: 'developer', workspaceId });
  expect([...(actor?.scopes ?? [])]).toEqual(SCOPES);
  const act = { actor: actor ?? OPERATOR.actor, address: null, requestId: null };
  expect(isRefusal(authorise(act, 'keys:read', workspaceId))).toBe(false);
  expect(refusalIn(authorise(act, 'keys:write', workspaceId)).code).toBe('FORBIDDEN');
  expect(refusalIn(authorise(act, 'keys:read', await newWorkspace(sql))).code).toBe('NOT_FOUND');
  granted(await changeRole(sql, scopeOf(owner.act, workspaceId), developer.userId, { role: 'billing', version: null }));
  const lesser = { ...act, actor: (await findAccessToken(sql, token.secret ?? '')) ?? OPERATOR.actor };
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
  expect(await findAccessToken(sql, secret ?? '')).toBeNull();
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
  expect(await findAccessToken(sql, secret ?? '')).not.toBeNull();
  await sql.query(change, [workspaceId, viewer.userId]);
  expect(await findAccessToken(sql, secret ?? '')).toBeNull();
});

test('an access token is listed without its secret, says when it was used, and is revoked by its own user alone', async () => {
  const { workspaceId, people } = await team(sql, 'viewer', 'viewer');
  const [viewer, other] = people;
  const request = { workspaceId, name: 'ci', scopes: SCOPES, expiresAt: inHours(1) };
  const { secret, ...token } = granted(await createAccessToken(sql, viewer.act, request));
  await findAccessToken(sql, secret ?? '');
  const { items } = await listAccessTokens(sql, viewer.act);
  expect(items).toEqual([{ ...token, lastUsedAt: expect.any(Date) }]);
  expect(refusalIn(await revokeAccessToken(sql, other.act, token.id)).code).toBe('NOT_FOUND');
  expect(granted(await revokeAccessToken(sql, viewer.act, token.id)).revokedAt).not.toBeNull();
  expect(await findAccessToken(sql, secret ?? '')).toBeNull();
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
    const act = await identify({ sql, isOwnToken }, presented);
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
