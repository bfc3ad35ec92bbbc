import { GUARD_LIMITS } from '../../src/control/ledger/receipt-slices.ts';
import { proveLedger, takeProofTurn, type LedgerReport } from '../../src/control/ledger/verify.ts';
import { countUsage } from '../../src/control/usage/count-usage.ts';
import type { Sql } from '../../src/lib/sql.ts';

/** For tests that have the database to themselves. */
export const UNPACED = { slice: <Result>(work: () => Promise<Result>): Promise<Result> => work() };

/** A pacer that lets others do this before each slice. */
export const pacedBy = (act: () => Promise<unknown>): typeof UNPACED => ({
  slice: async (work) => {
    await act();
    return work();
  },
});

/** What counts usage, for tests that have the database to themselves. */
export const countUsageIn = (sql: Sql) => (): Promise<void> => countUsage({ sql, pacer: UNPACED, nowMs: Date.now });

/** Proves the ledger as it stands now, and leaves no record of it. Takes two connections. */
export async function verifyLedger(sql: Sql): Promise<LedgerReport> {
  for (;;) {
    const report = await sql.transaction(
      async (guard) => ((await takeProofTurn(guard)) ? await proveLedger({ sql, pacer: UNPACED, guard }) : null),
      GUARD_LIMITS,
    );
    if (report !== null) return report;
  }
}
