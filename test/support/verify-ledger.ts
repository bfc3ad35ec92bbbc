import { proveLedger, type LedgerReport } from '../../src/ledger/verify.ts';
import type { Sql } from '../../src/lib/sql.ts';

/** Proves the ledger as it stands now, and leaves no record of it. */
export async function verifyLedger(sql: Sql): Promise<LedgerReport> {
  return await sql.transaction(async (tx) => {
    await tx.query('set transaction isolation level repeatable read, read only');
    return await proveLedger(tx);
  });
}
