import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Random } from '../simulation/random.ts';
import { type Account, openAccount } from '../support/accounts.ts';
import { CHARGE, EPOCH_MS, type Fleet, type Gateway, HOLD, kill, latestEpoch, restart } from './fleet.ts';
import { ask, Load } from './load.ts';
import { expectNobodyShort, expectTruth, standingOf } from './proof.ts';

// What can happen to gateways that share a database, each under load, and what must be true after it.

const CLIENTS = 24;
const WARM_WHOLE = 40;
const CUT_OFF_REQUESTS = 3;
const AMPLE = 100_000_000_000n;
const RECOVERY_MS = 15_000;

export type Failure = (fleet: Fleet, random: Random) => Promise<void>;

async function until(condition: () => boolean | Promise<boolean>, what: string, withinMs = 20_000): Promise<void> {
  const deadlineMs = performance.now() + withinMs;
  while (!(await condition())) {
    if (performance.now() > deadlineMs) throw new Error(`it did not happen in time: ${what}`);
    await delay(20);
  }
}

/** Runs the work while clients spend an ample workspace's credit, and proves that all is well after it. */
async function underLoad(fleet: Fleet, random: Random, work: (load: Load, account: Account) => Promise<void>) {
  const account = await openAccount(fleet.database, { credit: AMPLE });
  const load = new Load(fleet, account.key.key, random, CLIENTS);
  try {
    await until(() => load.whole >= WARM_WHOLE, 'the first answers');
    await work(load, account);
  } finally {
    await load.stop();
  }
  await expectTruth(fleet, account, load.seen);
  await expectNobodyShort(fleet, load.seen);
}

/** Whether the upstream has requests of this gateway, and has not begun to answer them. */
function waitsForUpstream({ upstream }: Fleet, load: Load, gateway: Gateway): boolean {
  const names = load.inFlight(gateway);
  return upstream.waiting().some(({ messages: [message] }) => {
    return typeof message?.content === 'string' && names.has(message.content);
  });
}

/** Every gateway answers again, of its own accord. */
async function expectAllServe({ gateways }: Fleet, { key }: Account): Promise<void> {
  await Promise.all(
    gateways.map((gateway) =>
      expect.poll(async () => (await ask(gateway, key.key)).status, { timeout: RECOVERY_MS, interval: 50 }).toBe(200),
    ),
  );
}

async function journalsOf({ program }: Gateway): Promise<string[]> {
  const names = await readdir(join(program.data, 'journal')).catch(() => []);
  return names.filter((name) => name.endsWith('.jsonl'));
}

/** Gateways are killed and started again, while clients spend one purse to its end. */
export function killed(kills: number): Failure {
  return async (fleet, random) => {
    const account = await openAccount(fleet.database, { credit: 500n * CHARGE + HOLD });
    const load = new Load(fleet, account.key.key, random, CLIENTS);
    try {
      for (let count = 0; count < kills; count++) {
        await delay(random.between(100, 1_000));
        const victim = random.pick(fleet.gateways);
        await kill(victim);
        await delay(random.between(0, 300));
        await restart(victim);
      }
      const isSpent = async (): Promise<boolean> => (await standingOf(fleet, account)).balance < HOLD;
      await until(isSpent, 'the credit is spent to its end');
    } finally {
      await load.stop();
    }
    await expectTruth(fleet, account, load.seen);
    // A purse that has nothing left for a hold says so, and nobody waits for anything.
    for (const gateway of fleet.gateways) {
      expect(await ask(gateway, account.key.key)).toMatchObject({ status: 402, code: 'INSUFFICIENT_BALANCE' });
    }
    await expectAllServe(fleet, await openAccount(fleet.database, { credit: AMPLE }));
  };
}

