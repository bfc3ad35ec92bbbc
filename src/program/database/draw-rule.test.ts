import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { purseOf } from '../../../test/support/account-purses.ts';
import { drawAll, openAccount } from '../../../test/support/accounts.ts';
import { startTestDatabase } from '../../../test/support/database.ts';
import { DRAW_RULE } from '../../gate/purses/leases/draw-rule.ts';
import { PostgresPurseStore } from './purse-store.ts';

const FIGURES = [
  ['aheadPart', /v_available \/ (\d+)\b/g],
  ['dryBelow', / < (\d+)::numeric \* \(v_in_use\b/g],
  ['wetAbove', / > (\d+)::numeric \* \(v_in_use\b/g],
] as const;

test.each(FIGURES)('the SQL of draws has the %s of the table of draws', async (name, pattern) => {
  const sql = await readFile(join(import.meta.dirname, 'functions/draw.sql'), 'utf8');
  expect([...sql.matchAll(pattern)].map(([, figure]) => BigInt(figure ?? ''))).toEqual([DRAW_RULE[name]]);
});

test('what is to be given ahead counts as in use: a purse whose half it would reach turns dry, and gives none', async () => {
  const { database, stop } = await startTestDatabase();
  const store = new PostgresPurseStore(database);
  const epoch = await store.beginEpoch(randomUUID(), 'test', 30_000);
  const draw = async (ahead: bigint) => {
    const account = await openAccount(database, { credit: 900n });
    const ask = { sequence: 1n, keep: 0n, slack: 0n, needs: [240n], ahead };
    const [reply] = await drawAll(store, epoch, [{ purse: purseOf(account, 'credit'), ...ask }]);
    return reply;
  };
  expect(await draw(60n)).toMatchObject({ granted: 300n, mode: 'wet' });
  expect(await draw(61n)).toMatchObject({ granted: 240n, mode: 'dry' });
  await stop();
});
