import type { Pacer } from '../../lib/pacer.ts';
import type { Sql } from '../../lib/sql.ts';
import { deliverAuditEvents } from './audit-delivery.ts';
import { deliverReceipts } from './receipt-delivery.ts';
import { holdSink, releaseSink } from './sink-progress.ts';
import type { SinkRound } from './sink-round.ts';

export interface RecordDeliveryParts {
  readonly sql: Sql;
  readonly pacer: Pick<Pacer, 'slice'>;
  readonly sink: string;
  /** This process. */
  readonly holder: string;
  /** Delivers records of a workspace; resolves to the reason if the sink may not have them, else to null. */
  readonly deliver: (workspaceId: string, records: readonly object[]) => Promise<string | null>;
}

/**
 * Delivers to one sink what the database has for it, receipts and audit events, each at least once. Resolves to the reason if the
 * sink fails. Any number of processes may do so: one at a time does.
 */
export async function deliverRecords({ deliver, ...parts }: RecordDeliveryParts): Promise<string | null> {
  const { sql, sink, holder } = parts;
  if (!(await holdSink(sql, sink, holder))) return null;
  let fault: string | null = null;
  const round: SinkRound = {
    ...parts,
    deliver: async (workspaceId, records) => {
      const failure = await deliver(workspaceId, records);
      fault ??= failure;
      return failure === null;
    },
  };
  try {
    await deliverReceipts(round);
    await deliverAuditEvents(round);
  } finally {
    await releaseSink(sql, sink, holder, fault);
  }
  return fault;
}
