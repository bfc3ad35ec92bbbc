import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, granted, openAccount, openKey, Spender, workspaceNow } from '../../../test/support/accounts.ts';
import type { TestDatabase } from '../../../test/support/database.ts';
import { scopeOf } from '../../../test/support/scopes.ts';
import { moverOf, moveTo, startTwoCells, type TwoCells } from '../../../test/support/two-cells.ts';
import { countUsageIn, verifyLedger } from '../../../test/support/verify-ledger.ts';
import { setEndUserLimit } from '../accounts/end-users.ts';
import { makeChange } from '../audit/change.ts';
import { correctReceipt } from '../ledger/corrections.ts';
import { postCredit } from '../ledger/postings.ts';
import { createRecurringGrant } from '../ledger/recurring-grants.ts';
import { MOVED_TABLES } from './moved-tables.ts';
import { showMove, startMove } from './moves.ts';
import { readRows } from './read-rows.ts';

// Workspaces of any content, between two cells: nothing is lost, doubled or left behind, however often they move and whatever
// happens to them in between.

let cells: TwoCells;
beforeAll(async () => {
  cells = await startTwoCells();
});
afterAll(() => cells.stop());

const RUNS = 3;
const CREDIT = 1_000_000n;

/** What happens to a workspace. Amounts in nano-USD. */
const STEP = fc.oneof(
  fc.record({ kind: fc.constant('spend' as const), charge: fc.bigInt(0n, 300n), isCorrected: fc.boolean() }),
  fc.record({ kind: fc.constant('grant' as const), amount: fc.bigInt(1n, 10_000n), expires: fc.boolean() }),
  fc.record({ kind: fc.constant('adjust' as const), amount: fc.bigInt(1n, 1_000n) }),
  fc.record({ kind: fc.constant('key' as const) }),
  fc.record({ kind: fc.constant('member' as const), limit: fc.bigInt(1_000n, 100_000n) }),
  fc.record({ kind: fc.constant('end user' as const), limit: fc.bigInt(1n, 100_000n) }),
  fc.record({ kind: fc.constant('recurring' as const), amount: fc.bigInt(1n, 1_000n) }),
  fc.record({ kind: fc.constant('move' as const) }),
);
type Step = typeof STEP extends fc.Arbitrary<infer Made> ? Made : never;

let made = 0;

async function happen(
  { database, control }: TestDatabase,
  account: Account,
  step: Exclude<Step, { kind: 'move' }>,
): Promise<void> {
  const scope = scopeOf(account.workspace.id);
  const name = `made ${(made += 1)}`;
  switch (step.kind) {
    case 'spend': {
      const spender = await Spender.begin(database);
      const { requestId } = await spender.spend(account, { hold: 300n, charge: step.charge });
      await spender.end();
      if (step.isCorrected) await correctReceipt(control, scope, { requestId, charge: 7n, reason: name });
      return;
    }
    case 'grant': {
      const expiresAt = step.expires ? new Date(Date.now() + 86_400_000) : null;
      granted(await postCredit(control, scope, { kind: 'grant', amount: step.amount, reason: name, expiresAt }));
      return;
    }
    case 'adjust':
      granted(await postCredit(control, scope, { kind: 'adjustment', amount: -step.amount, reason: name }));
      return;
    case 'key':
      await openKey(database, account.project, { name });
      return;
    case 'member':
      await database.query(
        `with person as (
           insert into users (id, email, name, email_verified_at) values (gen_random_uuid(), $2, $2, now()) returning id
         ), member as (
           insert into members (workspace_id, user_id, role) select $1, id, 'owner' from person returning user_id
         )
         select set_member_limit($1, user_id, $3) from member`,
        [account.workspace.id, `${name.replace(' ', '-')}@example.com`, step.limit],
      );
      return;
    case 'end user': {
      const limit = { projectId: account.project.id, name, limit: step.limit };
      granted(await makeChange(control, (tx) => setEndUserLimit(tx, scope, limit)));
      return;
    }
    case 'recurring': {
      const { amount } = step;
      const grant = {
        amount,
        period: 'month',
        expires: 'with_period',
        expiresAfterDays: null,
        starts: 'now',
        reason: name,
      } as const;
      granted(await makeChange(control, (tx) => createRecurringGrant(tx, scope, grant)));
    }
  }
}

