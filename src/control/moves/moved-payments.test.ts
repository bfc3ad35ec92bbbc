import { afterAll, beforeAll, expect, test } from 'vitest';
import { granted, openAccount, workspaceNow } from '../../../test/support/accounts.ts';
import type { TestDatabase } from '../../../test/support/database.ts';
import { FakeStripe } from '../../../test/support/fake-stripe.ts';
import { CENT, deliverTo, openAutoStage, openStage, type Stage } from '../../../test/support/payments.ts';
import { scopeOf } from '../../../test/support/scopes.ts';
import { moverOf, moveTo, startTwoCells, type TwoCells } from '../../../test/support/two-cells.ts';
import { countUsageIn, verifyLedger } from '../../../test/support/verify-ledger.ts';
import { reconcile, type Reconciliation } from '../payments/reconciliation.ts';
import { pause, showMove, startMove } from './moves.ts';

// Payments of workspaces that move between two cells with one account of the provider, whose events both cells receive.

let cells: TwoCells;
let stripe: FakeStripe;
let there: Stage;
let here: Stage;
let nights = 0;

beforeAll(async () => {
  cells = await startTwoCells();
  stripe = await FakeStripe.start();
  [here, there] = [await openStage(cells.zero.control, stripe), await openStage(cells.one.control, stripe)];
});
afterAll(async () => {
  await stripe.stop();
  await cells.stop();
});

/** A workspace of the first cell that has paid 10 USD, and the reference of its payment. */
async function payingWorkspace(): Promise<{ readonly id: string; readonly payment: string }> {
  const { id } = (await openAccount(cells.zero.database)).workspace;
  const wish = { amount: 1_000n * CENT, savesMethod: false, once: null };
  const topUp = granted(await here.payments.startTopUp(scopeOf(id), wish));
  const session = topUp.checkoutReference ?? '';
  await toBoth(() => stripe.pay(session));
  return { id, payment: String(stripe.objects.get(session)?.['payment_intent']) };
}

/** Has something happen at the provider, and delivers its events to both cells. Returns what became of each there. */
async function toBoth(happen: () => unknown): Promise<readonly (readonly (string | undefined)[])[]> {
  const before = stripe.events.length;
  happen();
  const outcomes = [];
  for (const event of stripe.events.slice(before)) {
    const ends = [];
    for (const stage of [here, there]) ends.push((await deliverTo(stage, stripe, event))?.outcome);
    outcomes.push(ends);
  }
  return outcomes;
}

async function compareIn({ control }: TestDatabase, stage: Stage): Promise<Reconciliation> {
  nights += 1;
  const now = new Date(Date.now() + 2 * 3_600_000);
  const made = await reconcile({ sql: control, ...stage }, { night: new Date(Date.UTC(2030, 0, nights)), now });
  if (made === null) throw new Error('the night has its comparison');
  return made;
}

async function provenBalance({ database }: TestDatabase, id: string): Promise<bigint> {
  for (const cell of [cells.zero, cells.one]) {
    await countUsageIn(cell.control)();
    expect(await verifyLedger(cell.database)).toMatchObject({ differences: [] });
  }
  return (await workspaceNow(database, id)).balance;
}

test('refunds after a move are taken where the workspace lives, and neither comparison finds a difference', async () => {
  const { zero, one } = cells;
  const { id, payment } = await payingWorkspace();
  expect(await moveTo(zero, one, id, '01')).toMatchObject({ state: 'ended', problem: null });
  await toBoth(() => stripe.refund(payment, 100));
  expect(await compareIn(zero, here)).toMatchObject({ differences: [] });
  expect(await compareIn(one, there)).toMatchObject({ differences: [] });
  expect(await provenBalance(one, id)).toBe(900n * CENT);
});

test('a workspace whose payments were refunded before moves, though the other cell has received the refund, too', async () => {
  const { zero, one } = cells;
  const { id, payment } = await payingWorkspace();
  await toBoth(() => stripe.refund(payment, 100));
  expect(await moveTo(zero, one, id, '01')).toMatchObject({ state: 'ended', problem: null });
  await toBoth(() => stripe.refund(payment, 200));
  expect(await provenBalance(one, id)).toBe(700n * CENT);
  expect(await moveTo(one, zero, id, '00')).toMatchObject({ state: 'ended', problem: null });
  await toBoth(() => stripe.refund(payment, 50));
  expect(await provenBalance(zero, id)).toBe(650n * CENT);
});

test('a refund in the pause, or before the other cell has opened the workspace, is taken there in the end', async () => {
  const { zero, one } = cells;
  for (const step of ['paused', 'landed'] as const) {
    const { id, payment } = await payingWorkspace();
    const move = granted(await startMove(zero.control, scopeOf(id), { shard: '01', waitMs: 2_000 }));
    if (step === 'paused') await pause(zero.control, move);
    else {
      const mover = moverOf(zero.control, one.control, '00', (operation) => {
        if (operation === 'openArrival') throw new Error('stopped before it is opened');
      });
      await expect(mover.run()).rejects.toThrow('stopped before');
    }
    const before = stripe.events.length;
    stripe.refund(payment, 100);
    for (const event of stripe.events.slice(before)) {
      await deliverTo(there, stripe, event);
      // A provider sends again what was not received.
      if (step === 'paused')
        await expect(deliverTo(here, stripe, event)).rejects.toMatchObject({ reason: 'contended' });
    }
    await zero.database.query('update workspace_moves set held_until = now()');
    await moverOf(zero.control, one.control).run();
    expect(granted(await showMove(zero.control, scopeOf(id)))).toMatchObject({ state: 'ended' });
    for (const event of stripe.events.slice(before)) await deliverTo(here, stripe, event);
    for (const [cell, stage] of [
      [zero, here],
      [one, there],
    ] as const) {
      expect(await compareIn(cell, stage)).toMatchObject({ differences: [] });
    }
    expect({ step, balance: await provenBalance(one, id) }).toEqual({ step, balance: 900n * CENT });
  }
});

test('automatic top-ups begin in the cell in which a workspace lives, and stop no others in its former one', async () => {
  const { zero, one } = cells;
  const stage = await openAutoStage(zero.control, stripe);
  const { id } = stage.account.workspace;
  // A stop of which the owners are still to learn, and one that waits for the payer.
  const stopped = await Promise.all(
    ['failures', 'authentication_required'].map(async (stop) => {
      const { account } = await openAutoStage(zero.control, stripe);
      await zero.database.query(
        `update payment_settings set auto_stop = $2, auto_stopped_at = now() where workspace_id = $1`,
        [account.workspace.id, stop],
      );
      await zero.database.query(
        `insert into top_ups (workspace_id, id, provider, origin, state, amount_nano_usd, fee_nano_usd, actor)
       values ($1, gen_random_uuid(), 'stripe', 'auto', 'failed', 20000000000, 800000000, 'auto top-up')`,
        [account.workspace.id],
      );
      return account.workspace.id;
    }),
  );
  for (const moved of [id, ...stopped]) {
    expect(await moveTo(zero, one, moved, '01')).toMatchObject({ state: 'ended', problem: null });
  }
  const other = await openAutoStage(zero.control, stripe);
  await other.run();
  expect(other.faults).toEqual([]);
  expect(other.notices).toEqual([]);
  expect(await provenBalance(zero, other.account.workspace.id)).toBe(3_000n * CENT);
  expect(await provenBalance(one, id)).toBe(1_000n * CENT);
  await other.run(one.control);
  expect(other.faults).toEqual([]);
  expect(await provenBalance(one, id)).toBe(3_000n * CENT);
});
