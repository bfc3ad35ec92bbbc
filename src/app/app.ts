import { pruneChanges } from '../accounts/changes.ts';
import type { Config } from '../config/config.ts';
import { ensureReceiptPartitions } from '../database/partitions.ts';
import { pruneRateLeases } from '../database/permit-store.ts';
import type { Gate } from '../gateway/gate.ts';
import { Pulse } from '../gateway/pulse.ts';
import { Housekeeping } from '../jobs/housekeeping.ts';
import { findWorkspaceReceipt } from '../ledger/receipts.ts';
import { ByteBudget } from '../lib/byte-budget.ts';
import { SystemClock } from '../lib/clock.ts';
import type { DataDirectory } from '../process/data-directory.ts';
import type { Log } from '../telemetry/log.ts';
import { LogObserver } from '../telemetry/log-observer.ts';
import { Metrics } from '../telemetry/metrics.ts';
import { Observers } from '../telemetry/observers.ts';
import { createUpstreams } from '../upstreams/registry.ts';
import type { BannerFacts } from './banner.ts';
import { prepareDatabase } from './first-boot.ts';
import { createFront } from './front.ts';
import { startKnowledge } from './knowledge.ts';
import { startLedgerWatch } from './ledger-proofs.ts';
import { type Offer, readOffer } from './offer.ts';
import { recoverSpending, startSpending } from './spending.ts';
import { openStorage, type Storage } from './storage.ts';

/** How long a finished stream waits for its usage. */
const FINISH_MS = 2_000;

/** A gateway that serves. */
export interface App {
  readonly banner: BannerFacts;
  /** Resolves with the reason if the app can't go on. */
  readonly failed: Promise<string>;
  /** Drains, settles, gives all leases back and closes everything that was opened. */
  stop(): Promise<void>;
}

/** Starts everything, in the order in which things need each other. @throws a fault with one line to read */
export async function startApp(config: Config, directory: DataDirectory, log: Log): Promise<App> {
  const [storage, offer] = await Promise.all([openStorage(config, directory, log), readOffer(config)]);
  const closing = new AsyncDisposableStack();
  closing.defer(() => storage.stop());
  try {
    return await startOn(storage, offer, { config, directory, log, closing });
  } catch (fault) {
    // Why it can't start is what counts; what can't be closed after that is gone with the process.
    await closing.disposeAsync().catch((error: unknown) => log.debug({ err: error }, 'closing has failed'));
    throw fault;
  }
}

interface StartParts {
  readonly config: Config;
  readonly directory: DataDirectory;
  readonly log: Log;
  /** What is to be closed in the end, the last first. */
  readonly closing: AsyncDisposableStack;
}

async function startOn(storage: Storage, offer: Offer, { config, directory, log, closing }: StartParts): Promise<App> {
  const { database: sql } = storage;
  const { timeouts } = config;
  const failure = Promise.withResolvers<string>();
  storage.lost.then(failure.resolve, failure.reject);
  const clock = new SystemClock();
  const firstKey = await prepareDatabase(config, storage, offer.models, log);
  await recoverSpending(directory, sql);
  const spending = await startSpending(timeouts, directory, { sql, clock, log, fail: failure.resolve });
  closing.defer(() => spending.stop());
  const knowledge = await startKnowledge({ sql, clock, models: offer.models, spending, log });
  closing.defer(() => knowledge.feed.stop());
  closing.defer(() => knowledge.catalogue.stop());
  const upstreams = createUpstreams(offer.providers, timeouts);
  closing.defer(async () => {
    await Promise.all([...upstreams.values()].map((upstream) => upstream.close()));
  });
  const housekeeping = new Housekeeping(
    clock,
    [() => ensureReceiptPartitions(sql, clock.nowMs()), () => pruneChanges(sql), () => pruneRateLeases(sql)],
    (fault) => log.warn({ err: fault }, 'housekeeping has failed'),
  );
  const ledgerWatch = await startLedgerWatch({ sql, clock, log, closing });
  const buffers = new ByteBudget(config.server.bufferedBytesMax);
  const metrics = new Metrics({
    unsettled: () => spending.unsettled,
    bufferedBytes: () => buffers.taken,
    ledgerDifferences: () => ledgerWatch.differences,
  });
  const gate: Gate = {
    principals: knowledge.principals,
    catalogue: knowledge.catalogue,
    receipts: { find: (workspaceId, requestId) => findWorkspaceReceipt(sql, workspaceId, requestId) },
    get permits() {
      return spending.permits;
    },
    get purses() {
      return spending.purses;
    },
    upstreams,
    clock,
    observer: new Observers(new LogObserver(log), metrics),
    pulse: new Pulse(clock, timeouts.pingMs),
    timeouts: { plainMs: timeouts.plainMs, usageMs: timeouts.usageMs, finishMs: FINISH_MS },
  };
  const { operatorToken } = directory;
  const front = createFront({
    config,
    gate,
    knowledge,
    spending,
    storage,
    operatorToken,
    metrics,
    buffers,
    ledgerWatch,
    log,
  });
  const url = await front.listen(config.server);
  await directory.writeAddress(url);
  housekeeping.start();
  closing.defer(() => housekeeping.stop());

  const stop = async (): Promise<void> => {
    await front.drain(timeouts.drainMs);
    await closing.disposeAsync();
  };
  const models = knowledge.catalogue.list().map(({ id, terms }) => ({ id, kind: terms.kind }));
  return { banner: { url, firstKey, models, ...offer.found }, failed: failure.promise, stop };
}
