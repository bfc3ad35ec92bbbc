import { isRefusal, refuse, type Refusal } from '../../domain/refusals.ts';
import type { OperatorScope } from '../../domain/workspace-scope.ts';
import { assert } from '../../lib/assert.ts';
import type { Sql, SqlRunner } from '../../lib/sql.ts';
import { makeChange } from '../audit/change.ts';
import type { Keyring } from '../encryption/keyring.ts';
import { SEALED_TO } from '../usage/folding.ts';
import { unprovenAddress } from './land-people.ts';
import { matchPrices, type NamedPrice } from './land-prices.ts';
import { keepRows, landSlice } from './land-rows.ts';
import { ARRIVAL_STEPS, type ArrivalState } from './move-states.ts';
import { MOVED_DIGEST, MOVED_TABLES } from './moved-tables.ts';
import { closeSecrets } from './travelling-secrets.ts';

// The cell that a workspace moves to. What arrives as of one moment is set apart until all of it is there, and lands in one transaction,
// as rows of a workspace that lives in the other cell; receipts and all else that each request leaves land after it, as they come. So
// what is here is proven at every moment. Once the other cell has let go of the workspace, it lives here. Each step can be repeated.

/** The work may take as long as the workspace's receipts are many. */
const LANDING = { statementMsMax: 1_800_000, idleMsMax: 60_000, settings: { jit: 0 } };

export interface ArrivalStart {
  readonly workspaceId: string;
  readonly moveId: string;
  /** Of the cell that it comes from. */
  readonly shard: string;
  readonly name: string;
  readonly digest: string;
  /** The first receipt; null if there is none. */
  readonly firstReceipt: string | null;
  /** Those that were not named before. */
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
 * Begins an arrival, or begins it again: what was set apart is to be sent once more. Returns why it can't arrive, each reason a sentence;
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
    const open = await refusalOfOpen(tx, workspaceId);
    if (open !== null) return open;
    const { known, missing } = await matchPrices(tx, start.prices);
    const problems = [...missing.map(priceProblem), ...(await problemsOf(tx, start))];
    if (problems.length > 0) return problems;
    await tx.query(`delete from arrivals where workspace_id = $1 and move_id <> $2`, [workspaceId, moveId]);
    const begun = await tx.query(
      `update arrivals set state = 'arriving', prices = prices || $2::jsonb where workspace_id = $1 returning 1`,
      [workspaceId, JSON.stringify(known)],
    );
    if (begun.length === 0) {
      await tx.query(
        `insert into arrivals (workspace_id, move_id, shard, state, prices, receipts, charges_nano_usd, write_offs_nano_usd)
         select $1, $2, $3, 'arriving', $4::jsonb, count(*), coalesce(sum(charge_nano_usd), 0), coalesce(sum(write_off_nano_usd), 0)
         from receipts where workspace_id = $1`,
        [workspaceId, moveId, shard, JSON.stringify(known)],
      );
    }
    await tx.query('delete from arriving_rows where workspace_id = $1', [workspaceId]);
    if (await hasLeases(tx, workspaceId)) await announceWorkspace(tx, workspaceId);
    return [];
  });
}

function priceProblem({ model, version }: NamedPrice): string {
  return `version ${version} of the price of "${model}" there, which receipts name, has no equal here: apply that price here first.`;
}

