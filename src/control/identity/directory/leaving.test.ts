import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { granted, openProject } from '../../../../test/support/accounts.ts';
import { openCompany } from '../../../../test/support/company.ts';
import { startTestDatabase, type TestDatabase } from '../../../../test/support/database.ts';
import { identityParts, newWorkspace, secretIn, signedIn, visitor } from '../../../../test/support/identity.ts';
import { makeInvitedKey } from '../../../../test/support/invited-key.ts';
import { scopeOf } from '../../../../test/support/scopes.ts';
import { createKey } from '../../accounts/keys.ts';
import { makeChange } from '../../audit/change.ts';
import { listAuditEvents } from '../../audit/audit.ts';
import { isRefusal } from '../../../domain/refusals.ts';
import { authorise } from '../../../domain/workspace-scope.ts';
import type { Sql } from '../../../lib/sql.ts';
import { acceptAsUser } from '../accept-invitation.ts';
import { createAccessToken, findAccessToken } from '../access-tokens.ts';
import type { IdentityParts } from '../identity-parts.ts';
import { invite } from '../invitations.ts';
import { findSession, openSession } from '../sessions.ts';
import { signInAtWorkspace } from '../workspace-sign-in.ts';
import { findDirectory, makeDirectoryToken } from './directory-tokens.ts';
import type { DirectoryRequest } from './directory-change.ts';
import { addPerson, changePerson, removePerson } from './directory-users.ts';

const ISSUER = 'https://login.acme.example';

let db: TestDatabase;
let sql: Sql;
let parts: IdentityParts;

beforeAll(async () => {
  db = await startTestDatabase();
  sql = db.control;
  ({ parts } = identityParts(sql));
});
afterAll(() => db.stop());

/** A company whose directory has sent one person, a developer; who has a session here, and one by its provider. */
async function employed({ endsLeaversKeys = true, isInvited = false } = {}) {
  const access = { issuer: ISSUER, clientId: 'c', defaultRole: 'developer', endsLeaversKeys } as const;
  const { workspaceId, domain } = await openCompany(sql, access);
  const scope = scopeOf(workspaceId);
  await signedIn(sql, { roles: { [workspaceId]: 'owner' } });
  const { secret } = granted(await makeDirectoryToken(sql, scope));
  const directory = await findDirectory(sql, secret);
  if (directory === null) throw new Error('a new token is known');
  const request: DirectoryRequest = { sql, directory, visitor: visitor() };
  const email = `ada@${domain}`;
  const fields = { externalId: null, displayName: 'Ada', givenName: null, familyName: null, email: null };
  const invitation = isInvited ? granted(await invite(parts, scope, { email, role: 'viewer' })) : null;
  const isInvitedKeyLive =
    invitation === null ? null : await makeInvitedKey(sql, { workspaceId, invitationId: invitation.id });
  const person = granted(await addPerson(request, { ...fields, userName: email, active: true }));
  const session = await sql.transaction((tx) => openSession(tx, person.userId, visitor()));
  const signIn = () =>
    signInAtWorkspace(parts, visitor(), {
      workspaceId,
      person: { issuer: ISSUER, subject: email, email, isEmailVerified: true, name: 'Ada', groups: [] },
      present: null,
    });
  const workspace = { id: workspaceId } as Parameters<typeof openProject>[1];
  const project = await openProject(sql, workspace, { name: `project ${randomUUID()}` });
  const mayKeys = granted(authorise(session.act, 'keys:write', workspaceId));
  return {
    workspaceId,
    email,
    invitation,
    isInvitedKeyLive,
    session,
    signIn,
    request,
    person,
    makeKey: (hold?: () => Promise<unknown>) =>
      makeChange(sql, async (tx) => {
        const key = await createKey(tx, mayKeys, project.id, { name: 'mine' });
        await hold?.();
        return key;
      }),
    set: (active: boolean) => changePerson(request, person.id, () => ({ active })),
    liveKeys: () =>
      sql.query('select from keys where workspace_id = $1 and created_by = $2 and revoked_at is null', [
        workspaceId,
        person.userId,
      ]),
  };
}

