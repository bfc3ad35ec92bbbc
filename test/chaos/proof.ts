import { expect } from 'vitest';
import { verifyLedger } from '../support/verify-ledger.ts';
import type { Account } from '../support/accounts.ts';
import type { Fleet } from './fleet.ts';
import type { Seen } from './load.ts';

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

/** The names of the requests that have receipts of an answer, once for each receipt. */
async function receiptNames({ database }: Fleet): Promise<string[]> {
  const rows = await database.query<{ name: string }>(
    `select client_request_id as name from receipts where outcome <> 'failed'`,
  );
  return rows.map(({ name }) => name);
}

/** Holds all that clients have seen of a workspace's requests against the upstream, the receipts and the ledger. */
export async function expectTruth(fleet: Fleet, account: Account, seen: readonly Seen[]): Promise<void> {
  const whole = seen.filter(({ isWhole }) => isWhole).map(({ name }) => name);
  const missing = async (): Promise<string[]> => {
    const names = new Set(await receiptNames(fleet));
    return whole.filter((name) => !names.has(name));
  };
  // What was journaled reaches the database once it is back.
  await expect.poll(missing, { timeout: 60_000, interval: 100 }).toEqual([]);

  const names = await receiptNames(fleet);
  expect(names).toHaveLength(new Set(names).size);
  const called = fleet.upstream.requests().map(({ body }) => (body['messages'] as { content: string }[])[0]?.content);
  const calledOnce = new Set(called);
  expect(names.filter((name) => !calledOnce.has(name))).toEqual([]);

  const report = await verifyLedger(fleet.database);
  expect(report.differences).toEqual([]);
  expect(report.ok).toBe(true);
  const { credit, charges, balance } = await standingOf(fleet, account);
  expect(balance).toBeGreaterThanOrEqual(0n);
  expect(balance + charges).toBe(credit);
}

/** Nothing is written off but what was charged late, and nobody who has money was told that it is gone. */
export async function expectNobodyShort({ database }: Fleet, seen: readonly Seen[]): Promise<void> {
  expect(seen.filter(({ status }) => status !== 200 && status !== 'broken' && status !== 503)).toEqual([]);
  const writtenOff = await database.query('select request_id from receipts where write_off_nano_usd > 0 and not late');
  expect(writtenOff).toEqual([]);
}
