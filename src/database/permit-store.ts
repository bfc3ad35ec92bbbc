import { BRIEF, type SqlRunner, UNHURRIED } from '../lib/sql.ts';
import type { PermitDraw, PermitReply, PermitShortage, PermitStore } from '../purses/ports/permit-store.ts';
import type { Waiting } from '../purses/ports/purse-store.ts';
import { noneWhereBusy, withFencing } from './epoch-fencing.ts';

/** An `int8`: a number where it comes in JSON. */
type Int8 = bigint | number;

/** A row of draw_permits. */
export interface DrawnPermits {
  ordinal: number;
  requests_per_minute: Int8 | null;
  tokens_per_minute: Int8 | null;
  concurrency: Int8 | null;
  requests: Int8;
  tokens: Int8;
  slots: Int8;
  granted: boolean[];
  waits_ms: Int8[];
  short_of: (PermitShortage['shortOf'] | null)[];
  request_parts: Int8 | null;
  token_parts: Int8 | null;
  slots_left: Int8 | null;
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

const numberOrNull = (value: Int8 | null): number | null => (value === null ? null : Number(value));

/** What a draw has answered, as a process understands it. */
export function toPermitReply(row: DrawnPermits): PermitReply {
  return {
    limits: {
      requestsPerMinute: numberOrNull(row.requests_per_minute),
      tokensPerMinute: numberOrNull(row.tokens_per_minute),
      concurrency: numberOrNull(row.concurrency),
    },
    stock: { requests: Number(row.requests), tokens: Number(row.tokens), slots: Number(row.slots) },
    shortages: row.granted.map((_, index) => shortageOf(row, index)),
    left: {
      requestParts: numberOrNull(row.request_parts),
      tokenParts: numberOrNull(row.token_parts),
      slots: numberOrNull(row.slots_left),
    },
    share: row.share,
  };
}

function shortageOf(row: DrawnPermits, index: number): PermitShortage | null {
  const shortOf = row.short_of[index] ?? null;
  return shortOf === null ? null : { shortOf, waitMs: Number(row.waits_ms[index]) };
}

/** The rate limits' store on PostgreSQL: `draw_permits` of functions/. */
export class PostgresPermitStore implements PermitStore {
  readonly #sql: SqlRunner;
  readonly #nowMs: () => number | null;

  /** `nowMs` stands in for the database's own clock where it isn't null. */
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
    const drawn = this.#sql.query<DrawnPermits>('select * from draw_permits($1, $2::jsonb, $3, $4)', values, BRIEF);
    const replies: (PermitReply | null)[] = draws.map(() => null);
    for (const row of await noneWhereBusy(withFencing(drawn))) replies[row.ordinal] = toPermitReply(row);
    return replies;
  }
}

/** Deletes what fenced epochs had in stock, which counts for nothing. What is locked waits for the next time. */
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
