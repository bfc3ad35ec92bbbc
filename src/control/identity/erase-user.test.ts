import { afterAll, beforeAll, expect, test } from 'vitest';
import { granted, openAccount } from '../../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { identityParts, newWorkspace, type Person, signedIn, someEmail, team } from '../../../test/support/identity.ts';
import { operatorScope, scopeOf } from '../../../test/support/scopes.ts';
import { makeInvitedKey } from '../../../test/support/invited-key.ts';
import { UNPACED, verifyLedger } from '../../../test/support/verify-ledger.ts';
import { listAuditEvents, recordAudit } from '../audit/audit.ts';
import { authorise, authoriseOperator } from '../../domain/workspace-scope.ts';
import type { Sql } from '../../lib/sql.ts';
import { postCredit } from '../ledger/postings.ts';
import { createAccessToken, findAccessToken } from './access-tokens.ts';
import { eraseUser } from './erase-user.ts';
import { invite } from './invitations.ts';
import { changeMember } from './members.ts';
import { linkOpenId } from './openid-sign-in.ts';
import { createOperatorToken } from './operator-tokens.ts';
import { findSession } from './sessions.ts';
import { changeUser, listUsers, renameUser } from './users.ts';

let testDatabase: TestDatabase;
let sql: Sql;
beforeAll(async () => {
  testDatabase = await startTestDatabase();
  sql = testDatabase.database;
});
afterAll(() => testDatabase.stop());

const erase = (userId: string, leavesOwnerless = false) =>
  eraseUser({ sql, pacer: UNPACED }, operatorScope(), userId, { leavesOwnerless });

