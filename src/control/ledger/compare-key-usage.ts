import { type SqlValue, UNHURRIED } from '../../lib/sql.ts';
import type { SliceParts } from './receipt-slices.ts';
import { type DifferenceRow, type Differences, DIFFERENCES_MAX } from './verify-differences.ts';
import { comparisonOf, KEY_USAGE_COMPARISONS, STRETCHES } from './verify-key-usage.ts';

/** Stretches are found by the time that buckets' indexes have second. */
const LIMITS = { ...UNHURRIED, settings: { enable_seqscan: 0, jit: 0 } };

/** Compares all buckets by key with each other. The guard is alive, and lets go of its snapshot, before each slice. */
export async function compareKeyUsage({ sql, pacer, guard }: SliceParts, differences: Differences): Promise<void> {
  const read = async <Row extends object>(text: string, values: readonly SqlValue[]): Promise<readonly Row[]> => {
    await guard.query('select');
    return await pacer.slice(() => sql.transaction((tx) => tx.query<Row>(text, values), LIMITS));
  };
  for (const comparison of KEY_USAGE_COMPARISONS) {
    const text = comparisonOf(comparison);
    for (const { from } of await read<{ from: Date }>(STRETCHES, [comparison.stretch])) {
      const rows = await read<DifferenceRow & { readonly count: bigint }>(text, [from, DIFFERENCES_MAX]);
      differences.add(rows[0]?.count ?? 0n, rows);
    }
  }
}
