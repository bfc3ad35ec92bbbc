import packageJson from '../../package.json' with { type: 'json' };
import type { Config } from '../config/config.ts';
import { PostgresPermitStore } from '../database/permit-store.ts';
import { PostgresPurseStore } from '../database/purse-store.ts';
import type { Receipt } from '../domain/receipt.ts';
import type { SystemClock } from '../lib/clock.ts';
import type { Sql } from '../lib/sql.ts';
import type { DataDirectory } from '../process/data-directory.ts';
import { createJournal, readLeftJournals } from '../process/journal-files.ts';
import type { PurseStore } from '../purses/purse-store.ts';
import { recover, Spending } from '../purses/spending.ts';
import type { Log } from '../telemetry/log.ts';

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
export async function recoverSpending(directory: DataDirectory, sql: Sql): Promise<void> {
  const journals = await readLeftJournals(directory.path);
  await recover(new PostgresPurseStore(sql), directory.instanceId, journals);
}

/** Begins the spending of this process. */
export function startSpending(
  timeouts: Config['timeouts'],
  directory: Pick<DataDirectory, 'path' | 'instanceId'>,
  { sql, clock, log, fail, onEpoch }: SpendingOptions,
): Promise<Spending> {
  const store = new PostgresPurseStore(sql);
  return Spending.start({
    store,
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
    onPoison: (receipt, fault) => quarantine(store, log, receipt, fault),
  });
}

/** A receipt that can't be stored must not block the others, nor be forgotten: somebody has to look at it. */
function quarantine(store: PurseStore, log: Log, receipt: Receipt, reason: unknown): void {
  const { requestId } = receipt;
  log.error({ requestId, err: reason }, 'the database refuses a receipt: it is in quarantined_receipts, uncharged');
  store.quarantine(receipt, reason instanceof Error ? reason.message : String(reason)).catch((fault: unknown) => {
    log.error({ requestId, err: fault, charge: String(receipt.charge) }, 'a receipt could not even be quarantined');
  });
}
