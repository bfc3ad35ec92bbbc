import { afterAll, beforeAll, expect, test } from 'vitest';
import { granted } from '../../../test/support/accounts.ts';
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
import { makeInvitedKey } from '../../../test/support/invited-key.ts';
import { operatorScope } from '../../../test/support/scopes.ts';
import { listAuditEvents } from '../audit/audit.ts';
import type { Act } from '../../domain/actor.ts';
import { isRefusal } from '../../domain/refusals.ts';
import type { Permission, Role } from '../../domain/roles.ts';
import { authorise, authoriseOperator, type WorkspaceScope } from '../../domain/workspace-scope.ts';
import type { Sql } from '../../lib/sql.ts';
import { acceptAsNewUser, acceptAsUser, findInvitation } from './accept-invitation.ts';
import { createAccessToken, findAccessToken, revokeAccessToken } from './access-tokens.ts';
import type { IdentityParts } from './identity-parts.ts';
import { invite, listInvitations } from './invitations.ts';
import { endMadeByOwnToken } from './makers.ts';
import { changeMember, leaveWorkspace, removeMember } from './members.ts';
import { createOperatorToken, findOperatorToken, revokeOperatorToken } from './operator-tokens.ts';
import type { PasswordHasher } from './password-hasher.ts';
import { makeMemberResetLink, makeResetLink, resetPassword } from './passwords.ts';
import { changeUser } from './users.ts';

// Links and invitations end with the rights of those who made them.

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

const scopeOf = (act: Act, workspaceId: string, permission: Permission = 'members:write'): WorkspaceScope =>
  granted(authorise(act, permission, workspaceId));

const inAnHour = (): Date => new Date(Date.now() + 3_600_000);

interface Reset {
  readonly workspaceId: string;
  readonly owner: Person;
  readonly member: Person;
}

/** A link by which a member of one workspace sets a new password, made by its owner. */
async function resetByOwner(): Promise<Reset & { readonly link: string }> {
  const { workspaceId, people } = await team(sql, 'owner', 'viewer');
  const [owner, member] = people;
  await addMember(sql, workspaceId, (await signedIn(sql)).userId, 'owner');
  const scope = scopeOf(owner.act, workspaceId, 'owners:write');
  return { workspaceId, owner, member, link: granted(await makeMemberResetLink(parts, scope, member.userId)) };
}

const isDead = async (link: string): Promise<boolean> =>
  isRefusal(await resetPassword(parts, visitor(someEmail()), { token: secretIn(link), password: PASSWORD }));

/** Joins another workspace by its owner's invitation. */
async function join({ member }: Reset): Promise<void> {
  const { workspaceId, people } = await team(sql, 'owner');
  const scope = scopeOf(people[0].act, workspaceId);
  const { link } = granted(await invite(parts, scope, { email: member.email, role: 'owner' }));
  granted(await acceptAsUser(parts, visitor(someEmail()), member.act, secretIn(link ?? '')));
}

test.each<[string, (reset: Reset) => Promise<unknown>]>([
  ['the member joins another workspace', join],
  [
    'the member joins and leaves another workspace',
    async (reset) => {
      await join(reset);
      await sql.query('delete from members where user_id = $1 and workspace_id <> $2', [
        reset.member.userId,
        reset.workspaceId,
      ]);
    },
  ],
  [
    'the member has become one of another workspace in some other way',
    async ({ member }) => await addMember(sql, await newWorkspace(sql), member.userId, 'viewer'),
  ],
  [
    'the member gets a larger role',
    ({ owner, member, workspaceId }) =>
      changeMember(sql, scopeOf(owner.act, workspaceId), member.userId, { version: null, change: { role: 'admin' } }),
  ],
  [
    'the member becomes an operator',
    ({ member }) => changeUser(sql, operatorScope(), member.userId, { isOperator: true }),
  ],
  [
    'the member is removed',
    ({ owner, member, workspaceId }) => removeMember(sql, scopeOf(owner.act, workspaceId), member.userId),
  ],
  [
    'the workspace is closed',
    ({ workspaceId }) => sql.query('update workspaces set archived_at = now() where id = $1', [workspaceId]),
  ],
  [
    'its maker has set a new password by a link',
    async ({ owner }) => {
      const link = await makeResetLink(parts, operatorScope(), owner.userId);
      expect(await isDead(granted(link))).toBe(false);
    },
  ],
  ['its maker has left', ({ owner, workspaceId }) => leaveWorkspace(sql, owner.act, workspaceId)],
  [
    'its maker was an owner and is one again',
    async ({ owner, workspaceId }) => {
      for (const role of ['admin', 'owner'] as const) {
        await changeMember(sql, scopeOf(OPERATOR, workspaceId), owner.userId, { version: null, change: { role } });
      }
    },
  ],
  [
    'its maker was disabled and enabled again',
    async ({ owner }) => {
      for (const isDisabled of [true, false]) await changeUser(sql, operatorScope(), owner.userId, { isDisabled });
    },
  ],
  [
    'its maker is no owner any more, in some other way',
    ({ owner }) => sql.query(`update members set role = 'admin' where user_id = $1`, [owner.userId]),
  ],
])('a link for a password that an owner has made works, and not once %s', async (_when, change) => {
  expect(await isDead((await resetByOwner()).link)).toBe(false);
  const { link, ...reset } = await resetByOwner();
  await change(reset);
  expect(await isDead(link)).toBe(true);
});

