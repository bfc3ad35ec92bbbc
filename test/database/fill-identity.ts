import { authorise, authoriseOperator } from '../../src/domain/workspace-scope.ts';
import { createAccessToken, findAccessToken } from '../../src/control/identity/access-tokens.ts';
import { addGroup } from '../../src/control/identity/directory/directory-groups.ts';
import { findDirectory, makeDirectoryToken } from '../../src/control/identity/directory/directory-tokens.ts';
import { addPerson } from '../../src/control/identity/directory/directory-users.ts';
import { beginAuthenticator, confirmAuthenticator } from '../../src/control/identity/authenticators.ts';
import { invite } from '../../src/control/identity/invitations.ts';
import { codeOf, stepAt } from '../../src/control/identity/one-time-passwords.ts';
import { linkOpenId } from '../../src/control/identity/openid-sign-in.ts';
import { createOperatorToken } from '../../src/control/identity/operator-tokens.ts';
import { hashPassword } from '../../src/control/identity/password-hash.ts';
import { BY_INSTANCE } from '../../src/control/identity/makers.ts';
import { makeChallenge } from '../../src/control/identity/passkeys/challenges.ts';
import { makeMemberResetLink } from '../../src/control/identity/passwords.ts';
import { makeSetUpLink } from '../../src/control/identity/set-up.ts';
import { changeAccess } from '../../src/control/identity/workspace-access.ts';
import { addDomain, approveDomain } from '../../src/control/identity/workspace-domains.ts';
import { signInAtWorkspace } from '../../src/control/identity/workspace-sign-in.ts';
import type { ControlSql } from '../../src/lib/control-sql.ts';
import { newId } from '../../src/lib/uuid7.ts';
import { TargetNetwork } from '../../src/lib/target-network.ts';
import { granted } from '../support/accounts.ts';
import { identityParts, seedOf, signedIn, visitor } from '../support/identity.ts';
import { scopeOf } from '../support/scopes.ts';

const DAY_MS = 86_400_000;

/** People in a workspace, with everything that proves who they are. */
export async function fillIdentity(sql: ControlSql, workspaceId: string): Promise<void> {
  const { parts } = identityParts(sql);
  await makeSetUpLink(sql, BY_INSTANCE);
  const passwordHash = hashPassword('a long enough secret', { memory: 64, passes: 1, parallelism: 1 });
  const { act } = await signedIn(sql, {
    email: 'owner@example.com',
    passwordHash,
    isOperator: true,
    roles: { [workspaceId]: 'owner' },
  });
  const { secret } = granted(await beginAuthenticator(sql, parts.keyring, act));
  const code = codeOf(seedOf(secret), stepAt(Date.now()));
  granted(await sql.transaction((tx) => confirmAuthenticator(tx, parts.keyring, act, code)));
  const person = { issuer: 'https://login.example', subject: '1', email: null, isEmailVerified: false, name: null };
  await linkOpenId(sql, act, person);
  const expiresAt = new Date(Date.now() + DAY_MS);
  granted(await createAccessToken(sql, act, { workspaceId, name: 'ci', scopes: ['keys:read'], expiresAt }));
  granted(await invite(parts, scopeOf(workspaceId), { email: 'new@example.com', role: 'member' }));
  const scope = granted(authoriseOperator(act, 'write'));
  granted(await createOperatorToken(sql, scope, { name: 'metrics', access: 'read_and_backup' }));
  await fillPasskeys(sql, act.actor.userId);
  await fillMadeForOthers(sql, workspaceId);
  await fillAccess(sql, workspaceId);
  await fillDirectory(sql, workspaceId);
}

/** A provider of the workspace's own, a proven domain and one that is not, and somebody who has signed in there. */
async function fillAccess(sql: ControlSql, workspaceId: string): Promise<void> {
  const { parts } = identityParts(sql);
  const scope = scopeOf(workspaceId);
  const change = {
    issuer: 'https://login.company.example',
    clientId: 'faregate',
    clientSecret: 'a client secret',
    groupRoles: { engineers: 'developer' },
    allowedNetworks: ['0.0.0.0/0', '::/0'],
  };
  const network = new TargetNetwork([]);
  granted(await changeAccess({ sql, keyring: parts.keyring, network }, scope, { version: null, change }));
  granted(await addDomain(sql, scope, 'unproven.example'));
  granted(await addDomain(sql, scope, 'company.example'));
  granted(await approveDomain(sql, scope, 'company.example'));
  const person = {
    issuer: 'https://login.company.example',
    subject: '2',
    email: 'engineer@company.example',
    isEmailVerified: true,
    name: 'Engineer',
    groups: ['engineers'],
  };
  granted(await signInAtWorkspace(parts, visitor(), { workspaceId, person, present: null }));
}

/** A passkey and a challenge, as the console makes them. */
async function fillPasskeys(sql: ControlSql, userId: string): Promise<void> {
  await makeChallenge(sql, null);
  await sql.query(
    `insert into passkeys (id, user_id, credential_id, public_key, counter, transports, name, last_used_at)
     values ($1, $2, $3, $4, 3, '{internal}', 'Laptop', now())`,
    [newId(), userId, Buffer.from('credential'), Buffer.from('public key')],
  );
}

/** A directory that has sent a group of one person, and one who has left. */
async function fillDirectory(sql: ControlSql, workspaceId: string): Promise<void> {
  const { secret } = granted(await makeDirectoryToken(sql, scopeOf(workspaceId)));
  const directory = await findDirectory(sql, secret);
  if (directory === null) throw new Error('a new token is known');
  const request = { sql, directory, visitor: visitor() };
  const person = { givenName: 'Ada', familyName: 'Lovelace', displayName: 'Ada', email: null, active: true };
  const ada = granted(await addPerson(request, { ...person, userName: 'ada@company.example', externalId: '1' }));
  granted(await addGroup(request, { displayName: 'engineers', externalId: '2', members: [ada.id] }));
  granted(await addPerson(request, { ...person, userName: 'left@company.example', externalId: null, active: false }));
}

/** A link and an invitation that name who made them. */
async function fillMadeForOthers(sql: ControlSql, workspaceId: string): Promise<void> {
  const { parts } = identityParts(sql);
  const second = await signedIn(sql, { email: 'second@example.com', roles: { [workspaceId]: 'owner' } });
  const scopes = ['members:write', 'owners:write'] as const;
  const expiresAt = new Date(Date.now() + DAY_MS);
  const { secret } = granted(
    await createAccessToken(sql, second.act, { workspaceId, name: 'staff', scopes, expiresAt }),
  );
  const actor = await findAccessToken(sql, secret ?? '', null);
  if (actor === null) throw new Error('a token that was just made is there');
  const act = { actor, address: null, requestId: null };
  const invited = { email: 'third@example.com', role: 'viewer' } as const;
  granted(await invite(parts, granted(authorise(act, 'members:write', workspaceId)), invited));
  const byOwner = granted(authorise(act, 'owners:write', workspaceId));
  granted(await makeMemberResetLink(parts, byOwner, second.userId));
}
