import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Random } from '../simulation/random.ts';
import { type Account, openAccount } from '../support/accounts.ts';
import { changeThings } from './changes.ts';
import { CHARGE, HOLD } from '../support/output-priced.ts';
import { type Fleet, type Gateway, heal, hit, kill, latestEpoch, restart, workersOf } from './fleet.ts';
import { ask, Load } from './load.ts';
import { expectNobodyShort, expectTruth, leftIn } from './proof.ts';

// What can happen to gateways that share a database, each under load, and what must be true after it.

const CLIENTS = 24;
const WARM_WHOLE = 40;
const CUT_OFF_REQUESTS = 3;
const BYSTANDER_ROUNDS = 10;
const AMPLE = 100_000_000_000n;
/**
 * How long something may take to happen on a machine with thirty processes a core: a supervisor gives a worker this long to
 * start. That it happens at all is proven here; how soon is proven where time is a test's own (`peers.test.ts`,
 * `epoch.test.ts`).
 */
const PATIENCE_MS = 60_000;
/** What a disk without room, and without a database, is lived through. */
const FULL_DISK_MS = 1_500;

/** An account whose every limit is there, and far away. */
const AMPLE_ACCOUNT = {
  credit: AMPLE,
  project: {
    budget: AMPLE,
    requestsPerMinute: 1_000_000,
    tokensPerMinute: 10_000_000_000,
    concurrency: 1_000,
    endUserLimit: AMPLE,
    sessionLimit: AMPLE,
  },
  key: { spendLimit: AMPLE },
} as const;

/** What a purse may be short in, and what its callers are told then. */
const SCARCE = [
  ['credit', 'INSUFFICIENT_BALANCE'],
  ['project', 'PROJECT_BUDGET_EXCEEDED'],
  ['key', 'KEY_SPEND_LIMIT_EXCEEDED'],
] as const;

export type Failure = (fleet: Fleet, random: Random) => Promise<void>;

async function until(condition: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const deadlineMs = performance.now() + PATIENCE_MS;
  while (!(await condition())) {
    if (performance.now() > deadlineMs) throw new Error(`it did not happen in time: ${what}`);
    await delay(20);
  }
}

/**
 * Runs the work while clients spend an ample workspace's credit and operators change its limits and keys, and proves that
 * all is well after it.
 */
async function underLoad(fleet: Fleet, random: Random, work: (load: Load, account: Account) => Promise<void>) {
  const account = await openAccount(fleet.database, AMPLE_ACCOUNT);
  const load = new Load(fleet, account.key.key, random, CLIENTS);
  const changes = changeThings(fleet, account, random);
  try {
    await until(() => load.whole >= WARM_WHOLE, 'the first answers');
    await work(load, account);
  } finally {
    await load.stop();
    await changes.stop();
  }
  expect(changes.wrong).toEqual([]);
  const seen = [...load.seen, ...changes.seen];
  await expectTruth(fleet, account, seen);
  await expectNobodyShort(fleet, seen);
}

/** A failure befalls this gateway while the work is done; it is over once the gateway answers again by itself. */
async function whileHit(fleet: Fleet, gateway: Gateway, { key }: Account, work: () => Promise<void>): Promise<void> {
  hit(gateway);
  await work();
  await expectServes(fleet, gateway, key.key);
  heal(gateway);
}

/** A gateway that is one process: workers stand still, or keep journals, each by itself. */
function pickProcess({ gateways }: Fleet, random: Random): Gateway {
  return random.pick(gateways.filter(({ processes }) => processes === 1));
}

/** Whether the upstream has requests of this gateway, and has not begun to answer them. */
function waitsForUpstream({ upstream }: Fleet, load: Load, gateway: Gateway): boolean {
  const names = load.inFlight(gateway);
  return upstream.waiting().some(({ messages: [message] }) => {
    return typeof message?.content === 'string' && names.has(message.content);
  });
}

/** The gateway answers, of its own accord, and each of its workers has the database: one alone may answer for another. */
async function expectServes(fleet: Fleet, gateway: Gateway, key: string): Promise<void> {
  const [clock] = await fleet.database.query<{ now: string }>('select clock_timestamp()::text as now');
  await expect.poll(async () => (await ask(gateway, key)).status, { timeout: PATIENCE_MS, interval: 50 }).toBe(200);
  await until(
    async () => (await workersOf(fleet, gateway, clock?.now)).length === gateway.processes,
    'all workers are heard',
  );
}

