import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { newWorkspace, type Person, signedIn } from '../../../test/support/identity.ts';
import { findSession, findStandingSessions, listSessions } from './sessions.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await startTestDatabase();
});
afterAll(() => db.stop());

/** Whether a session works for a request, goes on for a live stream, and is among its user's. */
async function standing({ act, secret }: Person): Promise<readonly boolean[]> {
  const { sessionId } = act.actor;
  const own = await listSessions(db.control, act);
  return [
    (await findSession(db.control, secret, null)) !== null,
    (await findStandingSessions(db.control, [sessionId])).has(sessionId),
    own.items.some(({ id }) => id === sessionId),
  ];
}

const ALL = [true, true, true];
const NONE = [false, false, false];

// What was changed of the session $1 of the user $2, and whether it then works, goes on and is listed.
test.each<[string, string, readonly boolean[]]>([
  [
    'was not used for almost a week',
    `update sessions set last_seen_at = now() - interval '7 days' + interval '5 minutes' where id = $1 and user_id = $2`,
    ALL,
  ],
  [
    'was not used for a week',
    `update sessions set last_seen_at = now() - interval '7 days' where id = $1 and user_id = $2`,
    NONE,
  ],
  [
    'has some minutes left',
    `update sessions set expires_at = now() + interval '5 minutes' where id = $1 and user_id = $2`,
    ALL,
  ],
  ['has expired', `update sessions set expires_at = now() where id = $1 and user_id = $2`, NONE],
  [
    // Its row is still there, as in the moment before it is deleted.
    'is of a user who is disabled',
    `update users set disabled_at = now() where id = $2 and $1::uuid is not null`,
    [false, false, true],
  ],
])('a session that %s stands or ends for requests and live streams alike', async (_, change, expected) => {
  const person = await signedIn(db.database);
  expect(await standing(person)).toEqual(ALL);
  await db.database.query(change, [person.act.actor.sessionId, person.userId]);
  expect(await standing(person)).toEqual(expected);
});

test('a session has its user’s role in each workspace that is open or being closed, and none in an archived one', async () => {
  const [open, closing, archived] = [
    await newWorkspace(db.database),
    await newWorkspace(db.database),
    await newWorkspace(db.database),
  ];
  const roles = { [open]: 'owner', [closing]: 'viewer', [archived]: 'admin' } as const;
  const { secret, act } = await signedIn(db.database, { roles });
  await db.database.query('update workspaces set closing_at = now() where id = any ($1)', [[closing, archived]]);
  await db.database.query('update workspaces set archived_at = now() where id = $1', [archived]);
  const expected = new Map([
    [open, 'owner'],
    [closing, 'viewer'],
  ]);
  expect((await findSession(db.control, secret, null))?.roles).toEqual(expected);
  const { sessionId } = act.actor;
  expect((await findStandingSessions(db.control, [sessionId])).get(sessionId)?.roles).toEqual(expected);
});
