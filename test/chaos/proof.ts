import { expect } from 'vitest';
import { verifyLedger } from '../support/verify-ledger.ts';
import type { Account } from '../support/accounts.ts';
import type { Fleet } from './fleet.ts';
import { isLost, type Seen } from './load.ts';

// What must hold after every failure, by what clients, the upstream and the database know, each by itself.

interface Standing {
  readonly credit: bigint;
  readonly charges: bigint;
  readonly balance: bigint;
}

/** A workspace's credit as posted, what its receipts charge, and what its purse has left. */
export async function standingOf({ database }: Fleet, { workspace }: Account): Promise<Standing> {
  const [standing] = await database.query<Standing>(
    `select
       (select sum(amount_nano_usd)::bigint from ledger_entries where workspace_id = $1 and account = 'credit') as credit,
       (select coalesce(sum(charge_nano_usd), 0)::bigint from receipts where workspace_id = $1) as charges,
       (select limit_nano_usd - spent_nano_usd
          - (select coalesce(sum(charged_nano_usd), 0)::bigint from leases where purse_id = purses.id)
        from purses where workspace_id = $1 and kind = 'credit') as balance`,
    [workspace.id],
  );
  if (standing === undefined) throw new Error('a query without a table has a row');
  return standing;
}

/** What is left of one of an account's purses: its limit, less what was spent and what leases have been charged. */
export async function leftIn(
  { database }: Fleet,
  { workspace, project, key }: Account,
  kind: 'credit' | 'project' | 'key',
): Promise<bigint> {
  const subject = { credit: workspace.id, project: project.id, key: key.id }[kind];
  const [purse] = await database.query<{ left: bigint }>(
    `select limit_nano_usd - spent_nano_usd
       - (select coalesce(sum(charged_nano_usd), 0)::bigint from leases where purse_id = purses.id) as left
     from purses where kind = $1 and subject_id = $2 order by window_start desc limit 1`,
    [kind, subject],
  );
  // A purse is opened by its first draw.
  return purse?.left ?? BigInt(Number.MAX_SAFE_INTEGER);
}

interface Receipt {
  readonly name: string;
  readonly charge: bigint;
}

/** The receipts of answers, by the names of their requests. */
async function receiptsOf({ database }: Fleet): Promise<readonly Receipt[]> {
  return await database.query<Receipt>(
    `select client_request_id as name, charge_nano_usd as charge from receipts where outcome <> 'failed'`,
  );
}

/** What a request asked: an insistent client's are numbered. */
const questionOf = (name: string): string => name.split('~', 1)[0] ?? name;

/** Holds all that clients have seen of a workspace's requests against the upstream, the receipts and the ledger. */
export async function expectTruth(fleet: Fleet, account: Account, seen: readonly Seen[]): Promise<void> {
  const whole = seen.filter((one) => one.isWhole || isLost(one));
  // An answer to an insistent client may be the one that an earlier request of its has paid for.
  const missing = async (): Promise<readonly Seen[]> => {
    const names = new Set((await receiptsOf(fleet)).map(({ name }) => name));
    const questions = new Set(Array.from(names, questionOf));
    return whole.filter(
      ({ name, question, isInsistent }) => !(isInsistent ? questions.has(question) : names.has(name)),
    );
  };
  // What was journaled reaches the database once it is back.
  await expect.poll(missing, { timeout: 60_000, interval: 100 }).toEqual([]);

  const receipts = await receiptsOf(fleet);
  expect(receipts).toHaveLength(new Set(receipts.map(({ name }) => name)).size);
  const charging = receipts.filter(({ charge }) => charge > 0n).map(({ name }) => questionOf(name));
  expect(charging).toHaveLength(new Set(charging).size);
  const called = fleet.upstream.requests().map(({ body }) => (body['messages'] as { content: string }[])[0]?.content);
  const questions = new Set(called);
  expect(receipts.filter(({ name }) => !questions.has(questionOf(name)))).toEqual([]);

  const report = await verifyLedger(fleet.database);
  expect(report.differences).toEqual([]);
  expect(report.ok).toBe(true);
  const { credit, charges, balance } = await standingOf(fleet, account);
  expect(balance).toBeGreaterThanOrEqual(0n);
  expect(balance + charges).toBe(credit);
}

/**
 * Nothing is written off but what was charged late, nobody who has money was told that it is gone, and only a gateway that
 * a failure befell kept anybody waiting for another try.
 */
export async function expectNobodyShort({ database }: Fleet, seen: readonly Seen[]): Promise<void> {
  const excused = ({ status, wasHit }: Seen): boolean => wasHit && (status === 'broken' || status === 503);
  const lost = seen.filter(isLost).map(({ question }) => question);
  const hitBefore = new Set(seen.filter(({ wasHit }) => wasHit).map(({ question }) => question));
  expect(lost.filter((question) => !hitBefore.has(question))).toEqual([]);
  const short = seen.filter((one) => one.status !== 200 && !excused(one) && !isLost(one));
  expect(short.map(({ name, status, code, wasHit }) => ({ name, status, code, wasHit }))).toEqual([]);
  const writtenOff = await database.query('select request_id from receipts where write_off_nano_usd > 0 and not late');
  expect(writtenOff).toEqual([]);
}
