import { createHash } from 'node:crypto';
import { isRefusal, refuse, type Refusal } from '../../domain/refusals.ts';
import { authorise, type OperatorScope } from '../../domain/workspace-scope.ts';
import { assert } from '../../lib/assert.ts';
import { type Sql, SqlFault, type SqlRunner } from '../../lib/sql.ts';
import { recordAudit } from '../audit/audit.ts';
import { makeChange } from '../audit/change.ts';
import { changeRemains } from '../audit/remains.ts';
import { takePrices } from '../catalogue/workspace-prices.ts';
import type { Keyring } from '../encryption/keyring.ts';
import { SEALED_TO } from '../usage/folding.ts';
import { countCorrections } from '../usage/rebuilding.ts';
import { differing, type Figures, readFigures } from './figures.ts';
import { landPeople, unprovenAddress } from './land-people.ts';
import { landPrices, matchPrices, type NamedPrice } from './land-prices.ts';
import { landReversals, postReversals } from './land-reversals.ts';
import { landRows } from './land-rows.ts';
import { ARRIVAL_STEPS, type ArrivalState, stateAfter } from './move-states.ts';
import { MOVED_TABLES } from './moved-tables.ts';
import { closeSecrets, hasSecrets } from './travelling-secrets.ts';

// The cell that a workspace moves to. What arrives is set apart until all of it is there; then it lands in one transaction, as rows of
// a workspace that lives in the other cell; and once the other cell has let go of it, it lives here. Each step can be repeated.

/** The work may take as long as the workspace's receipts are many. */
const LANDING = { statementMsMax: 1_800_000, idleMsMax: 60_000, settings: { jit: 0 } };

/** What both cells have to have in common: the tables and columns that come along. */
export const MOVED_DIGEST = createHash('sha256').update(JSON.stringify(MOVED_TABLES)).digest('hex');

export interface ArrivalStart {
  readonly workspaceId: string;
  readonly moveId: string;
  /** Of the cell that it comes from. */
  readonly shard: string;
  readonly name: string;
  readonly digest: string;
  /** The first receipt; null if there is none. */
  readonly firstReceipt: string | null;
  readonly prices: readonly NamedPrice[];
  /** Models that its keys and projects name. */
  readonly models: readonly string[];
  /** Its members. */
  readonly people: readonly { readonly id: string; readonly email: string }[];
}

/** Which arrival a call is about: one of an earlier move is refused. */
export interface ArrivalName {
  readonly workspaceId: string;
  readonly moveId: string;
}

/**
 * Begins an arrival, or begins it again: all but receipts is to be sent once more. Returns why it can't arrive, each reason a sentence;
 * none if it can.
 */
export async function beginArrival(
  sql: Sql,
  _operator: OperatorScope,
  start: ArrivalStart,
): Promise<readonly string[] | Refusal> {
  if (!start.prices.every(({ terms }) => isObject(terms))) {
    return refuse('INVALID_REQUEST', '"terms" must have the text of a JSON object.', { param: 'prices' });
  }
  return await makeChange(sql, async (tx) => {
    const { workspaceId, moveId, shard } = start;
    const open = await refusalOfOpen(tx, start);
    if (open !== null) return open;
    const { known, missing } = await matchPrices(tx, start.prices);
    const problems = [...missing.map(priceProblem), ...(await problemsOf(tx, start))];
    if (problems.length > 0) return problems;
    await tx.query(`delete from arrivals where workspace_id = $1 and move_id <> $2`, [workspaceId, moveId]);
    await tx.query(
      `insert into arrivals (workspace_id, move_id, shard, state, prices) values ($1, $2, $3, 'arriving', $4::jsonb)
       on conflict (workspace_id) do update set state = 'arriving', prices = excluded.prices`,
      [workspaceId, moveId, shard, JSON.stringify(known)],
    );
    await tx.query(`delete from arriving_rows where workspace_id = $1 and table_name <> 'receipts'`, [workspaceId]);
    if (await hasLeases(tx, workspaceId)) await announceWorkspace(tx, workspaceId);
    return [];
  });
}

function priceProblem({ model, version }: NamedPrice): string {
  return `version ${version} of the price of "${model}" there, which receipts name, has no equal here: apply that price here first.`;
}

async function refusalOfOpen(tx: SqlRunner, { workspaceId, moveId }: ArrivalName): Promise<Refusal | null> {
  const [found] = await tx.query<{ name: string; isOwn: boolean }>(
    `select name, exists (select from arrivals where workspace_id = $1 and move_id = $2 and state = 'open') as "isOwn"
     from workspaces where id = $1 and moved_to is null`,
    [workspaceId, moveId],
  );
  return found === undefined ? null : refuse('CONFLICT', `The workspace "${found.name}" lives in this cell.`);
}

