import { expect, test } from 'vitest';
import { startTestDatabase } from '../support/database.ts';
import { sqlMutants } from './sql-mutants.ts';

// That each is noticed takes many minutes: npm run mutants

test('every function that moves money has its locks and its fence left out once, and every table its checks', async () => {
  const names = (await sqlMutants()).map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  const has = (start: string, omitted: string): boolean =>
    names.some((name) => name.startsWith(start) && name.includes(omitted));
  for (const [start, omitted] of [
    ['settle_receipts,', 'for key share'],
    ['settle_receipts,', 'and fenced_at is null'],
    ['settle_receipts_again,', 'for update'],
    ['settle_late_receipts,', 'for no key update'],
    ['open_purses,', 'for no key update skip locked'],
    ['lock_purses,', 'for update skip locked'],
    ['commit_draw_leases,', 'commit;'],
    ['post_credit,', 'for no key update'],
    ['draw,', 'perform require_live_epoch'],
    ['receipts:', 'receipts_are_sound'],
    ['purses:', 'purses_credit_never_overdrawn'],
  ] as const) {
    expect([start, has(start, omitted)]).toEqual([start, true]);
  }
});

test('each is a statement that the database takes: one that breaks a function off would always be noticed', async () => {
  const { database, stop } = await startTestDatabase();
  const nothingStays = new Error('rolled back');
  const refused: string[] = [];
  for (const { name, sql } of await sqlMutants()) {
    const tried = database.transaction(async (tx) => {
      await tx.query(sql);
      throw nothingStays;
    });
    await tried.catch((fault: unknown) => fault === nothingStays || refused.push(name));
  }
  await stop();
  expect(refused).toEqual([]);
});