/** Every gateway answers again, and from now on none is excused. */
async function expectAllServe(fleet: Fleet, { key }: Account): Promise<void> {
  await Promise.all(fleet.gateways.map((gateway) => expectServes(fleet, gateway, key.key)));
  fleet.gateways.forEach(heal);
}

async function journalsOf({ program }: Gateway): Promise<string[]> {
  const names = await readdir(join(program.data, 'journal')).catch(() => []);
  return names.filter((name) => name.endsWith('.jsonl'));
}

/** Gateways are killed and started again, while clients spend one purse to its end. */
export function killed(kills: number): Failure {
  return async (fleet, random) => {
    const amount = 500n * CHARGE + HOLD;
    const [kind, code] = random.pick(SCARCE);
    const account = await openAccount(fleet.database, {
      credit: kind === 'credit' ? amount : AMPLE,
      project: { budget: kind === 'project' ? amount : AMPLE },
      key: { spendLimit: kind === 'key' ? amount : AMPLE },
    });
    const load = new Load(fleet, account.key.key, random, CLIENTS);
    try {
      for (let count = 0; count < kills; count++) {
        await delay(random.between(100, 1_000));
        const victim = random.pick(fleet.gateways);
        await kill(victim);
        await delay(random.between(0, 300));
        await restart(victim);
      }
      await until(async () => (await leftIn(fleet, account, kind)) < HOLD, 'the purse is spent to its end');
    } finally {
      await load.stop();
    }
    await expectTruth(fleet, account, load.seen);
    expect(await leftIn(fleet, account, kind)).toBeGreaterThanOrEqual(0n);
    // A purse that has nothing left for a hold says so, and nobody waits for anything.
    for (const gateway of fleet.gateways) {
      expect(await ask(gateway, account.key.key)).toMatchObject({ status: 402, code });
    }
    await expectAllServe(fleet, await openAccount(fleet.database, { credit: AMPLE }));
  };
}

/** A gateway stands still for so long that its peers declare it dead, then goes on as if nothing had been. */
export const paused: Failure = async (fleet, random) => {
  await underLoad(fleet, random, async (load, account) => {
    const victim = pickProcess(fleet, random);
    // The upstream lives in this process: what it has not answered when the gateway stops is answered while it stands.
    await until(() => waitsForUpstream(fleet, load, victim), 'requests at the gateway that is to stand still');
    hit(victim);
    process.kill(victim.program.pid, 'SIGSTOP');
    victim.isServing = false;
    const before = await latestEpoch(fleet, victim);
    const { whole } = load;
    await until(async () => (await latestEpoch(fleet, victim)).fenced, 'a peer declares it dead');
    expect(load.whole).toBeGreaterThan(whole);

    process.kill(victim.program.pid, 'SIGCONT');
    await expectAllServe(fleet, account);
    victim.isServing = true;
    expect((await latestEpoch(fleet, victim)).id).toBeGreaterThan(before.id);
    // What it had under way was served, and is charged though its leases are gone.
    const late = (): Promise<readonly object[]> =>
      fleet.database.query('select request_id from receipts where epoch_id = $1 and late', [before.id]);
    await expect.poll(async () => (await late()).length, { timeout: PATIENCE_MS }).toBeGreaterThan(0);
  });
};

/** A gateway loses the database for longer than its time-out, while the others have it. */
export const cutOff: Failure = async (fleet, random) => {
  await underLoad(fleet, random, async (load, account) => {
    const victim = random.pick(fleet.gateways);
    const before = await latestEpoch(fleet, victim);
    hit(victim);
    victim.proxy.cut();
    // Some requests come while it is cut off. Each keeps its client waiting, and the others are to have clients too.
    await until(() => load.inFlight(victim).size >= CUT_OFF_REQUESTS, 'requests at the gateway that is cut off');
    victim.isServing = false;
    const { whole } = load;
    // All of it: a worker that is declared dead later than another may still be heard of in time, and go on.
    await until(async () => (await workersOf(fleet, victim)).length === 0, 'peers declare it dead');
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
      fleet.gateways.forEach(hit);
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
    const victim = pickProcess(fleet, random);
    // A request that is still being admitted is refused without the database, and leaves nothing to journal.
    const isAdmitted = (): boolean => load.inFlight(victim).size >= 3 && waitsForUpstream(fleet, load, victim);
    await until(isAdmitted, 'requests of the gateway that is to be killed are at the upstream');
    fleet.gateways.forEach(hit);
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
      await expect.poll(() => journalsOf(gateway), { timeout: PATIENCE_MS }).toEqual([]);
    }
  });
};

