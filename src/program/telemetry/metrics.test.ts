import { expect, test } from 'vitest';
import { Metrics, renderTogether } from './metrics.ts';

test('of several processes counts and gauges are added up, but the differences of their one ledger are not', async () => {
  const metrics = new Metrics();
  metrics.watch({
    spending: () => ({ unsettled: 1, openHolds: 2, waitingHolds: 1, isLive: true }),
    waitingStatements: () => 0,
    bufferedBytes: () => 4,
    server: () => ({ connections: 5, running: 6 }),
    unrecordedRefusals: () => 7,
    ledgerDifferences: () => 3,
    scheduledWork: () => ({ problems: 1, lastBackupSeconds: 9 }),
    providers: () => [],
  });
  metrics.responseLost();
  const text = await renderTogether([await metrics.snapshot(), await metrics.snapshot()]);
  expect(text).toContain('\nfaregate_ledger_differences 3\n');
  expect(text).toContain('\nfaregate_connections 10\n');
  expect(text).toContain('\nfaregate_lost_responses_total 2\n');
});