export async function refusalOfOpen(tx: SqlRunner, workspaceId: string): Promise<Refusal | null> {
  const [found] = await tx.query<{ name: string }>('select name from workspaces where id = $1 and moved_to is null', [
    workspaceId,
  ]);
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

/** Rows as they were sent, and for each its table and key. */
export interface ArrivingRows extends ArrivalName {
  readonly tables: readonly string[];
  readonly keys: readonly string[];
  readonly rows: readonly string[];
}

/** Sets rows apart that have arrived. Those that arrived before are replaced. */
export async function receiveRows(
  sql: Sql,
  keyring: Keyring,
  _operator: OperatorScope,
  { workspaceId, moveId, tables, keys, rows }: ArrivingRows,
): Promise<Refusal | null> {
  if (keys.length !== rows.length || tables.length !== rows.length || !rows.every(isObject)) {
    return refuse('INVALID_REQUEST', '"rows" must have the text of a JSON object for each key and table.', {
      param: 'rows',
    });
  }
  const closed = await Promise.all(rows.map((row, index) => closeSecrets(keyring, tables[index] ?? '', row)));
  return await makeChange(sql, async (tx) => {
    const refused = await lockArrival(tx, { workspaceId, moveId }, ARRIVAL_STEPS.land.from);
    if (isRefusal(refused)) return refused;
    await tx.query(
      `insert into arriving_rows (workspace_id, table_name, key, row)
       select $1, table_name, key, row::jsonb from unnest($2::text[], $3::text[], $4::text[]) as q (table_name, key, row)
       on conflict (workspace_id, table_name, key) do update set row = excluded.row`,
      [workspaceId, tables, keys, closed],
    );
    return null;
  });
}

/** Rows of one table that land as they come, or the keys of all that are kept between two places: others are deleted. */
export interface LandingRows extends ArrivalName {
  readonly table: string;
  readonly rows: readonly string[];
  readonly kept?:
    | {
        readonly keys: readonly string[];
        readonly after: readonly string[] | null;
        readonly to: readonly string[] | null;
      }
    | undefined;
}

/** Lands rows that refer to nothing but what has landed. */
export async function landArrivingRows(
  sql: Sql,
  keyring: Keyring,
  _operator: OperatorScope,
  { workspaceId, moveId, table: name, rows, kept }: LandingRows,
): Promise<Refusal | null> {
  const table = MOVED_TABLES.find((moved) => moved.table === name && moved.sends === 'slices');
  if (table === undefined || !rows.every(isObject)) {
    return refuse('INVALID_REQUEST', '"rows" must have the text of JSON objects of a table that is sent in slices.', {
      param: 'rows',
    });
  }
  const closed = await Promise.all(rows.map((row) => closeSecrets(keyring, name, row)));
  return await makeChange(unhurried(sql), async (tx) => {
    const refused = await lockArrival(tx, { workspaceId, moveId }, ARRIVAL_STEPS.land.from);
    if (isRefusal(refused)) return refused;
    if (kept !== undefined) await keepRows(tx, table, { workspaceId, ...kept });
    return closed.length === 0 ? null : await landSlice(tx, table, { workspaceId, rows: closed });
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

export async function lockArrival(
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

/** Drops what was set apart. What has landed stays, as what a workspace leaves in a cell, and is brought up to date by the next move. */
export async function dropArrival(sql: Sql, _operator: OperatorScope, name: ArrivalName): Promise<Refusal | null> {
  return await makeChange(sql, async (tx) => {
    const arrival = await lockArrival(tx, name, ['arriving', 'landed', 'open']);
    if (isRefusal(arrival)) return arrival.code === 'NOT_FOUND' ? null : arrival;
    if (arrival.state === 'open') return refuse('CONFLICT', 'The workspace lives here.');
    await countResponses(tx, name.workspaceId);
    await tx.query('delete from arrivals where workspace_id = $1', [name.workspaceId]);
    return null;
  });
}

/** The same database, for a transaction that takes long. */
export function unhurried(sql: Sql): Sql {
  return {
    query: (text, values, options) => sql.query(text, values, options),
    transaction: (work) => sql.transaction(work, LANDING),
  };
}

/** Whether a process leases from purses that the workspace left here: they would be overwritten, and the lease given back to them. */
export async function hasLeases(tx: SqlRunner, workspaceId: string): Promise<boolean> {
  const leases = await tx.query(
    'select from leases join purses on purses.id = purse_id where workspace_id = $1 limit 1',
    [workspaceId],
  );
  return leases.length > 0;
}

/** Counts what the workspace keeps of responses. */
export async function countResponses(tx: SqlRunner, workspaceId: string): Promise<void> {
  await tx.query('delete from stored_response_bytes where workspace_id = $1', [workspaceId]);
  await tx.query(
    `insert into stored_response_bytes (workspace_id, bytes)
     select workspace_id, sum(octet_length(items) + octet_length(response)) from stored_responses
     where workspace_id = $1 group by workspace_id`,
    [workspaceId],
  );
}