/** A gateway stands still for so long that its peers declare it dead, then goes on as if nothing had been. */
export const paused: Failure = async (fleet, random) => {
  await underLoad(fleet, random, async (load, account) => {
    const victim = random.pick(fleet.gateways);
    // The upstream lives in this process: what it has not answered when the gateway stops is answered while it stands.
    await until(() => waitsForUpstream(fleet, load, victim), 'requests at the gateway that is to stand still');
    process.kill(victim.program.pid, 'SIGSTOP');
    victim.isServing = false;
    const before = await latestEpoch(fleet, victim);
    const { whole } = load;
    await until(async () => (await latestEpoch(fleet, victim)).fenced, 'a peer declares it dead', EPOCH_MS * 4);
    expect(load.whole).toBeGreaterThan(whole);

    process.kill(victim.program.pid, 'SIGCONT');
    await expectAllServe(fleet, account);
    victim.isServing = true;
    expect((await latestEpoch(fleet, victim)).id).toBeGreaterThan(before.id);
    // What it had under way was served, and is charged though its leases are gone.
    const late = (): Promise<readonly object[]> =>
      fleet.database.query('select request_id from receipts where epoch_id = $1 and late', [before.id]);
    await expect.poll(async () => (await late()).length, { timeout: RECOVERY_MS }).toBeGreaterThan(0);
  });
};

/** A gateway loses the database for longer than its time-out, while the others have it. */
export const cutOff: Failure = async (fleet, random) => {
  await underLoad(fleet, random, async (load, account) => {
    const victim = random.pick(fleet.gateways);
    const before = await latestEpoch(fleet, victim);
    victim.proxy.cut();
    // Some requests come while it is cut off. Each keeps its client waiting, and the others are to have clients too.
    await until(() => load.inFlight(victim).size >= CUT_OFF_REQUESTS, 'requests at the gateway that is cut off');
    victim.isServing = false;
    const { whole } = load;
    await until(async () => (await latestEpoch(fleet, victim)).fenced, 'a peer declares it dead', EPOCH_MS * 4);
    expect(load.whole).toBeGreaterThan(whole);
    expect((await ask(victim, account.key.key)).status).toBe(503);

    victim.proxy.mend();
    await expectAllServe(fleet, account);
    victim.isServing = true;
    expect((await latestEpoch(fleet, victim)).id).toBeGreaterThan(before.id);
  });
};

/** PostgreSQL crashes, is started again, is stopped at once, and started again. */
export const databaseRestarted: Failure = async (fleet, random) => {
  await underLoad(fleet, random, async (load, account) => {
    for (const signal of ['SIGKILL', 'SIGQUIT'] as const) {
      await fleet.postgres.end(signal);
      await delay(random.between(0, 500));
      await fleet.postgres.start();
      await expectAllServe(fleet, account);
      const { whole } = load;
      await until(() => load.whole > whole + WARM_WHOLE, 'answers after the restart');
    }
  });
};

/** The database is away for so long that answers go out on the journal's word alone, whose process is then killed. */
export const killedWithJournal: Failure = async (fleet, random) => {
  await underLoad(fleet, random, async (load, account) => {
    const victim = random.pick(fleet.gateways);
    await until(() => load.inFlight(victim).size >= 3, 'requests at the gateway that is to be killed');
    for (const { proxy } of fleet.gateways) proxy.cut();
    await until(async () => (await journalsOf(victim)).length > 0, 'what the database does not take is journaled');
    const before = load.seen.length;
    const wholeByVictim = (): boolean => load.seen.slice(before).some(({ by, isWhole }) => by === victim && isWhole);
    await until(wholeByVictim, 'an answer that only the journal knows is paid for');
    await kill(victim);
    expect(await journalsOf(victim)).toHaveLength(1);

    for (const { proxy } of fleet.gateways) proxy.mend();
    await restart(victim);
    expect(await journalsOf(victim)).toEqual([]);
    expect((await ask(victim, account.key.key)).status).toBe(200);
    await expectAllServe(fleet, account);
    for (const gateway of fleet.gateways) {
      await expect.poll(() => journalsOf(gateway), { timeout: RECOVERY_MS }).toEqual([]);
    }
  });
};