/** The tables that name this text anywhere, with how many of their rows do. */
async function rowsWith(text: string): Promise<readonly string[]> {
  const tables = await sql.query<{ name: string }>(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')
       and not relispartition and relname not in ('backup_lines')`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const [row] = await sql.query<{ count: bigint }>(
      `select count(*) as count from ${name} t where strpos(lower(to_jsonb(t)::text), lower($1)) > 0`,
      [text],
    );
    if (row !== undefined && row.count > 0n) found.push(`${name}: ${row.count}`);
  }
  return found;
}

/** Somebody who has left traces wherever a person can. */
async function busyPerson(): Promise<{ person: Person; workspaceId: string; name: string }> {
  const { workspaceId } = await team(sql, 'owner');
  const name = `Ada ${crypto.randomUUID()}`;
  const person = await signedIn(sql, { email: someEmail(), isOperator: true, roles: { [workspaceId]: 'admin' } });
  const { act, userId, email } = person;
  granted(await renameUser(sql, act, userId, name));
  granted(
    await changeMember(sql, scopeOf(workspaceId, 'owners:write'), userId, { version: null, change: { role: 'owner' } }),
  );
  const expiresAt = new Date(Date.now() + 86_400_000);
  granted(await createAccessToken(sql, act, { workspaceId, name: 'ci', scopes: ['keys:read'], expiresAt }));
  await linkOpenId(sql, act, { issuer: 'https://login.example', subject: email, email, isEmailVerified: true, name });
  const { parts } = identityParts(sql);
  const inWorkspace = granted(authorise(act, 'members:write', workspaceId));
  granted(await invite(parts, inWorkspace, { email: someEmail(), role: 'viewer' }));
  granted(await invite(parts, scopeOf(await newWorkspace(sql)), { email, role: 'viewer' }));
  granted(await createOperatorToken(sql, granted(authoriseOperator(act, 'write')), { name: 'ops', access: 'read' }));
  await sql.query(
    `insert into notices (workspace_id, id, channel, recipient, subject, body)
     values ($1, gen_random_uuid(), 'mail', $2, 'hello', $3)`,
    [workspaceId, email, name],
  );
  await sql.query(
    `insert into alert_rules (workspace_id, id, name, kind, mail_roles, mail_to)
     values ($1, gen_random_uuid(), 'stopped', 'auto_top_up_stopped', '{}', array['ops@example.com', $2])`,
    [workspaceId, email],
  );
  await sql.query(
    `insert into alerts (workspace_id, id, rule_id, kind, subject_kind, subject_id, subject_name, summary)
     values ($1, gen_random_uuid(), gen_random_uuid(), 'member_limit', 'member', $2, $3, $3)`,
    [workspaceId, userId, name],
  );
  await sql.query(
    `insert into notices (workspace_id, id, channel, endpoint_id, recipient, body)
     values ($1, gen_random_uuid(), 'webhook', gen_random_uuid(), 'https://hooks.example', $2)`,
    [workspaceId, JSON.stringify({ subject: { id: userId, name } })],
  );
  const credits = granted(authorise(act, 'postings:write', workspaceId));
  granted(await postCredit(sql, credits, { kind: 'grant', amount: 5n, reason: 'a gift' }));
  return { person, workspaceId, name };
}

test('an erased person is named nowhere in the database, and the ledger and the audit chains are proven all the same', async () => {
  const { person, name } = await busyPerson();
  expect((await rowsWith(person.email)).length).toBeGreaterThan(5);
  const erased = granted(await erase(person.userId));
  expect(erased).toMatchObject({ userId: person.userId, placeholder: `${person.userId}@erased.invalid`, postings: 1 });
  expect(erased.auditEvents).toBeGreaterThan(5);
  expect(await rowsWith(person.email)).toEqual([]);
  expect(await rowsWith(name)).toEqual([]);
  expect(await verifyLedger(sql)).toMatchObject({ ok: true });
});

test('an erased person is signed out at that moment, and has no token, membership, role or way back', async () => {
  const { workspaceId, people } = await team(sql, 'owner', 'developer');
  const [, person] = people;
  const expiresAt = new Date(Date.now() + 86_400_000);
  const token = { workspaceId, name: 'ci', scopes: ['keys:read'] as const, expiresAt };
  const { secret } = granted(await createAccessToken(sql, person.act, token));
  granted(await erase(person.userId));
  expect(await findSession(sql, person.secret, null)).toBeNull();
  expect(await findAccessToken(sql, secret ?? '', null)).toBeNull();
  const { items } = await listUsers(sql, operatorScope(), person.userId);
  expect(items).toMatchObject([{ name: 'erased', hasPassword: false, workspaces: [], sessions: 0n }]);
  expect(items[0]?.erasedAt).toBeInstanceOf(Date);
  const enabled = await changeUser(sql, operatorScope(), person.userId, { isDisabled: false });
  expect(enabled).toMatchObject({ code: 'CONFLICT' });
});

test('addresses that only begin or end as the erased one does stay, and so do events about others', async () => {
  const { workspaceId, people } = await team(sql, 'owner', 'viewer');
  const [owner, person] = people;
  const longer = `a${person.email}`;
  const { parts } = identityParts(sql);
  granted(await invite(parts, scopeOf(workspaceId), { email: longer, role: 'viewer' }));
  granted(await erase(person.userId));
  expect(await rowsWith(longer)).toEqual(expect.arrayContaining(['audit_events: 1', 'invitations: 1']));
  expect(await rowsWith(owner.email)).not.toEqual([]);
});

test('a person is erased with the names that a directory has for them, and with addresses that they had', async () => {
  const { workspaceId, people } = await team(sql, 'owner', 'viewer');
  const [owner, { userId, email }] = people;
  const [id, former, givenAway] = [crypto.randomUUID(), someEmail(), owner.email];
  const scope = scopeOf(workspaceId);
  const target = { kind: 'directory_user', id, name: `ada.${id}` };
  const after = { email: former, external_id: `e-${id}`, active: true };
  await recordAudit(sql, scope, { action: 'directory_user.add', target, after });
  for (const [was, is] of [
    [former, givenAway],
    [givenAway, email],
  ] as const) {
    const fields = { before: { email: was }, after: { email: is } };
    await recordAudit(sql, scope, { action: 'directory_user.readdress', target, ...fields });
  }
  await sql.query(
    `insert into directory_users (workspace_id, id, user_id, user_name, active) values ($1, $2, $3, $4, true)`,
    [workspaceId, id, userId, target.name],
  );
  granted(await erase(userId));
  for (const trace of [email, former, target.name, `e-${id}`]) expect(await rowsWith(trace)).toEqual([]);
  expect(await rowsWith(owner.email)).toContain('users: 1');
  expect(await verifyLedger(sql)).toMatchObject({ ok: true });
});

test('the only owner of a workspace is erased if it may be left without one, and is refused by its name otherwise', async () => {
  const { workspaceId, people } = await team(sql, 'owner');
  const [workspace] = await sql.query<{ name: string }>('select name from workspaces where id = $1', [workspaceId]);
  const refused = await erase(people[0].userId);
  expect(refused).toMatchObject({
    code: 'CONFLICT',
    message: expect.stringContaining(`"${workspace?.name}"`) as string,
  });
  expect(await findSession(sql, people[0].secret, null)).not.toBeNull();
  granted(await erase(people[0].userId, true));
});

test('nobody is erased twice, or without being there, or by themselves', async () => {
  const person = await signedIn(sql);
  granted(await erase(person.userId));
  expect(await erase(person.userId)).toMatchObject({ code: 'CONFLICT' });
  expect(await erase(crypto.randomUUID())).toMatchObject({ code: 'NOT_FOUND' });
  const operator = await signedIn(sql, { isOperator: true });
  const own = granted(authoriseOperator(operator.act, 'write'));
  const refused = await eraseUser({ sql, pacer: UNPACED }, own, operator.userId, { leavesOwnerless: false });
  expect(refused).toMatchObject({ code: 'CONFLICT' });
});

test('an erasure that was broken off has ended all access, and is completed when it is repeated', async () => {
  const person = await signedIn(sql, { isOperator: true });
  granted(await renameUser(sql, person.act, person.userId, 'Grace'));
  const breaking = { slice: () => Promise.reject(new Error('the program dies')) };
  const begun = eraseUser({ sql, pacer: breaking }, operatorScope(), person.userId, { leavesOwnerless: false });
  await expect(begun).rejects.toThrow('dies');
  expect(await findSession(sql, person.secret, null)).toBeNull();
  granted(await erase(person.userId));
  expect(await rowsWith(person.email)).toEqual([]);
});

test('two erasures that concern the same events leave both people out of them', async () => {
  const { workspaceId, people } = await team(sql, 'owner', 'owner', 'viewer');
  const [, first, second] = people;
  const byFirst = granted(authorise(first.act, 'owners:write', workspaceId));
  granted(await changeMember(sql, byFirst, second.userId, { version: null, change: { role: 'developer' } }));
  for (const { userId } of [first, second]) granted(await erase(userId));
  for (const { email } of [first, second]) expect(await rowsWith(email)).toEqual([]);
  expect(await verifyLedger(sql)).toMatchObject({ ok: true });
});

test('invitations to the erased person end with the keys that were made with them, also one that came in between', async () => {
  const person = await signedIn(sql);
  const inviteTo = async (workspaceId: string) => {
    const { parts } = identityParts(sql);
    const { id } = granted(await invite(parts, scopeOf(workspaceId), { email: person.email, role: 'member' }));
    return { workspaceId, id, isKeyLive: await makeInvitedKey(sql, { workspaceId, invitationId: id }) };
  };
  const invited = [await inviteTo(await newWorkspace(sql))];
  const slice = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    expect(await invited[0]?.isKeyLive()).toBe(false);
    if (invited.length === 1) invited.push(await inviteTo(await newWorkspace(sql)));
    return await work();
  };
  granted(await eraseUser({ sql, pacer: { slice } }, operatorScope(), person.userId, { leavesOwnerless: false }));
  expect(invited).toHaveLength(2);
  for (const { workspaceId, id, isKeyLive } of invited) {
    expect(await isKeyLive()).toBe(false);
    const { items } = await listAuditEvents(sql, scopeOf(workspaceId), { action: 'invitation.revoke' });
    expect(items).toMatchObject([{ targetId: id }]);
  }
  expect(await rowsWith(person.email)).toEqual([]);
});

test('the database lets nothing of a posting be changed but an actor who was erased', async () => {
  await openAccount(sql, { credit: 5n });
  for (const change of [`actor = 'somebody'`, `reason = 'x', actor = 'x@erased.invalid'`]) {
    await expect(sql.query(`update ledger_postings set ${change}`)).rejects.toThrow('append-only');
  }
  await expect(sql.query('delete from ledger_postings')).rejects.toThrow('append-only');
});
