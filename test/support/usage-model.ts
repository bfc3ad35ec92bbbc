import type { Sql } from '../../src/lib/sql.ts';
import { isReceiptGrouping, type UsageGrouping } from '../../src/domain/usage-groupings.ts';
import type { UsageFilter } from '../../src/control/usage/usage-sql.ts';
import { DURATION_CLASSES_MS } from '../../src/domain/duration-classes.ts';
import type { UsagePoint, UsageReport, UsageRequest, UsageSums } from '../../src/control/usage/usage-report.ts';
import { NO_TOKENS, TOKEN_CLASSES, type TokenClass } from '../../src/domain/usage.ts';

// What usage must be: receipts and postings as they stand, added up one by one in this process, by its own arithmetic of
// time.

type ReceiptRow = Readonly<Record<string, string | number | bigint | Date | null>>;

const COLUMN: Readonly<Record<UsageGrouping, string>> = {
  model: 'model',
  project: 'project_id',
  key: 'key_id',
  member: 'member',
  outcome: 'outcome',
  dialect: 'dialect',
  workspace: 'workspace_id',
  session: 'session',
  service_tier: 'service_tier',
};

const FILTERS: Readonly<Record<keyof UsageFilter, string>> = {
  workspaceId: 'workspace_id',
  workspaceIds: 'workspace_id',
  projectId: 'project_id',
  keyId: 'key_id',
  keyIds: 'key_id',
  model: 'model',
  outcome: 'outcome',
  dialect: 'dialect',
};

interface Sums {
  requests: bigint;
  charge: bigint;
  corrected: bigint;
  writeOff: bigint;
  tokens: Record<TokenClass, bigint>;
  latency: { duration: bigint[]; first_event: bigint[] };
  costs: { amount: bigint; requests: bigint };
}

const nothing = (): Sums => ({
  requests: 0n,
  charge: 0n,
  corrected: 0n,
  writeOff: 0n,
  tokens: Object.fromEntries(Object.keys(NO_TOKENS).map((name) => [name, 0n])) as Record<TokenClass, bigint>,
  latency: { duration: NO_CLASSES(), first_event: NO_CLASSES() },
  costs: { amount: 0n, requests: 0n },
});

const NO_CLASSES = (): bigint[] => Array.from({ length: DURATION_CLASSES_MS.length + 1 }, () => 0n);

function addReceipt(sums: Sums, row: ReceiptRow): void {
  sums.requests += 1n;
  sums.charge += row['charge_nano_usd'] as bigint;
  sums.corrected += row['corrected'] as bigint;
  sums.writeOff += row['write_off_nano_usd'] as bigint;
  for (const name of TOKEN_CLASSES) sums.tokens[name] += BigInt(row[`${name}_tokens`] as number);
  const cost = row['cost'] as bigint | null;
  if (cost !== null) sums.costs = { amount: sums.costs.amount + cost, requests: sums.costs.requests + 1n };
  addToClass(sums.latency.duration, row['duration_ms'] as number);
  if (row['first_event_ms'] !== null) addToClass(sums.latency.first_event, row['first_event_ms'] as number);
}

function addToClass(classes: bigint[], ms: number): void {
  const found = DURATION_CLASSES_MS.findIndex((most) => ms <= most);
  const index = found < 0 ? DURATION_CLASSES_MS.length : found;
  classes[index] = (classes[index] ?? 0n) + 1n;
}

const wanted = (sums: Sums, withLatency: boolean): UsageSums => ({
  ...sums,
  latency: withLatency ? sums.latency : null,
});

const micros = (time: string): string => `(extract(epoch from ${time}) * 1000000)::bigint`;

/** All receipts, with what corrections gave back of each, and what it cost its provider; null: not known. */
export async function readReceipts(sql: Sql): Promise<readonly ReceiptRow[]> {
  const receipts = await sql.query<ReceiptRow>(
    `select receipts.*, ${micros('admitted_at')} as admitted, (
       select coalesce(sum(amount_nano_usd), 0)::bigint from postings
       where postings.workspace_id = receipts.workspace_id and receipt_request_id = request_id
     ) as corrected, (
       select coalesce(created_by::text, '') from keys where keys.id = key_id
     ) as member from receipts`,
  );
  const costs = await sql.query<ReceiptRow>(
    `select *, ${micros('created_at')} as since, ${micros('retired_at')} as until from cost_versions`,
  );
  return receipts.map((row) => ({ ...row, cost: costOfReceipt(row, costs) }));
}

/** These costs name no service tiers, so those of other tiers than the standard one aren't known. */
function costOfReceipt(receipt: ReceiptRow, costs: readonly ReceiptRow[]): bigint | null {
  if (receipt['service_tier'] !== null) return null;
  const tokens = TOKEN_CLASSES.map((name) => [name, BigInt(receipt[`${name}_tokens`] as number)] as const);
  const input = tokens.filter(([name]) => !name.includes('output')).reduce((sum, [, count]) => sum + count, 0n);
  const admitted = receipt['admitted'] as bigint;
  const found = costs.filter(
    (cost) =>
      ['model', 'provider', 'upstream_model'].every((name) => cost[name] === receipt[name]) &&
      (cost['since'] as bigint) <= admitted &&
      (cost['until'] === null || admitted < (cost['until'] as bigint)) &&
      BigInt(cost['input_from'] as number) <= input &&
      (cost['input_to'] === null || input < BigInt(cost['input_to'] as number)),
  );
  const [cost] = found;
  if (cost === undefined) return null;
  if (found.length > 1) throw new Error('a receipt has two costs');
  const exact = tokens.reduce((sum, [name, count]) => sum + count * (cost[`${name}_rate`] as bigint), 0n);
  return exact / 1_000_000n + (exact % 1_000_000n === 0n ? 0n : 1n);
}