async function problemsOf(tx: SqlRunner, start: ArrivalStart): Promise<readonly string[]> {
  const { workspaceId, shard, name, digest, firstReceipt, models, people } = start;
  if (digest !== MOVED_DIGEST) return ['the cells run different versions: upgrade the older one first.'];
  const [found] = await tx.query<{
    knowsCell: boolean;
    isTaken: boolean;
    isSealed: boolean;
    unproven: string[];
    unknown: string[];
  }>(
    `select exists (select from cells where shard = $2) as "knowsCell",
       exists (select from workspaces where name = $3 and id <> $1 and archived_at is null) as "isTaken",
       coalesce($4::uuid < ${SEALED_TO}, false) and not exists (select from workspaces where id = $1) as "isSealed",
       array(
         select u.email from unnest($5::uuid[], $6::text[]) as p (id, email) join users u on u.email = p.email
         where u.email_verified_at is null and not exists (select from users x where x.id = p.id) order by u.email
       ) as unproven,
       array(
         select m from unnest($7::text[]) as m where not exists (select from price_versions where model = m and retired_at is null)
         order by m
       ) as unknown`,
    [workspaceId, shard, name, firstReceipt, people.map(({ id }) => id), people.map(({ email }) => email), models],
  );
  assert(found !== undefined, 'a statement without a table has one row');
  return [
    ...(found.knowsCell ? [] : [`the cell does not know the cell ${shard}: add it there with "faregate cell add".`]),
    ...(found.isTaken ? [`another workspace there has the name "${name}": rename one of them.`] : []),
    ...(found.isSealed ? ['receipts as old as those of the workspace are sealed there.'] : []),
    ...found.unproven.map((email) => `${unprovenAddress(email)}.`),
    ...found.unknown.map(
      (model) => `the model "${model}", which its keys or projects name, is not sold there: add it there first.`,
    ),
  ];
}

/** Rows of a table as they were sent. */
export interface ArrivingRows extends ArrivalName {
  readonly table: string;
  readonly keys: readonly string[];
  readonly rows: readonly string[];
}

/** Sets rows apart that have arrived. Those that arrived before are replaced. */
export async function receiveRows(
  sql: Sql,
  keyring: Keyring,
  _operator: OperatorScope,
  { workspaceId, moveId, table, keys, rows }: ArrivingRows,
): Promise<Refusal | null> {
  if (keys.length !== rows.length || !rows.every(isObject)) {
    return refuse('INVALID_REQUEST', '"rows" must have the text of a JSON object for each key.', { param: 'rows' });
  }
  const closed = hasSecrets(table) ? await Promise.all(rows.map((row) => closeSecrets(keyring, table, row))) : rows;
  return await makeChange(sql, async (tx) => {
    const refused = await lockArrival(tx, { workspaceId, moveId }, ['arriving', 'landed']);
    if (isRefusal(refused)) return refused;
    await tx.query(
      `insert into arriving_rows (workspace_id, table_name, key, row)
       select $1, $2, key, row::jsonb from unnest($3::text[], $4::text[]) as q (key, row)
       on conflict (workspace_id, table_name, key) do update set row = excluded.row`,
      [workspaceId, table, keys, closed],
    );
    return null;
  });
}

function isObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}

async function lockArrival(
  tx: SqlRunner,
  { workspaceId, moveId }: ArrivalName,
  states: readonly ArrivalState[],
): Promise<{ readonly shard: string; readonly state: ArrivalState } | Refusal> {
  const [arrival] = await tx.query<{ shard: string; state: ArrivalState }>(
    'select shard, state from arrivals where workspace_id = $1 and move_id = $2 for update',
    [workspaceId, moveId],
  );
  if (arrival === undefined) return refuse('NOT_FOUND', 'No such workspace is arriving.');
  if (!states.includes(arrival.state)) return refuse('CONFLICT', `The workspace is ${arrival.state} here.`);
  return arrival;
}

/** Makes rows of all that has arrived, which still belong to the other cell. Returns what is counted of them. */
export async function landArrival(sql: Sql, _operator: OperatorScope, name: ArrivalName): Promise<Figures | Refusal> {
  const { workspaceId } = name;
  try {
    return await makeChange(unhurried(sql), async (tx) => {
      await changeRemains(tx);
      await tx.query(`select set_config('faregate.landing', 'on', true)`);
      const arrival = await lockArrival(tx, name, ARRIVAL_STEPS.land.from);
      if (isRefusal(arrival)) return arrival;
      const open = await refusalOfOpen(tx, name);
      if (open !== null) return open;
      await takePrices(tx);
      if (await hasLeases(tx, workspaceId)) {
        return refuse('SERVICE_UNAVAILABLE', 'A process there still has a lease from when the workspace lived there.');
      }
      const users = await landPeople(tx, workspaceId);
      if (isRefusal(users)) return users;
      const parted = await refusalOfParting(tx, workspaceId);
      if (parted !== null) return parted;
      const former = await correctionsOf(tx, workspaceId);
      await landRows(tx, { workspaceId, shard: arrival.shard, users });
      // It may have left this cell for another one before: its newer keys are not known there.
      await tx.query('update workspaces set moved_to = $2 where id = $1', [workspaceId, arrival.shard]);
      await landReversals(tx, workspaceId);
      await landPrices(tx, workspaceId);
      await finishCounts(tx, workspaceId);
      const corrections = await correctionsOf(tx, workspaceId);
      await countCorrections(
        tx,
        corrections.filter((id) => !former.includes(id)),
        Date.now(),
      );
      await tx.query(`update arrivals set state = '${ARRIVAL_STEPS.land.to}' where workspace_id = $1`, [workspaceId]);
      // A process that was asked for one of its keys before remembers that there is none.
      await announceWorkspace(tx, workspaceId);
      return await readFigures(tx, workspaceId);
    });
  } catch (fault) {
    if (!(fault instanceof SqlFault) || fault.constraint === null) throw fault;
    return refuse('CONFLICT', `Its rows collide with others there (${fault.constraint}).`);
  }
}

