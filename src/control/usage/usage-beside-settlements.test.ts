import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { type Account, granted, openAccount, openKey, Spender } from '../../../test/support/accounts.ts';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { operatorIn } from '../../../test/support/scopes.ts';
import { expectedReport, readReceipts, wholeReport } from '../../../test/support/usage-model.ts';
import { countUsageIn, verifyLedger } from '../../../test/support/verify-ledger.ts';
import { openDatabase } from '../../program/database/pool.ts';
import type { Sql } from '../../lib/sql.ts';
import { readUsage, type UsageRequest } from './usage-report.ts';
import { GROUPINGS } from '../../domain/usage-groupings.ts';

// Usage is asked for while processes settle, each on connections of its own, and two processes count. Whatever an answer
// was added up from, its total shows which settlements are in it, since each process charges its own power of a thousand.

const HOUR_MS = 3_600_000;
const BASE_MS = Date.UTC(2026, 9, 24);
const SETTLERS = 3;
/** Of a process's requests, which are less than a thousand. */
const chargeOf = (settler: number): bigint => 1_000n ** BigInt(settler);

/** Those of a course, open until it is over. */
let databases: AsyncDisposableStack;
let testDatabase: TestDatabase;

interface Settlement {
  readonly workspace: 0 | 1;
  readonly model: number;
  readonly hour: number;
  /** Whether its transaction commits only when a later one has, and that one is counted. */
  readonly isOvertaken: boolean;
}

interface Question {
  readonly workspace: 0 | 1;
  readonly groupBy: UsageRequest['groupBy'];
  readonly bucket: UsageRequest['bucket'];
}

const workspace = fc.constantFrom(0 as const, 1 as const);
const courses = fc.record({
  settlers: fc.array(
    fc.array(
      fc.record<Settlement>({
        workspace,
        model: fc.integer({ min: 0, max: 2 }),
        hour: fc.integer({ min: 0, max: 24 * 9 }),
        isOvertaken: fc.constantFrom(false, false, true),
      }),
      { minLength: 5, maxLength: 8 },
    ),
    { minLength: SETTLERS, maxLength: SETTLERS },
  ),
  questions: fc.array(
    fc.record<Question>({
      workspace,
      groupBy: fc.constantFrom(null, ...GROUPINGS),
      bucket: fc.constantFrom(null, 'hour' as const, 'day' as const),
    }),
    { minLength: 4, maxLength: 8 },
  ),
});

/** Has a settlement wait before it commits, however long, for the lock of the number that stands as its duration, if any. */
const COMMITS_IN_TURN = [
  `create or replace function bound_transaction(p_most text default '5s') returns text language sql as 'select null'`,
  `create or replace function wait_briefly() returns text language sql as 'select null'`,
  `create function commit_in_turn() returns trigger language plpgsql as $$
   begin
     if new.duration_ms > 0 then perform pg_advisory_xact_lock_shared(new.duration_ms); end if;
     return null;
   end $$`,
  `create constraint trigger commits_in_turn after insert on receipts deferrable initially deferred
   for each row execute function commit_in_turn()`,
];

/** How many settlements of each process there are in each workspace. */
type Counts = readonly [number[], number[]];
const noCounts = (): Counts => [Array.from({ length: SETTLERS }, () => 0), Array.from({ length: SETTLERS }, () => 0)];

/** How many settlements of each process a sum of charges is made of. */
function decoded(charge: bigint): readonly number[] {
  return Array.from({ length: SETTLERS }, (_, settler) => Number((charge / chargeOf(settler)) % 1_000n));
}

const REQUEST: UsageRequest = {
  stretch: { fromMs: BASE_MS - 24 * HOUR_MS, toMs: BASE_MS + 24 * 40 * HOUR_MS },
  filter: {},
  groupBy: null,
  groupsMax: 200,
  bucket: null,
  before: null,
  withLatency: false,
};

async function ask(workspaceId: string, { groupBy, bucket }: Omit<Question, 'workspace'>) {
  const scope = operatorIn(workspaceId, 'usage:read');
  return wholeReport(granted(await readUsage(testDatabase.database, scope, { ...REQUEST, groupBy, bucket })));
}

function openOther(): TestDatabase['database'] {
  const { connection } = testDatabase;
  const database = openDatabase({ connection, connectionsMax: 6, applicationName: 'other' });
  return databases.adopt(database, (opened) => opened.close());
}

/** Begins to settle, and lets that commit only when a later transaction has and usage was counted after it. */
async function overtake(sql: Sql, lock: number, settleOne: () => Promise<void>): Promise<void> {
  let settling = Promise.resolve();
  await sql.transaction(
    async (tx) => {
      await tx.query('select pg_advisory_xact_lock($1)', [lock]);
      settling = settleOne();
      const waits = `select from pg_locks where locktype = 'advisory' and objid = $1 and not granted`;
      await vi.waitUntil(async () => (await sql.query(waits, [lock])).length > 0, { timeout: 60_000, interval: 2 });
      await sql.query('select pg_current_xact_id()');
      await countUsageIn(sql)();
    },
    { idleMsMax: 60_000 },
  );
  await settling;
}

interface Books {
  readonly accounts: readonly Account[];
  readonly begun: Counts;
  readonly settled: Counts;
}

