import { readFileSync } from 'node:fs';
import { KEY_ORDERS, type KeyFilter, listKeys } from '../src/control/accounts/key-list.ts';
import { findExpiringKeys, findNearLimits } from '../src/control/accounts/near-limits.ts';
import type { KeySort } from '../src/domain/key-lists.ts';
import type { Sql } from '../src/lib/sql.ts';
import { readStatement } from '../src/control/usage/statement.ts';
import { readUsage, stretchBefore, type UsageRequest } from '../src/control/usage/usage-report.ts';
import { bucketEnd, bucketStart } from '../src/control/usage/segments.ts';
import { startTestDatabase } from '../test/support/database.ts';
import { scopeOf } from '../test/support/scopes.ts';
import { countUsageIn } from '../test/support/verify-ledger.ts';
import { LARGE_LEDGER, openLargeLedger } from './large-ledger.ts';

// What questions about usage, statements, what asks for attention, and lists of very many keys cost PostgreSQL in a workspace with
// a long history. Prints the CPU time of each, the median of three. The first argument is a part of the million receipts, such as 0.01.

const DAY_MS = 86_400_000;
const scale = Number(process.argv[2] ?? 1);
const size = {
  ...LARGE_LEDGER,
  receipts: Math.ceil(LARGE_LEDGER.receipts * scale),
  keys: Math.ceil(LARGE_LEDGER.keys * scale),
};

const nowMs = Date.now();
const toMs = bucketEnd('month', nowMs);
const since = (days: number) => ({ fromMs: bucketStart('day', nowMs - days * DAY_MS), toMs });
const base: UsageRequest = {
  stretch: since(90),
  filter: {},
  groupBy: null,
  groupsMax: 10,
  bucket: 'day',
  before: null,
  withLatency: false,
};
const QUESTIONS: Readonly<Record<string, Partial<UsageRequest>>> = {
  'by model and day': { groupBy: 'model' },
  'by model and day, with durations': { groupBy: 'model', withLatency: true },
  'by project and day': { groupBy: 'project' },
  'by outcome and day': { groupBy: 'outcome' },
  'by model, 45 days and those before': { groupBy: 'model', stretch: since(45), before: stretchBefore(since(45)) },
  'by model and hour, 31 days': { groupBy: 'model', bucket: 'hour', stretch: since(31) },
  'the first 200 keys': { groupBy: 'key', bucket: null, groupsMax: 200 },
  'the first 200 keys, 30 days': { groupBy: 'key', bucket: null, groupsMax: 200, stretch: since(30) },
  'by member and day': { groupBy: 'member' },
  'by member and hour, a day': { groupBy: 'member', bucket: 'hour', stretch: since(1) },
  'the first 200 keys of a model': { groupBy: 'key', bucket: null, groupsMax: 200, filter: { model: 'model-3' } },
};

const LISTS: Readonly<Record<string, KeyFilter>> = {
  'all keys': {},
  'active keys': { state: 'active' },
  'a search of keys': { search: 'key 7' },
  'a search that finds no key': { search: 'nothing' },
};

/** CPU time of all of the server's sessions so far, milliseconds. */
async function cpuMs(sql: Sql): Promise<number> {
  const rows = await sql.query<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and backend_type = 'client backend'`,
  );
  const times = rows.map(({ pid }) => Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6);
  return times.reduce((sum, time) => sum + time, 0);
}

async function printCost(name: string, sql: Sql, question: () => Promise<unknown>): Promise<void> {
  const times: number[] = [];
  while (times.length < 3) {
    const sinceMs = await cpuMs(sql);
    await question();
    times.push((await cpuMs(sql)) - sinceMs);
  }
  console.log(`${name}: ${times.toSorted((one, other) => one - other)[1]?.toFixed(0)} ms`);
}

const { database: sql, stop } = await startTestDatabase({ connectionsMax: 2 });
try {
  const { workspace } = await openLargeLedger(sql, size);
  const beforeMs = await cpuMs(sql);
  await countUsageIn(sql)();
  console.log(`counting: ${((1_000 * ((await cpuMs(sql)) - beforeMs)) / size.receipts).toFixed(1)} µs a receipt`);
  await sql.query('vacuum analyze', [], { statementMsMax: 600_000 });
  const scope = scopeOf(workspace.id, 'usage:read');
  for (const [name, question] of Object.entries(QUESTIONS)) {
    await printCost(name, sql, () => readUsage(sql, scope, { ...base, ...question }));
  }
  const monthStart = (ago: number): Date => {
    const now = new Date(nowMs);
    return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - ago));
  };
  for (const ago of [0, 2]) {
    await printCost(`the statement of ${ago} months ago`, sql, () => readStatement(sql, scope, monthStart(ago)));
  }
  await printCost('projects near their limits', sql, () => findNearLimits(sql, scope, 'project'));
  await printCost('keys near their limits', sql, () => findNearLimits(sql, scope, 'key'));
  await printCost('keys about to expire', sql, () => findExpiringKeys(sql, scope));
  for (const [name, filter] of Object.entries(LISTS)) {
    for (const sort of Object.keys(KEY_ORDERS) as KeySort[]) {
      await printCost(`${name} by ${sort}`, sql, () => listKeys(sql, scope, filter, { sort }));
    }
  }
} finally {
  await stop();
}
