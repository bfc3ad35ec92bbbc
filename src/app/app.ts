import { NOTHING_TO_ROLL } from '../admin/instance-routes.ts';
import type { Config } from '../config/config.ts';
import { PostgresIdempotencyStore } from '../database/idempotency-store.ts';
import type { Gate } from '../gateway/gate.ts';
import { Pulse } from '../gateway/pulse.ts';
import { findWorkspaceReceipt } from '../ledger/receipts.ts';
import { ByteBudget } from '../lib/byte-budget.ts';
import { SystemClock } from '../lib/clock.ts';
import type { DataDirectory, Home } from '../process/data-directory.ts';
import type { Log } from '../telemetry/log.ts';
import { LogObserver } from '../telemetry/log-observer.ts';
import { Metrics } from '../telemetry/metrics.ts';
import { Observers } from '../telemetry/observers.ts';
import { UpstreamSet } from '../upstreams/upstream-set.ts';
import type { BannerFacts } from './banner.ts';
import { createFront } from './front.ts';
import { startKnowledge } from './knowledge.ts';
import { startLedgerWatch } from './ledger-proofs.ts';
import { type Offer, readOffer } from './offer.ts';
import { startHousekeeping } from './housekeeping.ts';
import { prepareInstance } from './first-boot.ts';
import { startSpending } from './spending.ts';
import type { Workers } from '../process/worker-link.ts';
import type { HttpServer } from '../http/server.ts';
import { type GatewayStorage, openStorage } from './storage.ts';

/** How long a finished stream waits for its usage. */
const FINISH_MS = 2_000;

/** What abandoned streams need beyond their time for usage to let go of their upstreams by themselves. */
const CLOSE_MARGIN_MS = 1_500;

/** A gateway that serves. */
export interface App {
  readonly banner: BannerFacts;
  /** Resolves with the reason if the app can't go on. */
  readonly failed: Promise<string>;
  /** Drains, settles, gives all leases back and closes everything that was opened. */
  stop(): Promise<void>;
  /** Replaces the processes that serve one by one, while the others go on, where there are several. */
  restart(): void;
}

/** Starts everything in this process, in the order in which things need each other. @throws a fault with one line to read */
export async function startApp(config: Config, directory: DataDirectory, log: Log): Promise<App> {
  const [storage, offer] = await Promise.all([openStorage(config, directory, log), readOffer(config)]);
  const closing = new AsyncDisposableStack();
  closing.defer(() => storage.stop());
  const failure = Promise.withResolvers<string>();
  storage.lost.then(failure.resolve, failure.reject);
  try {
    const firstKey = await prepareInstance(storage, offer, { config, directory, log });
    const parts = { config, home: directory, log, closing, fail: failure.resolve };
    const { front, models } = await startGateway(storage, offer, parts);
    const url = await front.listen(config.server);
    await directory.writeAddress(url);
    startHousekeeping({ sql: storage.database, log, closing });
    const stop = async (): Promise<void> => {
      await front.drain(config.timeouts.drainMs);
      await closing.disposeAsync();
    };
    const restart = (): void => log.warn({}, NOTHING_TO_ROLL);
    return { banner: { url, firstKey, models, ...offer.found }, failed: failure.promise, stop, restart };
  } catch (fault) {
    await closeQuietly(closing, log);
    throw fault;
  }
}

/** Closes what was opened before a start failed: why it did is what counts, and what stays open ends with the process. */
export async function closeQuietly(closing: AsyncDisposableStack, log: Log): Promise<void> {
  await closing.disposeAsync().catch((error: unknown) => log.debug({ err: error }, 'closing has failed'));
}

interface GatewayParts {
  readonly config: Config;
  readonly home: Home;
  readonly log: Log;
  /** What is to be closed in the end, the last first. */
  readonly closing: AsyncDisposableStack;
  /** Hears why the gateway can't go on. */
  readonly fail: (reason: string) => void;
  /** Hears of each epoch that this process begins. */
  readonly onEpoch?: (epochId: bigint) => void;
  /** The workers that this process is one of; left out where it is alone. */
  readonly workers?: Workers;
}

/** What serves requests in this process. */
interface Gateway {
  /** It does not listen yet. */
  readonly front: HttpServer;
  /** What is on sale. */
  readonly models: BannerFacts['models'];
}

/** Starts what serves requests, on a database that is prepared for it. */
export async function startGateway(storage: GatewayStorage, offer: Offer, parts: GatewayParts): Promise<Gateway> {
  const { config, home, log, closing } = parts;
  const { database: sql } = storage;
  const { timeouts } = config;
  const clock = new SystemClock();
  const { fail, onEpoch } = parts;
  const spending = await startSpending(timeouts, home, { sql, clock, log, fail, onEpoch });
  closing.defer(() => spending.stop());
  const knowledge = await startKnowledge({ sql, clock, models: offer.models, spending, log });
  closing.defer(() => knowledge.feed.stop());
  closing.defer(() => knowledge.catalogue.stop());
  const upstreams = new UpstreamSet(clock, (fault) => log.warn({ err: fault }, 'an upstream could not be closed'));
  upstreams.configure({ ...offer, timeouts });
  closing.defer(() => upstreams.close(timeouts.usageMs + CLOSE_MARGIN_MS));
  const ledgerWatch = await startLedgerWatch({ sql, clock, log, closing });
  const buffers = new ByteBudget(config.server.bufferedBytesMax);
  const metrics = new Metrics({
    unsettled: () => spending.unsettled,
    bufferedBytes: () => buffers.taken,
    ledgerDifferences: () => ledgerWatch.differences,
  });
  parts.workers?.report(() => metrics.snapshot());
  const gate: Gate = {
    principals: knowledge.principals,
    catalogue: knowledge.catalogue,
    idempotency: new PostgresIdempotencyStore(sql),
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
  const front = createFront({
    config,
    gate,
    knowledge,
    spending,
    storage,
    operatorToken: home.operatorToken,
    workers: parts.workers,
    metrics,
    buffers,
    ledgerWatch,
    log,
  });
  return { front, models: knowledge.catalogue.list().map(({ id, terms }) => ({ id, kind: terms.kind })) };
}
