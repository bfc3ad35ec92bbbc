import type { Sql } from '../lib/sql.ts';
import { SqlFault } from '../lib/sql.ts';
import { assert } from '../lib/assert.ts';
import { type DrawReply, type DrawRequest, EpochFenced, type PurseStore } from '../purses/purse-store.ts';
import type { NanoUsd } from '../domain/money.ts';
import { settleArguments } from './receipt-columns.ts';

const EPOCH_FENCED = 'FG001';
const AMOUNT_MAX: NanoUsd = 2n ** 63n - 1n;
const LEASES_PER_REAP = 1_000;
const SETTLE_PARAMETERS = Array.from({ length: 29 }, (_, index) => `$${index + 1}`).join(',');
const SETTLE = `select settle_receipts(${SETTLE_PARAMETERS})`;

interface DrawRow {
  ordinal: number;
  purse_id: bigint;
  limit_nano_usd: bigint | null;
  spent_by_others_nano_usd: bigint;
  available_nano_usd: bigint | null;
  granted_nano_usd: bigint;
  open: boolean;
  mode: 'wet' | 'dry';
  mode_number: bigint;
}

/** Turns the database's word that an epoch is fenced into the port's. */
async function withFencing<Result>(work: Promise<Result>): Promise<Result> {
  try {
    return await work;
  } catch (fault) {
    if (fault instanceof SqlFault && fault.sqlState === EPOCH_FENCED) {
      throw new EpochFenced('this process was declared dead by another', { cause: fault });
    }
    throw fault;
  }
}

/** What exceeds a column exceeds every purse as well, so the most that fits stands for it. */
function asAmount(amount: NanoUsd): string {
  return String(amount < AMOUNT_MAX ? amount : AMOUNT_MAX);
}

function asJson(requests: readonly DrawRequest[]): string {
  return JSON.stringify(
    requests.map(({ purse, ...request }, ordinal) => ({
      ordinal,
      workspace_id: purse.workspaceId,
      kind: purse.kind,
      subject_id: purse.subjectId,
      period: purse.period,
      window_start: new Date(purse.windowStartMs),
      window_end: purse.windowEndMs === null ? null : new Date(purse.windowEndMs),
      sequence: String(request.sequence),
      keep: String(request.keep),
      slack: String(request.slack),
      needs: request.needs.map(asAmount),
      ahead: asAmount(request.ahead),
      mode_number: String(request.modeNumber),
    })),
  );
}

function asReply(row: DrawRow): DrawReply {
  return {
    purseId: row.purse_id,
    limit: row.limit_nano_usd,
    spentByOthers: row.spent_by_others_nano_usd,
    available: row.available_nano_usd,
    granted: row.granted_nano_usd,
    open: row.open,
    mode: row.mode,
    modeNumber: row.mode_number,
  };
}

/** The purses' store on PostgreSQL: each method is one statement of migrations/0002, or a few tiny transactions. */
export class PostgresPurseStore implements PurseStore {
  readonly #sql: Sql;

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  async beginEpoch(instanceId: string, processName: string): Promise<bigint> {
    const former = await this.#sql.query<{ id: bigint }>(
      'select id from epochs where instance_id = $1 and reaped_at is null order by id',
      [instanceId],
    );
    const ids = former.map(({ id }) => id);
    if (ids.length > 0) await this.#fence(ids);
    for (const id of ids) await this.#reap(id);
    const [epoch] = await this.#sql.query<{ id: bigint }>(
      'insert into epochs (instance_id, process_name) values ($1, $2) returning id',
      [instanceId, processName],
    );
    assert(epoch !== undefined, 'an inserted epoch has an id');
    return epoch.id;
  }

  async heartbeat(epochId: bigint): Promise<{ databaseNowMs: number }> {
    const [row] = await this.#sql.query<{ now_ms: number }>(
      `update epochs set heartbeat_at = clock_timestamp() where id = $1 and fenced_at is null
       returning (extract(epoch from heartbeat_at) * 1000)::double precision as now_ms`,
      [epochId],
    );
    if (row === undefined) throw new EpochFenced('this process was declared dead by another');
    return { databaseNowMs: row.now_ms };
  }

  async draw(epochId: bigint, requests: readonly DrawRequest[]): Promise<readonly DrawReply[]> {
    const rows = await withFencing(
      this.#sql.query<DrawRow>('select * from draw_leases($1, $2::jsonb) order by ordinal', [
        epochId,
        asJson(requests),
      ]),
    );
    assert(rows.length === requests.length, 'a draw answers every request');
    return rows.map(asReply);
  }

  async settle(epochId: bigint, receipts: Parameters<PurseStore['settle']>[1]): Promise<void> {
    await withFencing(this.#sql.query(SETTLE, [epochId, ...settleArguments(receipts)]));
  }

  async release(epochId: bigint, leases: Parameters<PurseStore['release']>[1]): Promise<void> {
    await withFencing(
      this.#sql.query('select release_leases($1, $2::bigint[], $3::bigint[])', [
        epochId,
        leases.map((lease) => lease.purseId),
        leases.map((lease) => lease.charged),
      ]),
    );
  }

  async endEpoch(epochId: bigint): Promise<void> {
    await this.#fence([epochId]);
    await this.#reap(epochId);
  }

  async #fence(epochIds: readonly bigint[]): Promise<void> {
    await this.#sql.query('select fence_epochs($1)', [epochIds]);
  }

  async #reap(epochId: bigint): Promise<void> {
    for (;;) {
      const [row] = await this.#sql.query<{ found: number }>('select reap_epoch($1, $2) as found', [
        epochId,
        LEASES_PER_REAP,
      ]);
      if (row === undefined || row.found === 0) return;
    }
  }
}
