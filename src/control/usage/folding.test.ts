import { expect, test } from 'vitest';
import { UNPACED } from '../../../test/support/verify-ledger.ts';
import type { Sql, SqlRunner, SqlValue } from '../../lib/sql.ts';
import { UsageFolding } from './folding.ts';

// How counting goes on from what the database answers. What it counts is tested with a database, in usage.test.ts.

interface Slice {
  readonly bounds: readonly { readonly former: string; readonly next: string; readonly isAll: boolean }[];
  readonly counted?: readonly { readonly receipts: bigint }[];
}

/** Counts with a database that answers so, slice by slice, and lists what it was sent. */
function foldingOf(slices: readonly Slice[], sizes = { xidsFirst: 4, xidsMax: 16, receiptsMax: 8 }) {
  const left = [...slices];
  const sent: string[] = [];
  const xids: (SqlValue | undefined)[] = [];
  const inSlice = ({ bounds, counted = [] }: Slice): SqlRunner => ({
    query: (text, values) => {
      const rows = (found: readonly object[]) => Promise.resolve(found as never);
      if (text.includes('pg_advisory_xact_lock')) sent.push('turn');
      else if (text.includes('"isAll"')) {
        sent.push('bounds');
        xids.push(values?.[0]);
        return rows(bounds);
      } else if (text.startsWith('update usage_folding')) sent.push(`note ${String(values?.[0])}`);
      else {
        sent.push(`count ${String(values?.[0])} ${String(values?.[1])}`);
        return rows(counted);
      }
      return rows([]);
    },
  });
  const sql: Sql = {
    query: () => Promise.reject(new Error('sent outside of a transaction')),
    transaction: (work) => {
      const slice = left.shift();
      return slice === undefined ? Promise.reject(new Error('one slice too many')) : work(inSlice(slice));
    },
  };
  const folding = new UsageFolding({ sql, pacer: UNPACED, nowMs: () => Date.UTC(2026, 10, 24) }, sizes);
  return { folding, sent, xids, left };
}

test('nothing is counted before the buckets are made', async () => {
  const { folding, sent } = foldingOf([{ bounds: [] }]);
  expect(await folding.fold()).toBe(false);
  expect(sent).toEqual(['turn', 'bounds']);
});

test('a slice in which nothing was settled is neither counted nor noted, and counting ends with the last one', async () => {
  const { folding, sent, left } = foldingOf([
    { bounds: [{ former: 'a', next: 'a', isAll: false }] },
    { bounds: [{ former: 'a', next: 'b', isAll: false }], counted: [{ receipts: 3n }] },
    { bounds: [{ former: 'b', next: 'b', isAll: true }] },
  ]);
  expect(await folding.fold()).toBe(true);
  expect(sent).toEqual(['turn', 'bounds', 'turn', 'bounds', 'count a b', 'note b', 'turn', 'bounds']);
  expect(left).toEqual([]);
});

test('a count that the database does not answer is not noted as counted', async () => {
  const { folding, sent } = foldingOf([{ bounds: [{ former: 'a', next: 'b', isAll: true }], counted: [] }]);
  await expect(folding.fold()).rejects.toThrow('a count has one row');
  expect(sent).toEqual(['turn', 'bounds', 'count a b']);
});

test('a slice has twice as many transactions after few receipts, and half as many after more than its most', async () => {
  // Of 8 at most: from 2 to 8 change nothing.
  const receipts = [1n, 2n, 8n, 1n, 0n, 9n, 9n, 9n, 9n, 9n, 1n];
  const slices = receipts.map((each) => ({
    bounds: [{ former: 'a', next: 'b', isAll: false }],
    counted: [{ receipts: each }],
  }));
  const { folding, xids } = foldingOf([...slices, { bounds: [{ former: 'b', next: 'b', isAll: true }] }]);
  expect(await folding.fold()).toBe(true);
  expect(xids).toEqual([4, 8, 8, 8, 16, 16, 8, 4, 2, 1, 1, 2]);
});
