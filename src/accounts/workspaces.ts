import { randomUUIDv7 } from 'node:crypto';
import type { NanoUsd } from '../domain/money.ts';
import { refuse, type Refusal } from '../domain/refusals.ts';
import { type Page, type PageRequest, readPage } from '../lib/page.ts';
import type { SqlRunner } from '../lib/sql.ts';

/** A workspace with its credit. Amounts are in nano-USD. */
export interface Workspace {
  readonly id: string;
  readonly name: string;
  readonly createdAt: Date;
  /** Credit from postings, less the debits that it covered. */
  readonly credit: NanoUsd;
  /** Debits beyond the credit; the next credit repays them first. */
  readonly owed: NanoUsd;
  /** Credit − charges − owed; below zero only while something is owed. */
  readonly balance: NanoUsd;
  /** The part of the balance that gateway processes have leased for requests and not charged. */
  readonly held: NanoUsd;
}

interface WorkspaceRow {
  readonly id: string;
  readonly name: string;
  readonly created_at: Date;
  readonly credit: NanoUsd;
  readonly owed: NanoUsd;
  readonly balance: NanoUsd;
  readonly held: NanoUsd;
}

const SELECT_WORKSPACES = `
  select workspaces.id, workspaces.name, workspaces.created_at, purse.limit_nano_usd as credit,
    purse.owed_nano_usd as owed, purse.leased_nano_usd - leased.charged as held,
    purse.limit_nano_usd - purse.spent_nano_usd - leased.charged - purse.owed_nano_usd as balance
  from workspaces
  join purses purse
    on purse.workspace_id = workspaces.id and purse.kind = 'credit' and purse.subject_id = workspaces.id
  cross join lateral (
    select coalesce(sum(charged_nano_usd), 0)::bigint as charged from leases where purse_id = purse.id
  ) leased
  where workspaces.archived_at is null`;

function toWorkspace(row: WorkspaceRow): Workspace {
  const { created_at: createdAt, ...rest } = row;
  return { ...rest, createdAt };
}

/** Creates a workspace with an empty credit purse. Refused if the name is taken. One statement. */
export async function createWorkspace(sql: SqlRunner, name: string): Promise<Workspace | Refusal> {
  const rows = await sql.query<{ id: string; created_at: Date }>(
    `with workspace as (
       insert into workspaces (id, name) values ($1, $2)
       on conflict (name) where archived_at is null do nothing
       returning id, created_at
     ), purse as (
       insert into purses (workspace_id, kind, subject_id, period, window_start, limit_nano_usd)
       select id, 'credit', id, 'never', to_timestamp(0), 0 from workspace
     ), change as (
       insert into changes (kind, subject_id) select 'workspace', id::text from workspace
     )
     select id, created_at from workspace`,
    [randomUUIDv7(), name],
  );
  const [row] = rows;
  if (row === undefined)
    return refuse('INVALID_REQUEST', `A workspace named "${name}" exists already.`, { param: 'name' });
  return { id: row.id, name, createdAt: row.created_at, credit: 0n, owed: 0n, balance: 0n, held: 0n };
}

/** A page of the workspaces that aren't archived, oldest first. */
export async function listWorkspaces(sql: SqlRunner, page: PageRequest = {}): Promise<Page<Workspace>> {
  return await readPage(page, async (after, count) => {
    const rows = await sql.query<WorkspaceRow>(
      `${SELECT_WORKSPACES} and ($1::uuid is null or workspaces.id > $1) order by workspaces.id limit $2`,
      [after, count],
    );
    return rows.map(toWorkspace);
  });
}

/** One workspace by its id; null if there is none. */
export async function showWorkspace(sql: SqlRunner, id: string): Promise<Workspace | null> {
  const [row] = await sql.query<WorkspaceRow>(`${SELECT_WORKSPACES} and workspaces.id = $1`, [id]);
  return row === undefined ? null : toWorkspace(row);
}