test('who is deactivated has no session, token, key or membership left, and gets none of them back', async () => {
  const { workspaceId, email, invitation, isInvitedKeyLive, session, signIn, person, makeKey, set, liveKeys } =
    await employed({ isInvited: true });
  const elsewhere = await newWorkspace(db.database);
  const bySignIn = granted(await signIn());
  const key = granted(await makeKey());
  const expiresAt = new Date(Date.now() + 86_400_000);
  const asked = { workspaceId, name: 'ci', scopes: ['keys:read'], expiresAt } as const;
  const token = granted(await createAccessToken(sql, session.act, asked));
  granted(await invite(parts, scopeOf(elsewhere), { email, role: 'viewer' }));
  expect(await liveKeys()).toHaveLength(2);
  expect(granted(await set(false))).toMatchObject({ active: false });
  expect(await liveKeys()).toEqual([]);
  expect(await isInvitedKeyLive?.()).toBe(false);
  for (const { secret } of [session, bySignIn]) expect(await findSession(sql, secret, null)).toBeNull();
  expect(await findAccessToken(sql, token.secret ?? '', null)).toBeNull();
  expect(await signIn()).toMatchObject({ code: 'FORBIDDEN', param: 'left_company' });
  const accepted = await acceptAsUser(parts, visitor(), session.act, secretIn(invitation?.link ?? ''));
  expect(accepted).toMatchObject({ code: 'CONFLICT' });
  const { items } = await listAuditEvents(sql, scopeOf(workspaceId), {});
  expect(items).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ action: 'key.revoke', targetId: key.id, actorName: 'directory' }),
      expect.objectContaining({ action: 'member.remove', targetId: person.userId }),
      expect.objectContaining({ action: 'invitation.accept', targetId: invitation?.id, actorName: 'directory' }),
      expect.objectContaining({
        action: 'directory_user.deactivate',
        after: { sessions: 2, access_tokens: 1, keys: 2 },
      }),
    ]),
  );
  const [announced] = await sql.query(`select from changes where kind = 'key' and subject_id = $1 offset 1`, [key.id]);
  expect(announced).toBeDefined();
  granted(await set(true));
  granted(await signIn());
  expect(await liveKeys()).toEqual([]);
  expect(await findAccessToken(sql, token.secret ?? '', null)).toBeNull();
  const open = await sql.query(
    'select from invitations where email = $1 and accepted_at is null and revoked_at is null',
    [email],
  );
  expect(open).toHaveLength(1);
});

test('who is removed from the directory does not come in by themselves, until it names them again', async () => {
  const { request, workspaceId, person, signIn, email, set } = await employed();
  granted(await signIn());
  granted(await set(false));
  const { id } = granted(await invite(parts, scopeOf(workspaceId), { email, role: 'viewer' }));
  const isInvitedKeyLive = await makeInvitedKey(sql, { workspaceId, invitationId: id });
  expect(await removePerson(request, person.id)).toBeNull();
  expect(await isInvitedKeyLive()).toBe(false);
  const { items } = await listAuditEvents(sql, scopeOf(workspaceId), {});
  expect(items).toContainEqual(expect.objectContaining({ action: 'invitation.revoke', targetId: id }));
  expect(await signIn()).toMatchObject({ param: 'left_company' });
  const fields = { externalId: null, displayName: null, givenName: null, familyName: null, email: null };
  granted(await addPerson(request, { ...fields, userName: email, active: true }));
  granted(await signIn());
});

test('keys of people who leave stay where a workspace wants it, and their sessions end all the same', async () => {
  const { session, makeKey, set, liveKeys } = await employed({ endsLeaversKeys: false });
  granted(await makeKey());
  granted(await set(false));
  expect(await liveKeys()).toHaveLength(1);
  expect(await findSession(sql, session.secret, null)).toBeNull();
});

test('a key that is being made while its maker is deactivated ends with them', async () => {
  const { makeKey, set, liveKeys } = await employed();
  const [made, awaited] = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()];
  const making = makeKey(async () => {
    made.resolve(undefined);
    await awaited.promise;
  });
  await made.promise;
  const leaving = set(false);
  const locks = async () => (await db.database.query('select from pg_locks where not granted')).length;
  await expect.poll(locks, { interval: 2, timeout: 15_000 }).toBeGreaterThan(0);
  awaited.resolve(undefined);
  expect([isRefusal(await making), isRefusal(await leaving)]).toEqual([false, false]);
  expect(await liveKeys()).toEqual([]);
  expect(await makeKey()).toMatchObject({ code: 'NOT_FOUND' });
});

test('many keys, tokens and sign-ins beside a deactivation leave nothing that counts', async () => {
  const { workspaceId, session, signIn, makeKey, set, liveKeys } = await employed();
  const expiresAt = new Date(Date.now() + 86_400_000);
  const token = () =>
    createAccessToken(sql, session.act, { workspaceId, name: 'ci', scopes: ['keys:read'], expiresAt });
  const before = [makeKey(), token(), signIn(), makeKey()];
  const leaving = set(false);
  const after = [makeKey(), token(), signIn(), makeKey()];
  await Promise.all([...before, leaving, ...after]);
  expect(await liveKeys()).toEqual([]);
  const counting = await sql.query(
    `select from access_tokens where workspace_id = $1 and revoked_at is null
     union all select from members where workspace_id = $1 and role <> 'owner'
     union all select from sessions where provider_workspace_id = $1`,
    [workspaceId],
  );
  expect(counting).toEqual([]);
});
