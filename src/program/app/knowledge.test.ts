import { expect, test, vi } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import type { Spending } from '../../gate/purses/spending.ts';
import type { Sql } from '../../lib/sql.ts';
import type { Log } from '../telemetry/log.ts';
import { startKnowledge } from './knowledge.ts';

test('an engine that has begun is stopped by the end of a start that failed beside it', async () => {
  const stop = vi.fn<Spending['stop']>(() => Promise.resolve());
  const closing = new AsyncDisposableStack();
  const started = startKnowledge({
    sql: { query: () => Promise.reject(new Error('no answer')) } as unknown as Sql,
    clock: new ManualClock(),
    shard: '00',
    offer: { models: [], kept: [] } as never,
    log: { warn: () => undefined } as unknown as Log,
    closing,
    startSpending: () => Promise.resolve({ stop } as unknown as Spending),
    priced: Promise.reject(new Error('no prices')),
  });
  await expect(started).rejects.toThrow(/no (answer|prices)/);
  expect(stop).not.toHaveBeenCalled();
  await closing.disposeAsync();
  expect(stop).toHaveBeenCalledOnce();
});
