import { afterAll, beforeAll, expect, test } from 'vitest';
import { granted } from '../../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import {
  identityParts,
  newWorkspace,
  PASSWORD,
  secretIn,
  seedOf,
  signedIn,
  visitor,
} from '../../../test/support/identity.ts';
import { commitOnceAwaited, startStandingStatement } from '../../../test/support/standing-statement.ts';
import { isRefusal, type Refusal } from '../../domain/refusals.ts';
import { authorise } from '../../domain/workspace-scope.ts';
import { acceptAsUser } from './accept-invitation.ts';
import { beginAuthenticator, confirmAuthenticator } from './authenticators.ts';
import type { IdentityParts } from './identity-parts.ts';
import { invite, revokeInvitation } from './invitations.ts';
import { codeOf, stepAt } from './one-time-passwords.ts';
import { hashPassword } from './password-hash.ts';
import type { PasswordHasher } from './password-hasher.ts';
import { BY_INSTANCE } from './makers.ts';
import { makeSetUpLink, setUp } from './set-up.ts';
import { signIn } from './sign-in.ts';

// What may happen once, asked for twice at the same moment: a lock holds both requests at the statement that decides, after
// all that they check before it.

let db: TestDatabase;
let parts: IdentityParts;
let hasher: PasswordHasher;
beforeAll(async () => {
  db = await startTestDatabase();
  ({ parts, hasher } = identityParts(db.control));
});
afterAll(async () => {
  await hasher.stop();
  await db.stop();
});

type Requests<Result> = readonly [() => Promise<Result>, () => Promise<Result>];

/** Starts both requests, which wait for the locks of this statement, and lets them go on once both wait. */
async function together<Result>(
  lock: string,
  value: string,
  [first, second]: Requests<Result>,
): Promise<readonly Result[]> {
  const standing = await startStandingStatement(db, lock, [value]);
  const results = Promise.all([first(), second()]);
  await commitOnceAwaited(db, standing, 2);
  return await results;
}

const madeOf = <Result extends object>(results: readonly (Result | Refusal)[]) =>
  results.filter((result) => !isRefusal(result));

async function invited() {
  const workspaceId = await newWorkspace(db.control);
  const owner = await signedIn(db.control, { roles: { [workspaceId]: 'owner' } });
  const scope = granted(authorise(owner.act, 'members:write', workspaceId));
  const person = await signedIn(db.control);
  const { id, link } = granted(await invite(parts, scope, { email: person.email, role: 'viewer' }));
  const accept = () => acceptAsUser(parts, visitor(), person.act, secretIn(link ?? ''));
  const memberships = () =>
    db.control.query('select from members where workspace_id = $1 and user_id = $2', [workspaceId, person.userId]);
  const accepted = () =>
    db.control.query(`select from audit_events where workspace_id = $1 and action = 'invitation.accept'`, [
      workspaceId,
    ]);
  return { id, scope, accept, memberships, accepted };
}

const LOCK_INVITATION = 'select from invitations where id = $1 for update';

test('of two acceptances of one invitation that have both found it open, one is made', async () => {
  const { id, accept, memberships, accepted } = await invited();
  expect(madeOf(await together(LOCK_INVITATION, id, [accept, accept]))).toHaveLength(1);
  expect(await memberships()).toHaveLength(1);
  expect(await accepted()).toHaveLength(1);
});

test('an invitation that is accepted and revoked at the same time is one of the two', async () => {
  const { id, scope, accept, memberships } = await invited();
  let isRevoked = false;
  const revoke = async (): Promise<object | Refusal> => {
    const refused = await revokeInvitation(db.control, scope, id);
    isRevoked = refused === null;
    return refused ?? {};
  };
  expect(madeOf(await together<object | Refusal>(LOCK_INVITATION, id, [accept, revoke]))).toHaveLength(1);
  expect(await memberships()).toHaveLength(isRevoked ? 0 : 1);
});

test('of two sign-ins with one code of an authenticator that have both found it right, one is made', async () => {
  const passwordHash = hashPassword(PASSWORD, { memory: 1_024, passes: 1, parallelism: 1 });
  const { act, email, userId } = await signedIn(db.control, { passwordHash });
  const seed = seedOf(granted(await beginAuthenticator(db.control, parts.keyring, act)).secret);
  const code = (steps: number): string => codeOf(seed, stepAt(Date.now()) + steps);
  granted(await db.control.transaction((tx) => confirmAuthenticator(tx, parts.keyring, act, code(-1))));
  // Of the next step, which stays valid if this one ends while the test runs.
  const credentials = { email, password: PASSWORD, code: code(1) };
  const enter = () => signIn(parts, visitor(), credentials);
  const results = await together('select from authenticators where user_id = $1 for update', userId, [enter, enter]);
  expect(madeOf(results)).toHaveLength(1);
});

test('of two people who set the instance up by two links at the same time, one becomes the operator', async () => {
  const tokens = [await makeSetUpLink(db.control, BY_INSTANCE), await makeSetUpLink(db.control, BY_INSTANCE)];
  const [first, second] = tokens.map((token, index) => () => {
    const person = { email: `first-${index}@example.com`, name: 'Owner', password: PASSWORD };
    return setUp(parts, visitor(), { ...person, token: token ?? '' });
  });
  if (first === undefined || second === undefined) throw new Error('there are two links');
  const lock = 'select pg_advisory_xact_lock($1)';
  expect(madeOf(await together(lock, '4611220105103826', [first, second]))).toHaveLength(1);
  expect(await db.control.query('select from users where is_operator')).toHaveLength(1);
});
