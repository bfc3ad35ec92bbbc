import { authorise, authoriseOperator } from '../../src/domain/workspace-scope.ts';
import { createAccessToken, findAccessToken } from '../../src/control/identity/access-tokens.ts';
import { beginAuthenticator, confirmAuthenticator } from '../../src/control/identity/authenticators.ts';
import { invite } from '../../src/control/identity/invitations.ts';
import { codeOf, stepAt } from '../../src/control/identity/one-time-passwords.ts';
import { linkOpenId } from '../../src/control/identity/openid-sign-in.ts';
import { createOperatorToken } from '../../src/control/identity/operator-tokens.ts';
import { hashPassword } from '../../src/control/identity/password-hash.ts';
import { BY_INSTANCE } from '../../src/control/identity/makers.ts';
import { makeMemberResetLink } from '../../src/control/identity/passwords.ts';
import { makeSetUpLink } from '../../src/control/identity/set-up.ts';
import type { ControlSql } from '../../src/lib/control-sql.ts';
import { granted } from '../support/accounts.ts';
import { identityParts, seedOf, signedIn } from '../support/identity.ts';
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
  granted(await invite(parts, scopeOf(workspaceId), { email: 'new@example.com', role: 'viewer' }));
  const scope = granted(authoriseOperator(act, 'write'));
  granted(await createOperatorToken(sql, scope, { name: 'metrics', access: 'read_and_backup' }));
  await fillMadeForOthers(sql, workspaceId);
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
  const actor = await findAccessToken(sql, secret ?? '');
  if (actor === null) throw new Error('a token that was just made is there');
  const act = { actor, address: null, requestId: null };
  const invited = { email: 'third@example.com', role: 'viewer' } as const;
  granted(await invite(parts, granted(authorise(act, 'members:write', workspaceId)), invited));
  const byOwner = granted(authorise(act, 'owners:write', workspaceId));
  granted(await makeMemberResetLink(parts, byOwner, second.userId));
}