/** The same database, for a transaction that takes long. */
function unhurried(sql: Sql): Sql {
  return {
    query: (text, values, options) => sql.query(text, values, options),
    transaction: (work) => sql.transaction(work, LANDING),
  };
}

/** What the workspace has left here must be the beginning of what it has now. */
async function refusalOfParting(tx: SqlRunner, workspaceId: string): Promise<Refusal | null> {
  const parted = await tx.query(
    `select from audit_links x left join (
       select r.* from arriving_rows a cross join lateral jsonb_populate_record(null::audit_links, a.row) r
       where a.workspace_id = $1 and a.table_name = 'audit_links'
     ) r on r.position = x.position
     where x.scope_id = $1 and x.event_id is distinct from r.event_id limit 1`,
    [workspaceId],
  );
  if (parted.length === 0) return null;
  const message =
    'A person was erased from the audit events that it left here, so they are no beginning of those it has now.';
  return refuse('CONFLICT', message);
}

/** Whether a process leases from purses that the workspace left here: they would be overwritten, and the lease given back to them. */
async function hasLeases(tx: SqlRunner, workspaceId: string): Promise<boolean> {
  const leases = await tx.query(
    'select from leases join purses on purses.id = purse_id where workspace_id = $1 limit 1',
    [workspaceId],
  );
  return leases.length > 0;
}

async function correctionsOf(tx: SqlRunner, workspaceId: string): Promise<readonly string[]> {
  const rows = await tx.query<{ id: string }>(
    'select id from ledger_postings where workspace_id = $1 and receipt_request_id is not null',
    [workspaceId],
  );
  return rows.map(({ id }) => id);
}

/** What follows from the rows that landed. */
async function finishCounts(tx: SqlRunner, workspaceId: string): Promise<void> {
  // Later postings have later numbers.
  await tx.query(
    `select setval(pg_get_serial_sequence('ledger_postings', 'number'), greatest(
       nextval(pg_get_serial_sequence('ledger_postings', 'number')),
       (select coalesce(max(number), 1) from ledger_postings where workspace_id = $1)
     ))`,
    [workspaceId],
  );
  await tx.query('delete from stored_response_bytes where workspace_id = $1', [workspaceId]);
  await tx.query(
    `insert into stored_response_bytes (workspace_id, bytes)
     select workspace_id, sum(octet_length(items) + octet_length(response)) from stored_responses
     where workspace_id = $1 group by workspace_id`,
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
    const differences = differing(figures, await readFigures(tx, workspaceId));
    if (differences.length > 0) {
      return refuse('CONFLICT', `What has landed differs: ${differences.join(', ')}.`);
    }
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

/** Has all processes look up the keys of a workspace once more, and draw its credit and all else that they have leases of. */
export async function announceWorkspace(tx: SqlRunner, workspaceId: string): Promise<void> {
  await tx.query(
    `insert into changes (kind, subject_id)
     select 'workspace', $1::text
     union all select 'purse', id::text from purses
       where workspace_id = $1::text::uuid and (kind = 'credit' or exists (select from leases where purse_id = purses.id))`,
    [workspaceId],
  );
}

/** Drops what has arrived and not landed. What has landed stays as what a workspace leaves in a cell, and is brought up to date by the next move. */
export async function dropArrival(sql: Sql, _operator: OperatorScope, name: ArrivalName): Promise<Refusal | null> {
  return await makeChange(sql, async (tx) => {
    const arrival = await lockArrival(tx, name, ['arriving', 'landed', 'open']);
    if (isRefusal(arrival)) return arrival.code === 'NOT_FOUND' ? null : arrival;
    if (arrival.state === 'open') return refuse('CONFLICT', 'The workspace lives here.');
    await tx.query('delete from arrivals where workspace_id = $1', [name.workspaceId]);
    return null;
  });
}
