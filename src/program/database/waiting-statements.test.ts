import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { drawOf, drawReceipt, purseOf } from '../../../test/support/account-purses.ts';
import { type Account, openAccount } from '../../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import {
  commitOnceAwaited,
  type StandingStatement,
  startStandingStatement,
} from '../../../test/support/standing-statement.ts';
import type { Receipt } from '../../domain/receipt.ts';
import { DatabaseUnavailable } from '../../lib/sql.ts';
import { type DrawRequest, NO_STOCK } from '../../gate/purses/ports/database.ts';
import { PostgresPermitStore } from './permit-store.ts';
import { PostgresPurseStore } from './purse-store.ts';
import { settleArguments } from './settle-arguments.ts';

// What works on one row alone waits for a moment while another connection has it, and no longer: it would keep its own
// rows, and its connection, from others.

let db: TestDatabase;
let store: PostgresPurseStore;
let permits: PostgresPermitStore;
let account: Account;
let epoch: bigint;
let receipt: Receipt;

beforeAll(async () => {
  db = await startTestDatabase();
  store = new PostgresPurseStore(db.database);
  permits = new PostgresPermitStore(db.database);
});
afterAll(() => db.stop());

beforeEach(async () => {
  account = await openAccount(db.database, { credit: 1_000n, project: { requestsPerMinute: 60 } });
  epoch = await store.beginEpoch(randomUUID(), 'test', 30_000);
  receipt = { ...(await drawReceipt(store, epoch, account, 10n)), charge: 5n };
  await drawPermits();
});

/** The first draw of a window that nobody has opened. */
const openingDraw = (kind: 'project' | 'key'): DrawRequest =>
  drawOf(purseOf(account, kind, Date.now() + 40 * 86_400_000), 10n);

async function drawPermits(sequence = 1): Promise<boolean> {
  const counts = { taken: 0, running: 0, stock: NO_STOCK, keep: NO_STOCK, returned: { requests: 0, tokens: 0 } };
  const ids = { workspaceId: account.workspace.id, projectId: account.project.id };
  const [reply] = await permits.drawPermits(epoch, [{ ...ids, sequence, ...counts, needs: [], target: NO_STOCK }]);
  return reply !== null;
}

const isDrawn = async (request: DrawRequest): Promise<boolean> => (await store.draw(epoch, [request]))[0] !== null;

const settle = (name: string): Promise<unknown> =>
  db.database.query(`select ${name}($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`, [
    epoch,
    ...settleArguments([receipt]),
  ]);

/** Whether it was done; false where another had what it needs. */
async function isDone(work: () => Promise<unknown>): Promise<boolean> {
  try {
    return (await work()) !== false;
  } catch (fault) {
    if (fault instanceof DatabaseUnavailable && fault.reason === 'contended') return false;
    throw fault;
  }
}

async function untilDone(work: () => Promise<unknown>): Promise<void> {
  while (!(await isDone(work)));
}

interface Case {
  readonly busy: string;
  readonly work: () => Promise<unknown>;
  /** What comes first, while nothing is busy. */
  readonly before?: () => Promise<unknown>;
}

const LEASE = 'select from leases where purse_id in (select id from purses where workspace_id = $1) for update';
const PURSE = 'select from purses where workspace_id = $1 for no key update';

const CASES: Readonly<Record<string, Case>> = {
  'a draw whose lease is busy': { busy: LEASE, work: () => isDrawn(drawOf(purseOf(account, 'credit'), 10n, 2n)) },
  'a draw whose purse is busy': { busy: PURSE, work: () => isDrawn(drawOf(purseOf(account, 'credit'), 10n, 2n)) },
  'a draw whose project is being changed': {
    busy: 'update projects set name = name where workspace_id = $1',
    work: () => isDrawn(openingDraw('project')),
  },
  'a draw whose key is being changed': {
    busy: 'update keys set name = name where workspace_id = $1',
    work: () => isDrawn(openingDraw('key')),
  },
  'a draw of permits': {
    busy: 'select from rate_buckets where workspace_id = $1 for update',
    work: () => drawPermits(2),
  },
  'a release': {
    busy: PURSE,
    work: async () =>
      (await store.release(epoch, [{ purseId: receipt.creditPurseId, charged: 0n, sequence: 1n }]))[0] !== null,
  },
  'a settlement': { busy: LEASE, work: () => settle('settle_receipts') },
  'a repeated settlement': { busy: LEASE, work: () => settle('settle_receipts_again') },
  'a late settlement': {
    busy: PURSE,
    before: () => store.fence(epoch),
    work: () => store.settleLate(epoch, [receipt], new Map()),
  },
  'the reaping of a purse': {
    busy: PURSE,
    before: () => db.database.query('update epochs set fenced_at = now() where id = $1', [epoch]),
    work: () => db.database.query('select reap_epoch($1, 0, 10, true)', [epoch]),
  },
};

describe.each(Object.entries(CASES))('%s', (_, { busy, before, work }) => {
  let standing: StandingStatement;

  beforeEach(async () => {
    await before?.();
    standing = await startStandingStatement(db, busy, [account.workspace.id]);
    return () => standing.close();
  });

  test('a statement that waits for a row gives up after a moment', async () => {
    expect(await isDone(work)).toBe(false);
    await standing.close();
    expect(await isDone(work)).toBe(true);
  });

  test('a statement that waits for a row goes on when that is free', async () => {
    const done = untilDone(work);
    await commitOnceAwaited(db, standing);
    await expect(done).resolves.toBeUndefined();
  });
});
