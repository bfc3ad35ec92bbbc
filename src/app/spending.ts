import packageJson from '../../package.json' with { type: 'json' };
import type { Config } from '../config/config.ts';
import { PostgresPurseStore } from '../database/purse-store.ts';
import type { SystemClock } from '../lib/clock.ts';
import type { Sql } from '../lib/sql.ts';
import { Epoch } from '../purses/epoch.ts';
import { EpochFenced } from '../purses/purse-store.ts';
import { Purses } from '../purses/purses.ts';
import type { Log } from '../telemetry/log.ts';

/** The spending engine of this process, and its life in the database. */
export interface Spending {
  readonly purses: Purses;
  readonly epoch: Epoch;
}

/** Begins an epoch, after the directory's former ones have been fenced and reaped; `fail` hears why it can't go on. */
export async function startSpending(
  timeouts: Config['timeouts'],
  instanceId: string,
  parts: { readonly sql: Sql; readonly clock: SystemClock; readonly log: Log; readonly fail: (reason: string) => void },
): Promise<Spending> {
  const { sql, clock, log, fail } = parts;
  const store = new PostgresPurseStore(sql);
  const begunAtMs = clock.monotonicMs();
  const id = await store.beginEpoch(instanceId, `${packageJson.name} ${process.pid}`);
  const onFault = (fault: unknown): void => {
    log.error({ err: fault }, 'the spending engine has failed');
    fail(fault instanceof EpochFenced ? fault.message : 'the spending engine has failed; see the log');
  };
  const epoch = new Epoch({ id, store, clock, timeoutMs: timeouts.epochMs, begunAtMs, onFault });
  await epoch.start();
  const purses = new Purses({
    store,
    clock,
    epoch,
    holdWaitMs: timeouts.holdWaitMs,
    onFault,
    onPoison: ({ requestId }, fault) => log.error({ requestId, err: fault }, 'the database refuses a receipt'),
  });
  return { purses, epoch };
}
