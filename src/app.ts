import { getRequestListener } from '@hono/node-server';
import { fileURLToPath } from 'node:url';
import packageJson from '../package.json' with { type: 'json' };
import { bootstrap } from './accounts/bootstrap.ts';
import { ChangeFeed } from './accounts/changes.ts';
import { PrincipalCache } from './accounts/principal-cache.ts';
import { createAdminApp } from './admin/admin-app.ts';
import { Catalogue } from './catalogue/catalogue.ts';
import { applyCatalogue } from './catalogue/price-versions.ts';
import type { Config } from './config/config.ts';
import { migrate } from './database/migrate.ts';
import { ensureReceiptPartitions } from './database/partitions.ts';
import { PostgresPurseStore } from './database/purse-store.ts';
import { isRefusal } from './domain/refusals.ts';
import type { Gate } from './gateway/gate.ts';
import { Pulse } from './gateway/pulse.ts';
import { live, ready, type ReadinessCheck } from './http/health.ts';
import { loadPages } from './http/pages.ts';
import { type RouterParts, route } from './http/routes.ts';
import { HttpServer } from './http/server.ts';
import { Housekeeping } from './jobs/housekeeping.ts';
import { assert } from './lib/assert.ts';
import { ByteBudget } from './lib/byte-budget.ts';
import { SystemClock } from './lib/clock.ts';
import { createRequestIds } from './lib/uuid7.ts';
import { postCredit } from './ledger/postings.ts';
import type { BannerFacts } from './process/banner.ts';
import type { DataDirectory } from './process/data-directory.ts';
import { openStorage, type Storage } from './process/storage.ts';
import { Epoch } from './purses/epoch.ts';
import { EpochFenced } from './purses/purse-store.ts';
import { Permits } from './purses/permits.ts';
import { Purses } from './purses/purses.ts';
import type { Log } from './telemetry/log.ts';
import { LogObserver } from './telemetry/log-observer.ts';
import { type Offer, readOffer } from './process/offer.ts';
import { createUpstreams } from './upstreams/registry.ts';

/** How long a finished stream waits for its usage. */
const FINISH_MS = 2_000;
const FEED_STALE_MS = 2_000;
const PAGES = fileURLToPath(new URL('../console/dist', import.meta.url));

/** A gateway that serves. */
export interface App {
  readonly banner: BannerFacts;
  /** Resolves with the reason if the app can't go on. */
  readonly failed: Promise<string>;
  /** Drains, settles, gives all leases back and closes everything that was opened. */
  stop(): Promise<void>;
}

/** Makes the spending engine of this process: a new epoch, after the directory's former ones have been reaped. */
async function startPurses(
  config: Config,
  parts: { storage: Storage; directory: DataDirectory; clock: SystemClock; log: Log; fail: (reason: string) => void },
): Promise<{ purses: Purses; epoch: Epoch }> {
  const { storage, directory, clock, log, fail } = parts;
  const store = new PostgresPurseStore(storage.database);
  const begunAtMs = clock.monotonicMs();
  const id = await store.beginEpoch(directory.instanceId, `${packageJson.name} ${process.pid}`);
  const onFault = (fault: unknown): void => {
    log.error({ err: fault }, 'the spending engine has failed');
    fail(fault instanceof EpochFenced ? fault.message : 'the spending engine has failed; see the log');
  };
  const epoch = new Epoch({ id, store, clock, timeoutMs: config.timeouts.epochMs, begunAtMs, onFault });
  await epoch.start();
  const purses = new Purses({
    store,
    clock,
    epoch,
    holdWaitMs: config.timeouts.holdWaitMs,
    onFault,
    onPoison: (receipt, fault) => log.error({ requestId: receipt.requestId, err: fault }, 'the database refuses a receipt'),
  });
  return { purses, epoch };
}

/** Prepares what must be there before the first request: schema, partitions, prices, and on a first boot a key. */
async function prepare(config: Config, storage: Storage, offer: Offer, log: Log): Promise<BannerFacts['firstKey']> {
  const { database } = storage;
  await migrate(database);
  await ensureReceiptPartitions(database, Date.now());
  if (storage.kind === 'embedded' || config.bootstrap) {
    const { withheld } = await applyCatalogue(database, offer.models, { accept: [] });
    for (const { model } of withheld) {
      log.warn({ model }, 'a price changed more than tenfold and stays as it was: "faregate catalogue apply --accept" takes it');
    }
  }
  if (!config.bootstrap) return null;
  const first = await bootstrap(database, async (tx, workspaceId, amount) => {
    const posted = await postCredit(tx, { workspaceId, kind: 'grant', amount, actor: 'bootstrap', reason: 'starter credit' });
    assert(!isRefusal(posted), 'a new workspace takes its starter credit');
  });
  return first === null ? null : { key: first.key, workspace: first.workspaceName, credit: first.credit };
}

