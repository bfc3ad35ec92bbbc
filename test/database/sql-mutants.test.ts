import { expect, test } from 'vitest';
import { startTestDatabase } from '../support/database.ts';
import { EQUIVALENT } from './equivalent-mutants.ts';
import { sqlMutants } from './sql-mutants.ts';

// That each is noticed takes hours: npm run mutants

const groups = await sqlMutants();
const mutants = groups.flatMap((group) => group.mutants);

test('each lock, fence, bound, sign, default and order of a function has a mutant, and each check of a table', () => {
  const names = mutants.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  for (const [start, change] of [
    ['settle_receipts,', 'without "for key share"'],
    ['settle_receipts,', 'without "and fenced_at is null"'],
    ['settle_receipts_again,', 'without "for update"'],
    ['settle_late_receipts,', 'without "for no key update"'],
    ['settle_late_receipts,', 'without "and l.open"'],
    ['settle_late_receipts,', '"order by id desc" for "order by id"'],
    ['settle_late_receipts,', 'without "order by id"'],
    ['open_purses,', 'without "for no key update skip locked"'],
    ['lock_purses,', 'without "for update skip locked"'],
    ['commit_draw_leases,', 'without "commit;"'],
    ['post_credit,', 'without "for no key update"'],
    ['post_credit,', 'and -p_amount > r.most_nano_usd then \'above_payments\'": without "-"'],
    ['post_credit,', '"greatest" for "least"'],
    ['draw,', 'without "perform require_live_epoch'],
    ['draw,', '"<=" for "<"'],
    ['receipt_cost,', '"<=" for "<"'],
    ['apply_budget,', '"+" for "-"'],
    ['find_principals,', '(case when false then k.expires_at when true then k.secret_expires_at end)'],
    ['receipts:', 'without receipts_are_sound'],
    ['purses:', 'without purses_credit_never_overdrawn'],
  ] as const) {
    const has = names.some((name) => name.startsWith(start) && name.includes(change));
    expect({ start, change, has }).toEqual({ start, change, has: true });
  }
});

test('every mutant that is called equivalent is one, with a reason', () => {
  const names = new Set(mutants.map(({ name }) => name));
  expect(Object.keys(EQUIVALENT).filter((name) => !names.has(name))).toEqual([]);
  expect(Object.values(EQUIVALENT).filter((reason) => reason.split(' ').length < 4)).toEqual([]);
});

test('each is a statement that the database takes: one that breaks a function off would always be noticed', async () => {
  const { database, stop } = await startTestDatabase();
  const refused: string[] = [];
  for (const { name, sql } of mutants) {
    // One message is one transaction.
    const tried = database.query(`${sql.replace(/;?\s*$/, ';')} do $do$ begin raise exception 'taken'; end $do$`);
    await tried.catch((fault: unknown) => String(fault).includes('taken') || refused.push(`${name}: ${String(fault)}`));
  }
  await stop();
  expect(refused).toEqual([]);
});
