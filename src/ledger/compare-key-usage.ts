import type { Pacer } from '../lib/pacer.ts';
import { type Sql, type SqlValue, UNHURRIED } from '../lib/sql.ts';
import { type DifferenceRow, type Differences, DIFFERENCES_MAX } from './verify-differences.ts';
import { comparisonOf, KEY_USAGE_COMPARISONS, STRETCHES } from './verify-key-usage.ts';

/** Stretches are found by the time that buckets' indexes have second. */
const LIMITS = { ...UNHURRIED, settings: { enable_seqscan: 0, jit: 0 } };

/** Compares all buckets by key with each other. */
export async function compareKeyUsage(
  { sql, pacer }: { readonly sql: Sql; readonly pacer: Pick<Pacer, 'slice'> },
  differences: Differences,
): Promise<void> {
  const read = <Row extends object>(text: string, values: readonly SqlValue[]): Promise<readonly Row[]> =>
    pacer.slice(() => sql.transaction((tx) => tx.query<Row>(text, values), LIMITS));
  for (const comparison of KEY_USAGE_COMPARISONS) {
    const text = comparisonOf(comparison);
    for (const { from } of await read<{ from: Date }>(STRETCHES, [comparison.stretch])) {
      const rows = await read<DifferenceRow & { readonly count: bigint }>(text, [from, DIFFERENCES_MAX]);
      differences.add(rows[0]?.count ?? 0n, rows);
    }
  }
}