/** Starts everything, in the order in which things need each other. @throws a fault with one line to read */
export async function startApp(config: Config, directory: DataDirectory, log: Log): Promise<App> {
  const failure = Promise.withResolvers<string>();
  const clock = new SystemClock();
  const [storage, offer] = await Promise.all([openStorage(config, directory, log), readOffer(config)]);
  const { database } = storage;
  void storage.lost.then(failure.resolve);
  const onFault = (what: string) => (fault: unknown) => log.warn({ err: fault }, what);
  try {
    const firstKey = await prepare(config, storage, offer, log);
    const { purses, epoch } = await startPurses(config, { storage, directory, clock, log, fail: failure.resolve });
    const feed = new ChangeFeed(database, clock, onFault('changes could not be read'));
    const principals = new PrincipalCache({ sql: database, clock, feed });
    const catalogue = new Catalogue({
      sql: database,
      clock,
      configured: offer.models,
      onFault: onFault('prices could not be read'),
    });
    feed.subscribe(
      ({ kind, subjectId }) => {
        if (kind === 'purse') purses.purseChanged(BigInt(subjectId));
        if (kind === 'catalogue') catalogue.invalidate();
      },
      () => {
        purses.everyPurseChanged();
        catalogue.invalidate();
      },
    );
    await feed.start();
    await catalogue.reload();
    const upstreams = createUpstreams(offer.providers, config.timeouts);
    const housekeeping = new Housekeeping(database, clock, onFault('housekeeping has failed'));
    housekeeping.start();

    const gate: Gate = {
      principals,
      catalogue,
      permits: new Permits(clock),
      purses,
      upstreams,
      clock,
      observer: new LogObserver(log),
      pulse: new Pulse(clock, config.timeouts.pingMs),
      timeouts: { plainMs: config.timeouts.plainMs, usageMs: config.timeouts.usageMs, finishMs: FINISH_MS },
    };
    const checks: readonly ReadinessCheck[] = [
      { name: 'accepting requests', holds: () => !server.isDraining },
      { name: 'database in touch', holds: () => clock.monotonicMs() - feed.lastSuccessMs < FEED_STALE_MS },
      { name: 'epoch live', holds: () => epoch.isLive },
    ];
    const startedAt = new Date();
    const admin = createAdminApp({
      sql: database,
      catalogue,
      operatorToken: directory.operatorToken,
      onFault: (fault) => log.error({ err: fault }, 'the admin API has failed'),
      status: () => ({
        version: packageJson.version,
        ready: checks.every((check) => check.holds()),
        startedAt,
        database: storage.kind,
        problems: checks.filter((check) => !check.holds()).map((check) => `This does not hold: ${check.name}.`),
      }),
      backup: null,
    });
    const router: RouterParts = {
      gate,
      limits: { bodyBytesMax: config.server.bodyBytesMax, budget: new ByteBudget(config.server.bufferedBytesMax) },
      isDraining: () => server.isDraining,
      mounts: {
        admin: getRequestListener(admin.fetch),
        live: (_, response) => live(response),
        ready: (_, response) => ready(response, checks),
        pages: loadPages(PAGES),
      },
    };
    const server = new HttpServer(
      { headerBytesMax: config.server.headerBytesMax, headersMs: config.timeouts.headersMs, requestMs: config.timeouts.requestMs },
      createRequestIds(() => clock.nowMs()),
      (requestId, message, response) => {
        Promise.resolve(route(router, requestId, message, response)).catch((fault: unknown) => {
          gate.observer.failed(requestId, fault);
          response.destroy();
        });
      },
    );
    const port = await server.listen(config.server.host, config.server.port);
    const url = `http://${config.server.host.includes(':') ? `[${config.server.host}]` : config.server.host}:${port}`;
    await directory.writeAddress(url);

    const stop = async (): Promise<void> => {
      await server.drain(config.timeouts.drainMs);
      housekeeping.stop();
      catalogue.stop();
      await feed.stop();
      await Promise.all([...upstreams.values()].map((upstream) => upstream.close()));
      await purses.stop();
      epoch.stop();
      await storage.stop();
    };
    const models = catalogue.list().map((model) => model.id);
    return { banner: { url, firstKey, models, ...offer.found }, failed: failure.promise, stop };
  } catch (fault) {
    await storage.stop();
    throw fault;
  }
}
