import { setTimeout as sleep } from 'node:timers/promises';
import { PROGRAM_VERSION } from '../../lib/program-version.ts';
import type { Config } from '../../config/config.ts';
import { PostgresKeyStore } from '../database/key-store.ts';
import { PostgresPermitStore } from '../database/permit-store.ts';
import { PostgresPurseStore } from '../database/purse-store.ts';
import { processName } from '../database/running-versions.ts';
import type { Receipt } from '../../domain/receipt.ts';
import type { SystemClock } from '../../lib/clock.ts';
import { DatabaseUnavailable, type Sql } from '../../lib/sql.ts';
import type { DataDirectory } from '../process/data-directory.ts';
import { createJournal, readLeftJournals } from '../process/journal-files.ts';
import { createTrail, readLeftTrails } from '../process/trail-files.ts';
import type { LeftJournal, LeftTrail, Trail } from '../../gate/purses/ports/disk.ts';
import { recover, retrace } from '../../gate/purses/settlement/recovery.ts';
import { Spending } from '../../gate/purses/spending.ts';
import { EVENT_LOOP } from '../../gate/turns/stages.ts';
import type { Log } from '../telemetry/log.ts';

const RECLAIM_RETRY_MS = 250;

interface SpendingOptions {
  readonly sql: Sql;
  readonly clock: SystemClock;
  readonly log: Log;
  /** Called with the reason when the engine can't continue. */
  readonly fail: (reason: string) => void;
  /** Called for each epoch that begins. */
  readonly onEpoch?: ((epochId: bigint) => void) | undefined;
  /** Whether another database server may take over. */
  readonly hasStandbys: boolean;
  /** Whether this is the only serving process of the data directory. */
  readonly isAlone: boolean;
}

/**
 * Settles the journals and returns the leases of former processes of this data directory. Called once, by the holder of
 * the directory's lock.
 */
export async function recoverSpending(directory: DataDirectory, sql: Sql, log: Log): Promise<void> {
  const store = new PostgresPurseStore(sql);
  const epochIds = await store.formerEpochs(directory.instanceId);
  await recover(store, epochIds, await readJournals(directory, log), recoveryOf(directory, log));
  await retrace(store, await leftTrails(directory, log, () => true), poisonLogger(log));
}

/**
 * The same for the epochs of one dead process, as soon as the database can be reached; called by its supervisor. If the
 * program stops before, the next start does it.
 */
export async function reclaimEpochs(
  directory: DataDirectory,
  { sql, log }: { readonly sql: Sql; readonly log: Log },
  { epochIds, stopping }: { readonly epochIds: readonly bigint[]; readonly stopping: AbortSignal },
): Promise<void> {
  const journals = await readJournals(directory, log, epochIds);
  const store = new PostgresPurseStore(sql);
  for (;;) {
    try {
      await recover(store, epochIds, journals, recoveryOf(directory, log));
      await retrace(store, await leftTrails(directory, log, (id) => epochIds.includes(id)), poisonLogger(log));
      return;
    } catch (fault) {
      if (!(fault instanceof DatabaseUnavailable)) throw fault;
    }
    await pause(RECLAIM_RETRY_MS, stopping);
    if (stopping.aborted) return;
  }
}

/** Waits, or until the signal aborts. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined);
}

function recoveryOf({ path }: DataDirectory, log: Log): Parameters<typeof recover>[3] {
  const trailOf = (epochId: bigint): Trail => {
    const trail = createTrail(path, epochId);
    // A full disk must not prevent the journal's settlement.
    const warn = (fault: unknown): void =>
      log.warn({ err: fault }, 'a trail could not be written: a standby that takes over may lack these charges');
    return { ...trail, add: (receipts, timeline) => trail.add(receipts, timeline).catch(warn) };
  };
  return { trailOf, onPoison: poisonLogger(log) };
}

/** Starts the spending engine of this process. */
export function startSpending(
  timeouts: Config['timeouts'],
  directory: Pick<DataDirectory, 'path' | 'instanceId'>,
  { sql, clock, log, fail, onEpoch, hasStandbys, isAlone }: SpendingOptions,
): Promise<Spending> {
  const store = new PostgresPurseStore(sql);
  const ownEpochs = new Set<bigint>();
  const retraceOthers = async (): Promise<void> => {
    await retrace(store, await leftTrails(directory, log, (id) => !ownEpochs.has(id)), poisonLogger(log));
  };
  return Spending.start({
    store,
    permitStore: new PostgresPermitStore(sql),
    keyStore: new PostgresKeyStore(sql),
    clock,
    turns: EVENT_LOOP,
    instanceId: directory.instanceId,
    processName: processName(PROGRAM_VERSION, process.pid),
    timeoutMs: timeouts.epochMs,
    holdWaitMs: timeouts.holdWaitMs,
    journalOf: (epochId) => {
      onEpoch?.(epochId);
      ownEpochs.add(epochId);
      return createJournal(directory.path, epochId);
    },
    trailOf: (epochId) => (hasStandbys ? createTrail(directory.path, epochId) : null),
    events: {
      serverBegun: () => {
        if (!hasStandbys || !isAlone) return;
        // The next start retries it.
        retraceOthers().catch((fault: unknown) =>
          log.warn({ err: fault }, 'receipts of a trail could not be sent again; the next start sends them'),
        );
      },
      failed: (fault) => {
        log.error({ err: fault }, 'the spending engine failed: the process stops, and the next start recovers');
        fail('the spending engine failed; see the log');
      },
      warned: (message, fault) => log.warn({ err: fault }, message),
      receiptRefused: poisonLogger(log),
      purseRefused: ({ kind, subjectId, period }, fault) =>
        log.error(
          { kind, subjectId, period, err: fault },
          'the database rejects draws of a purse: requests that need it get 503',
        ),
      projectRefused: (projectId, fault) =>
        log.error(
          { projectId, err: fault },
          'the database rejects draws of permits of a project: its requests get 503',
        ),
    },
  });
}

/** The journals of earlier processes. Damaged lines are logged. */
async function readJournals(
  { path }: DataDirectory,
  log: Log,
  epochIds: readonly bigint[] | null = null,
): Promise<readonly LeftJournal[]> {
  const journals = await readLeftJournals(path, epochIds);
  for (const { damaged } of journals) {
    if (damaged === null) continue;
    log.error(damaged, 'journal lines are damaged: they are kept in this file and not charged');
  }
  return journals;
}

/** The trails of earlier processes. Damaged lines are logged. */
function leftTrails(
  { path }: Pick<DataDirectory, 'path'>,
  log: Log,
  isLeft: (epochId: bigint) => boolean,
): Promise<readonly LeftTrail[]> {
  return readLeftTrails(path, isLeft, (damaged) => {
    log.error({ ...damaged }, 'trail lines are damaged: they are kept in this file and not sent again');
  });
}

/** A receipt that can't be stored must neither block others nor be lost: an operator must examine it. */
function poisonLogger(log: Log): (receipt: Receipt, fault: unknown) => void {
  return ({ requestId, charge }, fault) => {
    const fields = { requestId, charge: String(charge), err: fault };
    log.error(fields, 'the database rejected a receipt: it is kept in quarantined_receipts and not charged');
  };
}