/** What the database answers to a gateway is lost, so that nobody there knows what has taken effect; then it is cut off. */
export const answersLost: Failure = async (fleet, random) => {
  await underLoad(fleet, random, async (load, account) => {
    for (let count = 0; count < 5; count++) {
      const victim = random.pick(fleet.gateways);
      await whileHit(fleet, victim, account, async () => {
        const sent = victim.proxy.statements.length;
        victim.proxy.loseAnswers();
        await until(() => victim.proxy.statements.length > sent, 'a statement whose answer is lost');
        await delay(random.between(0, 300));
        victim.proxy.cut();
        victim.proxy.mend();
      });
    }
    expect(load.whole).toBeGreaterThan(WARM_WHOLE);
  });
};

/**
 * One connection of a gateway stands still in the middle of a statement, which has run. Other gateways answer all of their
 * requests, by the same keys and by that of a bystander, which shares no purse with them.
 */
export const halted: Failure = async (fleet, random) => {
  const bystander = await openAccount(fleet.database, AMPLE_ACCOUNT);
  await underLoad(fleet, random, async (load, account) => {
    for (const statement of [/settle_receipts/, /draw_/, /look_up_keys/, /idempotency_key/]) {
      const victim = random.pick(fleet.gateways);
      const others = fleet.gateways.filter((gateway) => gateway !== victim);
      await whileHit(fleet, victim, account, async () => {
        await victim.proxy.haltIn(statement);
        const byOthers = (): number => load.seen.filter(({ by, isWhole }) => by !== victim && isWhole).length;
        const before = byOthers();
        for (let round = 0; round < BYSTANDER_ROUNDS; round++) {
          const seen = await Promise.all(others.map((gateway) => ask(gateway, bystander.key.key)));
          expect(seen.map(({ status }) => status)).toEqual(others.map(() => 200));
        }
        await until(() => byOthers() > before + WARM_WHOLE, 'answers of the others');
        victim.proxy.mend();
      });
    }
  });
};

/** One of a gateway's workers is killed, and replaced by its supervisor. */
export const workerKilled: Failure = async (fleet, random) => {
  await underLoad(fleet, random, async (load, account) => {
    const victim = random.pick(fleet.gateways.filter(({ processes }) => processes > 1));
    // A worker that has been silent for too long may be beginning its next epoch.
    const areAllThere = (pids: readonly number[]): boolean => pids.length === victim.processes;
    for (let count = 0; count < 2; count++) {
      await until(async () => areAllThere(await workersOf(fleet, victim)), 'all workers have an epoch');
      await whileHit(fleet, victim, account, async () => {
        const dead = random.pick(await workersOf(fleet, victim));
        process.kill(dead, 'SIGKILL');
        const isReplaced = async (): Promise<boolean> => {
          const now = await workersOf(fleet, victim);
          return areAllThere(now) && !now.includes(dead);
        };
        await until(isReplaced, 'a worker in its place');
      });
    }
    expect(load.whole).toBeGreaterThan(WARM_WHOLE);
  });
};

/** A gateway's disk has no room while the database is away, so that it can journal nothing. */
export const diskFull: Failure = async (fleet, random) => {
  const victim = fleet.gateways.find(({ disk }) => disk !== null);
  // Only root may mount a small one.
  if (victim === undefined) return;
  await underLoad(fleet, random, async (load, account) => {
    await until(() => load.inFlight(victim).size > 0, 'requests at the gateway whose disk is full');
    await whileHit(fleet, victim, account, async () => {
      await victim.disk?.fill();
      victim.proxy.cut();
      await delay(FULL_DISK_MS);
      victim.proxy.mend();
      await victim.disk?.clear();
    });
  });
};
