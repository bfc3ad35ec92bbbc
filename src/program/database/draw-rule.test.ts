import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DRAW_RULE } from '../../gate/purses/leases/draw-rule.ts';

const FIGURES = [
  ['aheadPart', /v_available \/ (\d+)\b/g],
  ['dryBelow', / < (\d+)::numeric \* \(v_in_use\b/g],
  ['wetAbove', / > (\d+)::numeric \* \(v_in_use\b/g],
] as const;

test.each(FIGURES)('the SQL of draws has the %s of the table of draws', async (name, pattern) => {
  const sql = await readFile(join(import.meta.dirname, 'functions/draw.sql'), 'utf8');
  expect([...sql.matchAll(pattern)].map(([, figure]) => BigInt(figure ?? ''))).toEqual([DRAW_RULE[name]]);
});
