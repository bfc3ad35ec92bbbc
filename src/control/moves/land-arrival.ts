import { isRefusal, refuse, type Refusal } from '../../domain/refusals.ts';
import { authorise, type OperatorScope } from '../../domain/workspace-scope.ts';
import { assert } from '../../lib/assert.ts';
import { type Sql, SqlFault, type SqlRunner } from '../../lib/sql.ts';
import { recordAudit } from '../audit/audit.ts';
import { makeChange } from '../audit/change.ts';
import { changeRemains } from '../audit/remains.ts';
import { takePrices } from '../catalogue/workspace-prices.ts';
import { countCorrections } from '../usage/rebuilding.ts';
import {
  announceWorkspace,
  type ArrivalName,
  countResponses,
  hasLeases,
  lockArrival,
  refusalOfOpen,
  unhurried,
} from './arrivals.ts';
import { countEnding, differing, type EndingCounts, type Figures, readFigures, type ReceiptSums } from './figures.ts';
import { landPeople } from './land-people.ts';
import { landPrices } from './land-prices.ts';
import { landReversals, postReversals } from './land-reversals.ts';
import { landRows } from './land-rows.ts';
import { ARRIVAL_STEPS, stateAfter } from './move-states.ts';

// What was set apart of a workspace that arrives becomes rows of it, and the workspace lives here once the other cell has let go of it.

/** What is counted of a workspace that has landed; and how many rows there are of those that end in the course of things. */
export interface Landed {
  readonly figures: Figures;
  readonly counts: EndingCounts;
}

/** Makes rows of all that was set apart, if anything was, which still belong to the other cell. Returns what is counted of all. */
export async function landArrival(sql: Sql, _operator: OperatorScope, name: ArrivalName): Promise<Landed | Refusal> {
  const { workspaceId } = name;
  try {
    return await makeChange(unhurried(sql), async (tx) => {
      const arrival = await lockArrival(tx, name, ARRIVAL_STEPS.land.from);
      if (isRefusal(arrival)) return arrival;
      const open = await refusalOfOpen(tx, workspaceId);
      if (open !== null) return open;
      const apart = await tx.query('select from arriving_rows where workspace_id = $1 limit 1', [workspaceId]);
      const refused = apart.length === 0 ? null : await landApart(tx, workspaceId, arrival.shard);
      if (refused !== null) return refused;
      const figures = await readFigures(tx, workspaceId, await receiptSums(tx, workspaceId));
      return { figures, counts: await countEnding(tx, workspaceId) };
    });
  } catch (fault) {
    if (!(fault instanceof SqlFault) || fault.constraint === null) throw fault;
    return refuse('CONFLICT', `Its rows collide with others there (${fault.constraint}).`);
  }
}

async function receiptSums(tx: SqlRunner, workspaceId: string): Promise<ReceiptSums> {
  const [sums] = await tx.query<ReceiptSums>(
    `select receipts::text, charges_nano_usd::text as charges, write_offs_nano_usd::text as "writeOffs" from arrivals
     where workspace_id = $1`,
    [workspaceId],
  );
  assert(sums !== undefined, 'the arrival is locked');
  return sums;
}

async function landApart(tx: SqlRunner, workspaceId: string, shard: string): Promise<Refusal | null> {
  await changeRemains(tx);
  await tx.query(`select set_config('faregate.landing', 'on', true)`);
  await takePrices(tx);
  if (await hasLeases(tx, workspaceId)) {
    return refuse('SERVICE_UNAVAILABLE', 'A process there still has a lease from when the workspace lived there.');
  }
  const users = await landPeople(tx, workspaceId);
  if (isRefusal(users)) return users;
  const parted = await refusalOfParting(tx, workspaceId);
  if (parted !== null) return parted;
  const former = await correctionsOf(tx, workspaceId);
  await landRows(tx, { workspaceId, shard, users });
  await landReversals(tx, workspaceId);
  await landPrices(tx, workspaceId);
  await keepNumbers(tx, workspaceId);
  await dropDropped(tx, workspaceId);
  const corrections = await correctionsOf(tx, workspaceId);
  await countCorrections(
    tx,
    corrections.filter((id) => !former.includes(id)),
    Date.now(),
  );
  // It may have left this cell for another one before: its newer keys are not known there.
  await tx.query('update workspaces set moved_to = $2 where id = $1', [workspaceId, shard]);
  await tx.query(`update arrivals set state = '${ARRIVAL_STEPS.land.to}' where workspace_id = $1`, [workspaceId]);
  await tx.query('delete from arriving_rows where workspace_id = $1', [workspaceId]);
  // A process that was asked for one of its keys before remembers that there is none.
  await announceWorkspace(tx, workspaceId);
  return null;
}

