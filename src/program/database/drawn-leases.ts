import type { DrawReply } from '../../gate/purses/ports/database.ts';

/** A drawn lease, as JSON. Amounts are text, because a JSON number can't hold them exactly. */
export interface DrawnLease {
  readonly purse_id: string;
  readonly limit_nano_usd: string | null;
  readonly spent_by_others_nano_usd: string;
  readonly available_nano_usd: string | null;
  readonly granted_nano_usd: string;
  readonly open: boolean;
  readonly mode: 'wet' | 'dry' | 'shut';
  readonly sequence: string;
  /** Left out by functions of release 0.2.0. */
  readonly raised_until_ms?: number | null;
}

const amountOrNull = (text: string | null): bigint | null => (text === null ? null : BigInt(text));

/** Converts the result of a draw to the port's type. */
export function toDrawReply(row: DrawnLease): DrawReply {
  return {
    purseId: BigInt(row.purse_id),
    limit: amountOrNull(row.limit_nano_usd),
    spentByOthers: BigInt(row.spent_by_others_nano_usd),
    available: amountOrNull(row.available_nano_usd),
    granted: BigInt(row.granted_nano_usd),
    open: row.open,
    mode: row.mode,
    sequence: BigInt(row.sequence),
    raisedUntilMs: row.raised_until_ms ?? null,
  };
}
