import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Account, granted, openAccount, Spender } from '../../../test/support/accounts.ts';
import type { TestDatabase } from '../../../test/support/database.ts';
import { principalOf, refusedRequest } from '../../../test/support/refused-requests.ts';
import { operatorScope, scopeOf } from '../../../test/support/scopes.ts';
import { moverOf, moveTo, startTwoCells, type TwoCells } from '../../../test/support/two-cells.ts';
import { countUsageIn, UNPACED } from '../../../test/support/verify-ledger.ts';
import { recordOf } from '../refusals/recorded-refusal.ts';
import { countAllRefusals } from '../refusals/refusal-counts.ts';
import { listAllRefusals } from '../refusals/refusal-search.ts';
import { writeRefusals } from '../refusals/refusal-store.ts';
import { exportUsage } from '../usage/usage-export.ts';
import { readUsage } from '../usage/usage-report.ts';
import { startMove } from './moves.ts';

// What an operator reads of all workspaces of a cell: each workspace is in the sums of the cell in which it lives, also while its rows
// are in both.

let cells: TwoCells;
beforeAll(async () => {
  cells = await startTwoCells();
  for (const { control } of [cells.zero, cells.one]) await countUsageIn(control)();
});
afterAll(() => cells.stop());

const HOUR_MS = 3_600_000;
const stretch = () => ({ fromMs: Date.now() - 48 * HOUR_MS, toMs: Date.now() + 48 * HOUR_MS });

/** What the operator of a cell counts of all workspaces, in each way in which it can be read. */
async function countedIn({ control }: TestDatabase): Promise<Readonly<Record<string, bigint | number>>> {
  const counted: Record<string, bigint | number> = {};
  for (const isFolded of [false, true]) {
    if (isFolded) await countUsageIn(control)();
    for (const groupBy of [null, 'workspace', 'key', 'member', 'model'] as const) {
      const request = { stretch: stretch(), filter: {}, groupsMax: 5, bucket: null, before: null, withLatency: false };
      const { total, groups } = granted(await readUsage(control, operatorScope(), { ...request, groupBy }));
      counted[`${isFolded} ${groupBy}`] = total.charge;
      counted[`${isFolded} groups by ${groupBy}`] = groups.reduce((sum, { sums }) => sum + sums.charge, 0n);
    }
    const wanted = { stretch: stretch(), filter: {}, groupBy: 'workspace', bucket: 'day' } as const;
    counted[`${isFolded} exported`] = 0n;
    for await (const rows of exportUsage({ sql: control, pacer: UNPACED }, operatorScope(), wanted)) {
      for (const { sums } of rows)
        counted[`${isFolded} exported`] = BigInt(counted[`${isFolded} exported`] ?? 0) + sums.charge;
    }
  }
  const refused = await countAllRefusals(control, operatorScope(), {}, Date.now());
  counted['refusals'] = refused.hours.reduce((sum, { requests }) => sum + requests, 0);
  counted['refusals that were not recorded'] = refused.unrecorded;
  const { items } = await listAllRefusals(control, operatorScope(), {}, { limit: 100 });
  counted['refusals in the list'] = items.length;
  return counted;
}

async function usedAccount({ database, control }: TestDatabase): Promise<Account> {
  const account = await openAccount(database, { credit: 10_000n });
  const spender = await Spender.begin(database);
  await spender.spend(account, { hold: 300n, charge: 120n });
  await spender.end();
  const caller = principalOf(account);
  const records = [recordOf(refusedRequest(caller, 'RATE_LIMITED'), caller, Date.now())];
  await writeRefusals(control, { records, unrecorded: new Map([[account.workspace.id, 4]]) });
  return account;
}

test('usage and refusals of all workspaces are counted in the cell in which a workspace lives, and in no other', async () => {
  const { zero, one } = cells;
  const nothing = await countedIn(zero);
  const { id } = (await usedAccount(zero)).workspace;
  const all = await countedIn(zero);
  expect(Object.entries(all).filter(([name, value]) => value === nothing[name])).toEqual([]);
  expect(await countedIn(one)).toEqual(nothing);

  granted(await startMove(zero.control, scopeOf(id), { shard: '01', waitMs: 2_000 }));
  const mover = moverOf(zero.control, one.control, '00', (operation) => {
    if (operation === 'openArrival') throw new Error('stopped before it is opened');
  });
  await expect(mover.run()).rejects.toThrow('stopped before');
  const landed = await one.database.query('select from receipts where workspace_id = $1', [id]);
  expect(landed).toHaveLength(1);
  expect(await countedIn(one)).toEqual(nothing);

  await zero.database.query('update workspace_moves set held_until = now()');
  await moverOf(zero.control, one.control).run();
  expect(await countedIn(zero)).toEqual(nothing);
  expect(await countedIn(one)).toEqual(all);
  expect(await moveTo(one, zero, id, '00')).toMatchObject({ state: 'ended' });
  expect(await countedIn(zero)).toEqual(all);
  expect(await countedIn(one)).toEqual(nothing);
});
