import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NumberRows } from './number-rows.ts';

const CELLS = 3;
const BIGINT_MAX = 2n ** 63n - 1n;

test('what is in a cell is what was last put there, whatever happens to the cells around it', () => {
  const write = fc.oneof(fc.bigInt({ min: -BIGINT_MAX - 1n, max: BIGINT_MAX }), fc.double({ noNaN: true }));
  const cell = fc.record({ row: fc.nat(99), cell: fc.nat(CELLS - 1), value: write });
  fc.assert(
    fc.property(fc.array(cell, { maxLength: 500 }), (writes) => {
      const rows = new NumberRows(CELLS);
      const made = Array.from({ length: 100 }, () => rows.next());
      const model = new Map<string, bigint | number>();
      for (const { row, cell: at, value } of writes) {
        if (typeof value === 'bigint') made[row]?.setBigint(at, value);
        else made[row]?.setNumber(at, value);
        model.set(`${row} ${at}`, value);
      }
      for (const [number, row] of made.entries()) {
        for (let at = 0; at < CELLS; at++) {
          const value = model.get(`${number} ${at}`) ?? 0n;
          expect(typeof value === 'bigint' ? row.bigintAt(at) : row.numberAt(at)).toBe(value);
        }
      }
    }),
    { numRuns: 50 },
  );
});

test('an amount that is too large for a cell is never cut to fit', () => {
  const row = new NumberRows(CELLS).next();
  row.setBigint(0, BIGINT_MAX);
  expect(() => row.setBigint(0, BIGINT_MAX + 1n)).toThrow('a cell holds');
  expect(() => row.setBigint(0, -BIGINT_MAX - 2n)).toThrow('a cell holds');
  expect(row.bigintAt(0)).toBe(BIGINT_MAX);
});
