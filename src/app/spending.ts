import { setTimeout as sleep } from 'node:timers/promises';
import packageJson from '../../package.json' with { type: 'json' };
import type { Config } from '../config/config.ts';
import { PostgresPermitStore } from '../database/permit-store.ts';
import { PostgresPurseStore } from '../database/purse-store.ts';
import type { Receipt } from '../domain/receipt.ts';
import type { SystemClock } from '../lib/clock.ts';
import { DatabaseUnavailable, type Sql } from '../lib/sql.ts';
import type { DataDirectory } from '../process/data-directory.ts';
import { createJournal, readLeftJournals } from '../process/journal-files.ts';
import type { LeftJournal } from '../purses/journal.ts';
import { recover } from '../purses/recovery.ts';
import { Spending } from '../purses/spending.ts';
import type { Log } from '../telemetry/log.ts';

const RECLAIM_RETRY_MS = 250;

interface SpendingOptions {
  readonly sql: Sql;
  readonly clock: SystemClock;
  readonly log: Log;
  /** Hears why the engine can't go on. */
  readonly fail: (reason: string) => void;
  /** Hears of each epoch that begins. */
  readonly onEpoch?: ((epochId: bigint) => void) | undefined;
}

/** Settles and gives back what former processes of this data directory have left. For whoever holds its lock, once. */
export async function recoverSpending(directory: DataDirectory, sql: Sql, log: Log): Promise<void> {
  const store = new PostgresPurseStore(sql);
  const epochIds = await store.formerEpochs(directory.instanceId);
  await recover(store, epochIds, await readJournals(directory, log), poisonLogger(log));
}

/** The same for the epochs of one process that is gone, as soon as the database answers. For whoever has reaped it. */
export async function reclaimEpochs(
  directory: DataDirectory,
  { sql, log }: { readonly sql: Sql; readonly log: Log },
  epochIds: readonly bigint[],
): Promise<void> {
  const journals = await readJournals(directory, log, epochIds);
  for (;;) {
    try {
      await recover(new PostgresPurseStore(sql), epochIds, journals, poisonLogger(log));
      return;
    } catch (fault) {
      if (!(fault instanceof DatabaseUnavailable)) throw fault;
      await sleep(RECLAIM_RETRY_MS);
    }
  }
}

/** Begins the spending of this process. */
export function startSpending(
  timeouts: Config['timeouts'],
  directory: Pick<DataDirectory, 'path' | 'instanceId'>,
  { sql, clock, log, fail, onEpoch }: SpendingOptions,
): Promise<Spending> {
  return Spending.start({
    store: new PostgresPurseStore(sql),
    permitStore: new PostgresPermitStore(sql),
    clock,
    instanceId: directory.instanceId,
    processName: `${packageJson.name} ${process.pid}`,
    timeoutMs: timeouts.epochMs,
    holdWaitMs: timeouts.holdWaitMs,
    journalOf: (epochId) => {
      onEpoch?.(epochId);
      return createJournal(directory.path, epochId);
    },
    onFault: (fault) => {
      log.error({ err: fault }, 'the spending engine has failed');
      fail('the spending engine has failed; see the log');
    },
    onWarning: (message, fault) => log.warn({ err: fault }, message),
    onPoison: poisonLogger(log),
  });
}

/** What journals have left, with a word to the operator on lines that can't be read. */
async function readJournals(
  { path }: DataDirectory,
  log: Log,
  epochIds: readonly bigint[] | null = null,
): Promise<readonly LeftJournal[]> {
  const journals = await readLeftJournals(path, epochIds);
  for (const { damaged } of journals) {
    if (damaged === null) continue;
    log.error(damaged, 'lines of a journal are damaged: they are kept in this file, and nothing is charged for them');
  }
  return journals;
}

/** A receipt that can't be stored must not block the others, nor be forgotten: somebody has to look at it. */
function poisonLogger(log: Log): (receipt: Receipt, fault: unknown) => void {
  return ({ requestId, charge }, fault) => {
    const fields = { requestId, charge: String(charge), err: fault };
    log.error(fields, 'the database refuses a receipt: it is in quarantined_receipts, uncharged');
  };
}