/** What the workspace has left here must be the beginning of what it has now. */
async function refusalOfParting(tx: SqlRunner, workspaceId: string): Promise<Refusal | null> {
  const parted = await tx.query(
    `with sent as materialized (
       select r.* from arriving_rows a cross join lateral jsonb_populate_record(null::audit_links, a.row) r
       where a.workspace_id = $1 and a.table_name = 'audit_links'
     )
     select from audit_links x join sent using (position) where x.scope_id = $1 and x.event_id <> sent.event_id
     union all
     select from audit_links x where x.scope_id = $1 and x.position > (
       select (row ->> 'length')::bigint from arriving_rows where workspace_id = $1 and table_name = 'audit_chains'
     ) limit 1`,
    [workspaceId],
  );
  if (parted.length === 0) return null;
  const message =
    'A person was erased from the audit events that it left here, so they are no beginning of those it has now.';
  return refuse('CONFLICT', message);
}

async function correctionsOf(tx: SqlRunner, workspaceId: string): Promise<readonly string[]> {
  const rows = await tx.query<{ id: string }>(
    'select id from ledger_postings where workspace_id = $1 and receipt_request_id is not null',
    [workspaceId],
  );
  return rows.map(({ id }) => id);
}

/** Audit events that retention has dropped in the other cell go here as well: its chain says up to where. */
async function dropDropped(tx: SqlRunner, workspaceId: string): Promise<void> {
  const dropped = await tx.query<{ id: string }>(
    `delete from audit_events where workspace_id = $1 and id in (
       select event_id from audit_links join audit_chains using (scope_id) where scope_id = $1 and position <= dropped_to
     ) returning id`,
    [workspaceId],
  );
  await tx.query('delete from audit_redactions where by_event = any ($1)', [dropped.map(({ id }) => id)]);
}

async function keepNumbers(tx: SqlRunner, workspaceId: string): Promise<void> {
  // Later postings have later numbers.
  await tx.query(
    `select setval(pg_get_serial_sequence('ledger_postings', 'number'), greatest(
       nextval(pg_get_serial_sequence('ledger_postings', 'number')),
       (select coalesce(max(number), 1) from ledger_postings where workspace_id = $1)
     ))`,
    [workspaceId],
  );
}

/** The workspace lives here from now on. Called once the other cell has let go of it. Refused if it is not what that cell has counted. */
export async function openArrival(
  sql: Sql,
  operator: OperatorScope,
  name: ArrivalName,
  figures: Figures,
): Promise<Refusal | null> {
  const { workspaceId } = name;
  return await makeChange(sql, async (tx) => {
    const arrival = await lockArrival(tx, name, ['arriving', 'landed', 'open']);
    if (isRefusal(arrival)) return arrival;
    if (arrival.state === 'open') return null;
    if (stateAfter(ARRIVAL_STEPS.open, arrival.state) === null) {
      return refuse('CONFLICT', 'The workspace has not landed.');
    }
    const differences = differing(figures, await readFigures(tx, workspaceId, await receiptSums(tx, workspaceId)));
    if (differences.length > 0) {
      return refuse('CONFLICT', `What has landed differs: ${differences.join(', ')}.`);
    }
    await countResponses(tx, workspaceId);
    await tx.query(`update arrivals set state = '${ARRIVAL_STEPS.open.to}' where workspace_id = $1`, [workspaceId]);
    await tx.query('delete from arriving_rows where workspace_id = $1', [workspaceId]);
    await tx.query('update workspaces set moved_to = null where id = $1', [workspaceId]);
    await tx.query(`update purses set shut = false where workspace_id = $1 and kind = 'credit'`, [workspaceId]);
    await postReversals(tx, workspaceId);
    await announceWorkspace(tx, workspaceId);
    await tx.query(`insert into changes (kind, subject_id) values ('catalogue', '*')`);
    const scope = authorise(operator.act, 'workspace:write', workspaceId);
    if (isRefusal(scope)) return scope;
    await recordAudit(tx, scope, {
      action: 'workspace.arrive',
      target: { kind: 'workspace', id: workspaceId },
      after: { from: arrival.shard },
    });
    return null;
  });
}
