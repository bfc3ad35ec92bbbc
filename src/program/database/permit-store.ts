import { FREQUENT, type SqlRunner, UNHURRIED } from '../../lib/sql.ts';
import type {
  PermitDraw,
  PermitReply,
  PermitShortage,
  PermitStore,
  Waiting,
} from '../../gate/purses/ports/database.ts';
import { noRowsIfBusy, withFencing } from './epoch-fencing.ts';

const DRAW = 'call commit_draw_permits($1, $2, $3, $4, null)';

/** A row of draw_permits, as JSON. */
export interface DrawnPermits {
  ordinal: number;
  requests_per_minute: number | null;
  tokens_per_minute: number | null;
  concurrency: number | null;
  requests: number;
  tokens: number;
  slots: number;
  granted: boolean[];
  waits_ms: number[];
  short_of: (PermitShortage['shortOf'] | null)[];
  request_parts: number | null;
  token_parts: number | null;
  slots_left: number | null;
  share: number;
}

function asJson(draws: readonly PermitDraw[]): string {
  return JSON.stringify(
    draws.map(({ stock, keep, returned, target, ...draw }, ordinal) => ({
      ordinal,
      workspace_id: draw.workspaceId,
      project_id: draw.projectId,
      sequence: draw.sequence,
      taken: draw.taken,
      running: draw.running,
      stock_requests: stock.requests,
      stock_tokens: stock.tokens,
      stock_slots: stock.slots,
      keep_requests: keep.requests,
      keep_tokens: keep.tokens,
      keep_slots: keep.slots,
      returned_requests: returned.requests,
      returned_tokens: returned.tokens,
      target_requests: target.requests,
      target_tokens: target.tokens,
      target_slots: target.slots,
      needs: draw.needs,
    })),
  );
}

/** Converts the result of a draw to the port's type. */
export function toPermitReply(row: DrawnPermits): PermitReply {
  return {
    limits: {
      requestsPerMinute: row.requests_per_minute,
      tokensPerMinute: row.tokens_per_minute,
      concurrency: row.concurrency,
    },
    stock: { requests: row.requests, tokens: row.tokens, slots: row.slots },
    shortages: row.granted.map((_, index) => shortageOf(row, index)),
    left: {
      requestParts: row.request_parts,
      tokenParts: row.token_parts,
      slots: row.slots_left,
    },
    share: row.share,
  };
}

function shortageOf(row: DrawnPermits, index: number): PermitShortage | null {
  const shortOf = row.short_of[index] ?? null;
  return shortOf === null ? null : { shortOf, waitMs: row.waits_ms[index] ?? 0 };
}

/** The store of rate limits in PostgreSQL: `draw_permits` of functions/. */
export class PostgresPermitStore implements PermitStore {
  readonly #sql: SqlRunner;
  readonly #nowMs: () => number | null;

  /** `nowMs` replaces the database's own clock unless it is null. */
  constructor(sql: SqlRunner, nowMs: () => number | null = () => null) {
    this.#sql = sql;
    this.#nowMs = nowMs;
  }

  async drawPermits(
    epochId: bigint,
    draws: readonly PermitDraw[],
    { waits }: Waiting = { waits: true },
  ): Promise<readonly (PermitReply | null)[]> {
    const values = [epochId, asJson(draws), this.#nowMs(), waits];
    const drawing = this.#sql.query<{ permits: readonly DrawnPermits[] | null }>(DRAW, values, FREQUENT);
    const [drawn] = await noRowsIfBusy(withFencing(drawing));
    const replies: (PermitReply | null)[] = draws.map(() => null);
    for (const row of drawn?.permits ?? []) replies[row.ordinal] = toPermitReply(row);
    return replies;
  }
}

/** Deletes the stock of fenced epochs, which no longer counts. Locked rows are left to the next run. */
export async function pruneRateLeases(sql: SqlRunner): Promise<void> {
  await sql.query(
    `delete from rate_leases where (workspace_id, project_id, epoch_id) in (
      select l.workspace_id, l.project_id, l.epoch_id
      from rate_leases l join epochs e on e.id = l.epoch_id
      where e.fenced_at is not null
      limit 10000 for update of l skip locked
    )`,
    [],
    UNHURRIED,
  );
}
