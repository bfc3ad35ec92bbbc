import type { DrawReply } from '../purses/ports/database.ts';

/** A lease that was drawn, as JSON. Amounts are text, because a number in JSON holds less than they do. */
export interface DrawnLease {
  readonly purse_id: string;
  readonly limit_nano_usd: string | null;
  readonly spent_by_others_nano_usd: string;
  readonly available_nano_usd: string | null;
  readonly granted_nano_usd: string;
  readonly open: boolean;
  readonly mode: 'wet' | 'dry';
  readonly sequence: string;
}

const amountOrNull = (text: string | null): bigint | null => (text === null ? null : BigInt(text));

/** What a draw has answered, as a process understands it. */
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
  };
}