/** What both cells have, each proven. */
async function sums(): Promise<Readonly<Record<string, bigint>>> {
  const total: Record<string, bigint> = {};
  for (const { control, database } of [cells.zero, cells.one]) {
    await countUsageIn(control)();
    const report = await verifyLedger(database);
    expect(report.differences).toEqual([]);
    for (const name of ['credit', 'charges', 'writeOffs', 'balance', 'owed', 'receipts', 'postings'] as const) {
      total[name] = (total[name] ?? 0n) + report[name];
    }
  }
  return total;
}

/** The keys of all rows that have to come along, by table. */
async function rowsIn(
  { control }: TestDatabase,
  workspaceId: string,
): Promise<Readonly<Record<string, readonly string[]>>> {
  const found: Record<string, readonly string[]> = {};
  for (const table of MOVED_TABLES) {
    // Prices are matched, and events of the move are each cell's own.
    if (['price_versions', 'audit_events', 'audit_links', 'audit_chains'].includes(table.table)) continue;
    found[table.table] = (
      await readRows(control, table, { workspaceId, after: null, rowsMax: 10_000 })
    ).keys.toSorted();
  }
  return found;
}

test('any workspace moves with each of its rows, and the sums of both cells stay equal to the nano-USD', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(STEP, { minLength: 5, maxLength: 12 }), async (steps) => {
      const account = await openAccount(cells.zero.database, { credit: CREDIT });
      const { id } = account.workspace;
      let [home, other, shard] = [cells.zero, cells.one, '01'];
      for (const step of [...steps, { kind: 'move' } as const]) {
        if (step.kind !== 'move') {
          await happen(home, account, step);
          continue;
        }
        const [before, rows, { balance }] = [
          await sums(),
          await rowsIn(home, id),
          await workspaceNow(home.database, id),
        ];
        expect(await moveTo(home, other, id, shard)).toMatchObject({ state: 'ended', problem: null });
        expect(await sums()).toEqual(before);
        expect(await rowsIn(other, id)).toEqual(rows);
        expect((await workspaceNow(other.database, id)).balance).toBe(balance);
        [home, other, shard] = [other, home, shard === '01' ? '00' : '01'];
      }
    }),
    { numRuns: RUNS },
  );
}, 180_000);

/** All kinds of changes, with purses of each kind, a correction and a member whose key spends. */
const EACH_KIND: readonly Exclude<Step, { kind: 'move' }>[] = [
  { kind: 'member', limit: 50_000n },
  { kind: 'end user', limit: 50_000n },
  { kind: 'grant', amount: 5_000n, expires: true },
  { kind: 'adjust', amount: 500n },
  { kind: 'recurring', amount: 100n },
  { kind: 'key' },
  { kind: 'spend', charge: 120n, isCorrected: false },
  { kind: 'spend', charge: 200n, isCorrected: true },
];

test('what has landed is proven at each step, whatever happens to the workspace while it is copied', async () => {
  const { zero, one } = cells;
  const account = await openAccount(zero.database, { credit: CREDIT });
  const { id } = account.workspace;
  for (const step of EACH_KIND) await happen(zero, account, step);
  granted(await startMove(zero.control, scopeOf(id), { shard: '01', waitMs: 2_000 }));
  const seen: string[] = [];
  const mover = moverOf(zero.control, one.control, '00', async (operation) => {
    const { state } = granted(await showMove(zero.control, scopeOf(id)));
    if (state === 'copying') for (const step of EACH_KIND) await happen(zero, account, step);
    await sums();
    const [landed] = await one.database.query<{ receipts: bigint }>(
      'select count(*) as receipts from receipts where workspace_id = $1',
      [id],
    );
    seen.push(`${state}: ${operation}${landed?.receipts === 0n ? '' : ', beside receipts'}`);
  });
  const [before] = [await sums()];
  await mover.run();
  expect(granted(await showMove(zero.control, scopeOf(id)))).toMatchObject({ state: 'ended', problem: null });
  expect(seen).toContain('copying: landRows, beside receipts');
  expect(seen).toContain('paused: landRows, beside receipts');
  const after = await sums();
  expect((after['credit'] ?? 0n) - (after['charges'] ?? 0n)).toBe((after['balance'] ?? 0n) + (after['owed'] ?? 0n));
  expect(after['receipts']).toBeGreaterThan(before['receipts'] ?? 0n);
  expect((await workspaceNow(one.database, id)).balance).toBe((await workspaceNow(zero.database, id)).balance);
}, 180_000);