test('a link for a password ends with the right of the operator or program that made it', async () => {
  const { workspaceId, people } = await team(sql, 'owner', 'viewer');
  const [owner, member] = people;
  const byOperator = async (act: Act) => {
    const made = await makeResetLink(parts, granted(authoriseOperator(act, 'write')), member.userId);
    return granted(made);
  };
  const operator = await signedIn(sql, { isOperator: true });
  const ofUser = await byOperator(operator.act);
  granted(await changeUser(sql, operatorScope(), operator.userId, { isOperator: false }));
  expect(await isDead(ofUser)).toBe(true);

  const token = granted(await createOperatorToken(sql, operatorScope(), { name: 'terraform', access: 'all' }));
  const actor = (await findOperatorToken(sql, token.secret ?? '')) ?? OPERATOR.actor;
  const ofToken = await byOperator({ ...OPERATOR, actor });
  granted(await revokeOperatorToken(sql, operatorScope(), token.id));
  expect(await isDead(ofToken)).toBe(true);

  const ofOwnToken = await byOperator(OPERATOR);
  await endMadeByOwnToken(sql, OPERATOR);
  expect(await isDead(ofOwnToken)).toBe(true);

  const scopes: readonly Permission[] = ['owners:write'];
  const program = granted(
    await createAccessToken(sql, owner.act, { workspaceId, name: 'ci', scopes, expiresAt: inAnHour() }),
  );
  const act: Act = { ...OPERATOR, actor: (await findAccessToken(sql, program.secret ?? '', null)) ?? OPERATOR.actor };
  const byProgram = async () =>
    granted(await makeMemberResetLink(parts, scopeOf(act, workspaceId, 'owners:write'), member.userId));
  expect(await isDead(await byProgram())).toBe(false);
  const ofProgram = await byProgram();
  granted(await revokeAccessToken(sql, owner.act, program.id));
  expect(await isDead(ofProgram)).toBe(true);
});

test.each<[string, (made: { inviter: Person; workspaceId: string }) => Promise<unknown>]>([
  ['was removed', ({ inviter, workspaceId }) => removeMember(sql, scopeOf(OPERATOR, workspaceId), inviter.userId)],
  [
    'had another role for a while',
    async ({ inviter, workspaceId }) => {
      for (const role of ['developer', 'admin'] as const) {
        await changeMember(sql, scopeOf(OPERATOR, workspaceId), inviter.userId, { version: null, change: { role } });
      }
    },
  ],
  [
    'was disabled for a while',
    async ({ inviter }) => {
      for (const isDisabled of [true, false]) await changeUser(sql, operatorScope(), inviter.userId, { isDisabled });
    },
  ],
])('an invitation by an admin who %s is accepted by nobody, and its key ends', async (_when, change) => {
  const { workspaceId, people } = await team(sql, 'owner', 'admin');
  const [, inviter] = people;
  const { id: invitationId, link } = granted(
    await invite(parts, scopeOf(inviter.act, workspaceId), { email: someEmail(), role: 'viewer' }),
  );
  granted(await findInvitation(parts, visitor(), secretIn(link ?? '')));
  const isKeyLive = await makeInvitedKey(sql, { workspaceId, invitationId });
  expect(await isKeyLive()).toBe(true);
  await change({ inviter, workspaceId });
  expect(await isKeyLive()).toBe(false);
  const accepted = await acceptAsNewUser(parts, visitor(), secretIn(link ?? ''), { name: 'New', password: PASSWORD });
  expect(accepted).toMatchObject({ code: 'INVALID_REQUEST', param: 'token' });
  expect((await listInvitations(sql, scopeOf(OPERATOR, workspaceId))).items).toEqual([]);
  const events = await listAuditEvents(sql, scopeOf(OPERATOR, workspaceId), { action: 'invitation.revoke' });
  expect(events.items).toMatchObject([{ actorName: 'ended rights', before: { role: 'viewer' } }]);
});

test('an owner who is made an admin invites no more owners, by an invitation made before either', async () => {
  const { workspaceId, people } = await team(sql, 'owner', 'owner');
  const [, inviter] = people;
  const made = async (role: Role) =>
    granted(await invite(parts, scopeOf(inviter.act, workspaceId), { email: someEmail(), role })).link ?? '';
  const [ofOwner, ofViewer] = [await made('owner'), await made('viewer')];
  await sql.query(`update members set role = 'admin' where user_id = $1 and workspace_id = $2`, [
    inviter.userId,
    workspaceId,
  ]);
  expect(isRefusal(await findInvitation(parts, visitor(), secretIn(ofOwner)))).toBe(true);
  granted(await findInvitation(parts, visitor(), secretIn(ofViewer)));
});