/** Settles the course; notes what it is about to settle, and what has been. */
async function settle(
  sql: Sql,
  { settler, course }: { readonly settler: number; readonly course: readonly Settlement[] },
  { accounts, begun, settled }: Books,
): Promise<void> {
  // Without the limits of time that its statements have: how busy the machine is changes no verdict.
  const spender = await Spender.begin({ ...sql, query: (text, values) => sql.query(text, values) });
  const charge = chargeOf(settler);
  const spend = async ({ workspace: place, model, hour }: Settlement, lock = 0): Promise<void> => {
    const account = accounts[place * SETTLERS + settler] as Account;
    begun[place][settler] = (begun[place][settler] ?? 0) + 1;
    const details = { admittedAtMs: BASE_MS + hour * HOUR_MS, model: `model ${model}`, durationMs: lock };
    await spender.spend(account, { hold: charge, charge }, details);
    settled[place][settler] = (settled[place][settler] ?? 0) + 1;
  };
  for (const settlement of course) {
    if (!settlement.isOvertaken) await spend(settlement);
    else await overtake(sql, settler + 1, () => spend(settlement, settler + 1));
  }
}

/** An answer has all that was settled before it was asked for, nothing twice, and no less than the answer before. */
async function askOnAndOn(
  questions: readonly Question[],
  { ids, begun, settled, isOver }: { ids: readonly string[]; begun: Counts; settled: Counts; isOver: () => boolean },
): Promise<number> {
  const last = noCounts();
  let asked = 0;
  while (!isOver() || asked < questions.length) {
    const { workspace: place, ...question } = questions[asked % questions.length] as Question;
    const least = settled[place].map((count, settler) => Math.max(count, last[place][settler] ?? 0));
    const { total, groups, others, points } = await ask(ids[place] ?? '', question);
    const most = [...begun[place]];
    const found = decoded(total.charge);
    const about = { question, least, most, found };
    expect({
      ...about,
      isRight: found.every((count, at) => count >= (least[at] ?? 0) && count <= (most[at] ?? 0)),
    }).toEqual({ ...about, isRight: true });
    expect({ ...about, requests: Number(total.requests) }).toEqual({
      ...about,
      requests: found.reduce((sum, count) => sum + count, 0),
    });
    // All parts of an answer are of one moment.
    const ofGroups = groups.reduce((sum, { sums }) => sum + sums.charge, others.charge);
    if (question.groupBy !== null) expect({ ...about, sum: ofGroups }).toEqual({ ...about, sum: total.charge });
    const ofPoints = points.reduce((sum, { sums }) => sum + sums.charge, 0n);
    if (question.bucket !== null) expect({ ...about, sum: ofPoints }).toEqual({ ...about, sum: total.charge });
    found.forEach((count, settler) => (last[place][settler] = count));
    asked += 1;
  }
  return asked;
}

/** Runs a course, judges each answer in it, and all of usage after it. */
async function judge({
  settlers,
  questions,
}: {
  readonly settlers: readonly (readonly Settlement[])[];
  readonly questions: readonly Question[];
}): Promise<void> {
  testDatabase = databases.adopt(await startTestDatabase({ connectionsMax: 4 }), (used) => used.stop());
  const sql = testDatabase.database;
  for (const statement of COMMITS_IN_TURN) await sql.query(statement);
  const owners = [await openAccount(sql, { credit: 10n ** 15n }), await openAccount(sql, { credit: 10n ** 15n })];
  const ids = owners.map(({ workspace: { id } }) => id);
  const accounts: Account[] = [];
  for (const account of owners) {
    accounts.push(account);
    for (let more = 1; more < SETTLERS; more++) accounts.push({ ...account, key: await openKey(sql, account.project) });
  }
  await countUsageIn(sql)();
  const [begun, settled] = [noCounts(), noCounts()];
  const progress = { isOver: false };
  const settling = Promise.all(
    settlers.map((course, settler) => settle(openOther(), { settler, course }, { accounts, begun, settled })),
  ).finally(() => (progress.isOver = true));
  const counting = [openOther(), openOther()].map(async (other) => {
    while (!progress.isOver) await countUsageIn(other)();
  });
  const asking = [questions, questions.toReversed()].map((turn) =>
    askOnAndOn(turn, { ids, begun, settled, isOver: () => progress.isOver }),
  );
  await Promise.all([settling, ...counting, ...asking]);

  const receipts = await readReceipts(sql);
  expect(receipts).toHaveLength(settlers.flat().length);
  for (const [place, workspaceId] of ids.entries()) {
    for (const groupBy of [null, ...GROUPINGS]) {
      const read = await ask(workspaceId, { groupBy, bucket: 'day' });
      const request = { ...REQUEST, groupBy, bucket: 'day' as const, filter: { workspaceId } };
      const { total, points } = expectedReport(receipts, request);
      expect([read.total, read.points]).toEqual([total, points]);
      expect(decoded(read.total.charge)).toEqual(settled[place as 0 | 1]);
    }
  }
  expect((await verifyLedger(sql)).differences).toEqual([]);
}

test('each answer about usage has a state of the ledger between question and answer, while others settle and count', async () => {
  await fc.assert(
    fc.asyncProperty(courses, async (course) => {
      databases = new AsyncDisposableStack();
      try {
        await judge(course);
      } finally {
        await databases.disposeAsync();
      }
    }),
    { numRuns: 3 },
  );
});
