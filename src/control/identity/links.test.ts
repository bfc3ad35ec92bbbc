import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { signedIn } from '../../../test/support/identity.ts';
import { isRefusal } from '../../domain/refusals.ts';
import { claimLink, findLink, type LinkPurpose, linkUrl, makeLink } from './links.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await startTestDatabase();
});
afterAll(() => db.stop());

const HOUR_MS = 3_600_000;
const PURPOSES = ['set_up', 'reset', 'sign_up'] as const;

async function linkFor(purpose: LinkPurpose): Promise<string> {
  const { userId } = await signedIn(db.database);
  return await makeLink(db.database, { purpose, userId, isMailed: true, maker: null });
}

test.each([
  ['set_up', 24],
  ['reset', 2],
  ['sign_up', 24],
] as const)('a link for the purpose %s works for %i hours', async (purpose, hours) => {
  const secret = await linkFor(purpose);
  const link = await findLink(db.database, purpose, secret);
  if (isRefusal(link)) throw new Error(link.message);
  const age = (ms: number) =>
    db.database.query('update one_time_links set expires_at = expires_at - $2::interval where id = $1', [
      link.id,
      `${ms} milliseconds`,
    ]);
  await age(hours * HOUR_MS - 300_000);
  expect(isRefusal(await findLink(db.database, purpose, secret))).toBe(false);
  await age(300_000);
  for (const use of [findLink, claimLink]) {
    expect(await use(db.database, purpose, secret)).toMatchObject({ code: 'INVALID_REQUEST', param: 'token' });
  }
});

test.each(PURPOSES)('a link for the purpose %s works once, and for no other purpose', async (purpose) => {
  const secret = await linkFor(purpose);
  for (const other of PURPOSES.filter((each) => each !== purpose)) {
    expect(isRefusal(await claimLink(db.database, other, secret))).toBe(true);
  }
  expect(isRefusal(await claimLink(db.database, purpose, secret))).toBe(false);
  expect(isRefusal(await claimLink(db.database, purpose, secret))).toBe(true);
  expect(isRefusal(await findLink(db.database, purpose, secret))).toBe(true);
});

test('a link ends the earlier one of its user for the same purpose, and none for another or of another user', async () => {
  const [{ userId }, { userId: otherId }] = [await signedIn(db.database), await signedIn(db.database)];
  const make = (purpose: LinkPurpose, of = userId) =>
    makeLink(db.database, { purpose, userId: of, isMailed: true, maker: null });
  const earlier = [await make('reset'), await make('set_up'), await make('reset', otherId)] as const;
  const latest = await make('reset');
  const isDead = async (purpose: LinkPurpose, secret: string) =>
    isRefusal(await findLink(db.database, purpose, secret));
  expect(await isDead('reset', earlier[0])).toBe(true);
  expect(await isDead('set_up', earlier[1])).toBe(false);
  expect(await isDead('reset', earlier[2])).toBe(false);
  expect(await isDead('reset', latest)).toBe(false);
});

test.each([
  ['set_up', 'https://gateway.example/set-up#secret'],
  ['reset', 'https://gateway.example/reset-password#secret'],
  ['sign_up', 'https://gateway.example/sign-up#secret'],
  ['invitation', 'https://gateway.example/invitation#secret'],
] as const)(
  'a link for the purpose %s leads to its page, and its secret stands where no server sees it',
  (purpose, url) => {
    expect(linkUrl('https://gateway.example', purpose, 'secret')).toBe(url);
  },
);