const startOf = (bucket: 'hour' | 'day', time: Date): string =>
  bucket === 'hour'
    ? `${time.toISOString().slice(0, 13)}:00:00.000Z`
    : `${time.toISOString().slice(0, 10)}T00:00:00.000Z`;

/** The keys that were charged most, as many as this. */
function keysMost(rows: readonly ReceiptRow[], most: number): ReadonlySet<unknown> {
  const keys = [...Map.groupBy(rows, (row) => row['key_id'])].map(([key, own]) => {
    const net = own.reduce((sum, row) => sum + (row['charge_nano_usd'] as bigint) - (row['corrected'] as bigint), 0n);
    return { key, net, requests: own.length };
  });
  keys.sort((one, other) => {
    if (one.net !== other.net) return one.net < other.net ? 1 : -1;
    return other.requests - one.requests || (String(one.key) < String(other.key) ? -1 : 1);
  });
  return new Set(keys.slice(0, most).map(({ key }) => key));
}

/** The report of these receipts, for the operator. */
export function expectedReport(
  receipts: readonly ReceiptRow[],
  { stretch, before, filter, groupBy, andBy = null, groupsMax, bucket, withLatency }: UsageRequest,
): UsageReport {
  const isWanted = (row: ReceiptRow): boolean =>
    (Object.keys(FILTERS) as (keyof UsageFilter)[]).every(
      (name) => filter[name] === undefined || row[FILTERS[name]] === filter[name],
    );
  const within = (period: { fromMs: number; toMs: number } | null): readonly ReceiptRow[] =>
    receipts.filter((row) => {
      const timeMs = (row['admitted_at'] as Date).getTime();
      return period !== null && isWanted(row) && timeMs >= period.fromMs && timeMs < period.toMs;
    });
  const valueOf = (row: ReceiptRow, by: UsageGrouping | null): string =>
    by === null ? '' : String(row[COLUMN[by]] ?? '');
  const nameOf = (row: ReceiptRow): string =>
    andBy === null
      ? valueOf(row, groupBy)
      : `[${JSON.stringify(valueOf(row, groupBy))}, ${JSON.stringify(valueOf(row, andBy))}]`;
  const sumOf = (rows: readonly ReceiptRow[]): UsageSums => {
    const sums = nothing();
    for (const row of rows) addReceipt(sums, row);
    return wanted(sums, withLatency);
  };
  const pointsOf = (members: readonly ReceiptRow[]): readonly UsagePoint[] =>
    bucket === null
      ? []
      : [...Map.groupBy(members, (row) => startOf(bucket, row['admitted_at'] as Date))]
          .toSorted(([one], [other]) => (one < other ? -1 : 1))
          .map(([start, inside]) => ({ startsAt: new Date(start), sums: sumOf(inside) }));
  const rows = within(stretch);
  const former = Map.groupBy(within(before), nameOf);
  const net = (sums: UsageSums): bigint => sums.charge - sums.corrected;
  const topKeys = keysMost(rows, groupsMax);
  const grouped =
    andBy === null || ![groupBy, andBy].includes('key') ? rows : rows.filter((row) => topKeys.has(row['key_id']));
  const all = [...Map.groupBy(grouped, nameOf)].map(([group, members]) => ({ group, members, sums: sumOf(members) }));
  all.sort((one, other) => {
    const byNet = net(other.sums) - net(one.sums);
    if (byNet !== 0n) return byNet > 0n ? 1 : -1;
    const byRequests = other.sums.requests - one.sums.requests;
    if (byRequests !== 0n) return byRequests > 0n ? 1 : -1;
    return one.group < other.group ? -1 : 1;
  });
  // What has no session, or is of the standard tier, is named in any case.
  const isNamed = ({ group }: { readonly group: string }, index: number): boolean =>
    index < groupsMax || (isReceiptGrouping(groupBy) && group === '');
  const named = all.filter(isNamed);
  const inGroups = new Set(named.flatMap(({ members }) => members));
  return {
    total: sumOf(rows),
    before: before === null ? null : sumOf(within(before)),
    groups: named.map(({ group, members, sums }) => ({
      group: valueOf(members[0] ?? {}, groupBy),
      name: null,
      second: andBy === null ? null : { group: valueOf(members[0] ?? {}, andBy), name: null },
      sums,
      before: before === null ? null : sumOf(former.get(group) ?? []),
      points: pointsOf(members),
    })),
    others: sumOf(rows.filter((row) => !inGroups.has(row))),
    points: pointsOf(rows),
    pointsBefore: pointsOf(within(before)),
  };
}

/** A report with all its points. */
export function wholeReport<Report extends UsageReport>(report: Report) {
  return {
    ...report,
    groups: report.groups.map((group) => ({ ...group, points: [...group.points] })),
    points: [...report.points],
    pointsBefore: [...report.pointsBefore],
  };
}
