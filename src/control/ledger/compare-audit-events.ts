import { assert } from '../../lib/assert.ts';
import type { SqlValue } from '../../lib/sql.ts';
import type { SliceParts } from './receipt-slices.ts';
import { EVENTS, LINKS } from './verify-audit.ts';
import { type Differences, DIFFERENCES_MAX } from './verify-differences.ts';
import type { SliceFindings } from './verify-receipts.ts';
import { ID_BEFORE_ALL } from '../../lib/uuid7.ts';

/** The findings in a slice of links or events. */
interface Slice extends SliceFindings {
  readonly rows: bigint;
  /** The place of its last row. */
  readonly last: readonly SqlValue[];
}

/** Compares all audit events with their chains. Returns the number of events. */
export async function compareAuditEvents(parts: SliceParts, differences: Differences): Promise<bigint> {
  await walk(parts, LINKS, [ID_BEFORE_ALL, 0], differences);
  return await walk(parts, EVENTS, [ID_BEFORE_ALL], differences);
}

/** Reads slice after slice, each from where the last one ended. Returns the number of rows. */
async function walk(
  { sql, pacer, guard }: SliceParts,
  text: string,
  first: readonly SqlValue[],
  differences: Differences,
): Promise<bigint> {
  const read = async (from: readonly SqlValue[]): Promise<Slice> => {
    await guard.query('select');
    const [slice] = await pacer.slice(() => sql.query<Slice>(text, [...from, DIFFERENCES_MAX]));
    assert(slice !== undefined, 'a slice is one row');
    return slice;
  };
  let rows = 0n;
  for (let slice = await read(first); slice.rows > 0n; slice = await read(slice.last)) {
    rows += slice.rows;
    differences.add(slice.count, slice.differences);
  }
  return rows;
}
