import { exportedReceipts } from '../ledger/export.ts';
import { type NextSnapshot, receiptsAfter, snapshotAfter } from '../usage/folding.ts';
import { assert } from '../../lib/assert.ts';
import { keepSink } from './sink-progress.ts';
import { HoldLost, type SinkRound } from './sink-round.ts';
import { ID_BEFORE_ALL } from '../../lib/uuid7.ts';

// Receipts are delivered by snapshots, as usage is counted: a slice has those that its snapshot shows and the former one does
// not, whenever their transactions have committed. All workspaces follow the sink's snapshot, but for those that have begun
// since, or whose delivery failed while that of others did not: these catch up by snapshots of their own.

/** How many transactions a slice looks at, and how many receipts are read at the same time. */
const XIDS = 1_000;
const RECEIPTS_PER_PAGE = 500;
/** A sink that fails as often in a row isn't asked for the other workspaces. */
const FAILURES_MAX = 3;

/** The receipts between two snapshots, $1 and $2, of those who follow the sink $3; or of the workspace $6 alone. */
const PAGE = `
  select later.workspace_id as "workspaceId", later.request_id as "requestId"
  from ${receiptsAfter('$1::pg_snapshot', 'true')} later
  join workspace_sinks used on used.workspace_id = later.workspace_id and used.sink = $3 and 'receipts' = any(used.records)
  where pg_visible_in_snapshot(later.settled_xid, $2::pg_snapshot)
    and (later.workspace_id, later.request_id) > ($4::uuid, $5::uuid)
    and case when $6::uuid is null then used.receipts_from is null else used.workspace_id = $6 end
  order by later.workspace_id, later.request_id limit ${RECEIPTS_PER_PAGE}`;

interface Between {
  readonly from: string;
  readonly to: string;
  /** Null: all who follow the sink. */
  readonly workspaceId: string | null;
}

interface Delivered {
  readonly succeeded: ReadonlySet<string>;
  readonly failed: ReadonlySet<string>;
}

/** Delivers all receipts that are settled by now. @throws HoldLost */
export async function deliverReceipts(round: SinkRound): Promise<void> {
  const { sql, sink } = round;
  const [follower] = await sql.query(
    `select from workspace_sinks where sink = $1 and 'receipts' = any(records) and receipts_from is null limit 1`,
    [sink],
  );
  if (follower === undefined) {
    await sql.query('update sink_progress set delivered = pg_current_snapshot() where sink = $1', [sink]);
  } else {
    while (!(await deliverSlice(round)));
  }
  await catchUp(round);
}

/** Delivers the next slice to those who follow; true if there is no other by now. */
async function deliverSlice(round: SinkRound): Promise<boolean> {
  const { sql, sink } = round;
  const next = snapshotAfter('delivered', '(select delivered from sink_progress where sink = $2) held');
  const [bounds] = await sql.query<NextSnapshot>(next, [XIDS, sink]);
  assert(bounds !== undefined, 'a sink that is held has a snapshot');
  const { former, next: to, isAll } = bounds;
  if (former === to) return true;
  const { succeeded, failed } = await deliverBetween(round, { from: former, to, workspaceId: null });
  // If nothing was delivered, the same slice is tried again; else it would be repeated to all others.
  if (failed.size > 0 && succeeded.size === 0) return true;
  await sql.transaction(async (tx) => {
    await tx.query(
      'update workspace_sinks set receipts_from = $3::pg_snapshot where sink = $1 and workspace_id = any($2::uuid[])',
      [sink, [...failed], former],
    );
    await tx.query('update sink_progress set delivered = $2::pg_snapshot where sink = $1 and holder = $3', [
      sink,
      to,
      round.holder,
    ]);
  });
  return isAll || failed.size > 0;
}

/** Brings workspaces with snapshots of their own to the sink's. */
async function catchUp(round: SinkRound): Promise<void> {
  const { sql, sink } = round;
  const behind = await sql.query<Between & { readonly workspaceId: string }>(
    `select workspace_id as "workspaceId", receipts_from::text as from, delivered::text as to
     from workspace_sinks join sink_progress using (sink)
     where sink = $1 and receipts_from is not null and 'receipts' = any(records)
       and pg_snapshot_xmax(delivered) >= pg_snapshot_xmax(receipts_from)`,
    [sink],
  );
  for (const each of behind) {
    const { failed } = await deliverBetween(round, each);
    if (failed.size > 0) continue;
    await sql.query(
      `update workspace_sinks set receipts_from = null
       where sink = $1 and workspace_id = $2 and receipts_from::text = $3`,
      [sink, each.workspaceId, each.from],
    );
  }
}

async function deliverBetween(round: SinkRound, { from, to, workspaceId: only }: Between): Promise<Delivered> {
  const { sql, sink, pacer } = round;
  const [succeeded, failed] = [new Set<string>(), new Set<string>()];
  let failures = 0;
  let last: readonly [string, string] | null = [ID_BEFORE_ALL, ID_BEFORE_ALL];
  while (last !== null) {
    const place: readonly [string, string] = last;
    const page: readonly { workspaceId: string; requestId: string }[] = await pacer.slice(() =>
      sql.query(PAGE, [from, to, sink, ...place, only]),
    );
    for (const [workspaceId, receipts] of Map.groupBy(page, (receipt) => receipt.workspaceId)) {
      if (failed.has(workspaceId)) continue;
      const ids = receipts.map(({ requestId }) => requestId);
      const isDelivered = failures < FAILURES_MAX && (await deliverTo(round, workspaceId, ids));
      failures = isDelivered ? 0 : failures + 1;
      if (!isDelivered) succeeded.delete(workspaceId);
      (isDelivered ? succeeded : failed).add(workspaceId);
    }
    const end = page.length < RECEIPTS_PER_PAGE ? undefined : page.at(-1);
    last = end === undefined ? null : [end.workspaceId, end.requestId];
  }
  return { succeeded, failed };
}

async function deliverTo(round: SinkRound, workspaceId: string, requestIds: readonly string[]): Promise<boolean> {
  const { sql, sink, holder, pacer, deliver } = round;
  if (!(await keepSink(sql, sink, holder))) throw new HoldLost();
  const receipts = await pacer.slice(() => exportedReceipts(sql, workspaceId, requestIds));
  const fields = { record: 'receipts', workspace_id: workspaceId };
  return await deliver(
    workspaceId,
    receipts.map((receipt) => ({ ...fields, ...receipt })),
  );
}
