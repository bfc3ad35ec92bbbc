import { readCallingKey } from '../../control/accounts/calling-key.ts';
import type { Config } from '../../config/config.ts';
import type { Settings } from '../../config/settings.ts';
import type { Database } from '../database/pool.ts';
import { PostgresIdempotencyStore } from '../database/idempotency-store.ts';
import type { Keyring } from '../../control/encryption/keyring.ts';
import { Deadlines } from '../../gate/gateway/attempts/deadlines.ts';
import { KeyRate } from '../../gate/gateway/questions/key-rate.ts';
import { KeyReads } from '../../gate/gateway/questions/key-reads.ts';
import type { Observer } from '../../gate/gateway/observer.ts';
import { Pulse } from '../../gate/gateway/answers/pulse.ts';
import { RecentFailures } from '../../gate/gateway/recent-failures.ts';
import type { StructuredOutput } from '../../gate/gateway/by-schema/structured-output.ts';
import { CellForwarder } from '../http/forward/cell-forwarder.ts';
import type { HttpServer } from '../http/server.ts';
import { ByteBudget } from '../../lib/byte-budget.ts';
import { CallerAddresses } from '../../lib/caller-addresses.ts';
import { type Clock, SystemClock } from '../../lib/clock.ts';
import type { ControlSql } from '../../lib/control-sql.ts';
import type { Sql } from '../../lib/sql.ts';
import type { Home } from '../process/data-directory.ts';
import type { Workers } from '../process/worker-link.ts';
import type { Spending } from '../../gate/purses/spending.ts';
import type { Log } from '../telemetry/log.ts';
import { Exporting } from '../telemetry/exporting.ts';
import { LogObserver } from '../telemetry/log-observer.ts';
import { Metrics } from '../telemetry/metrics.ts';
import { RequestLog } from '../telemetry/request-log.ts';
import { Observers } from '../telemetry/observers.ts';
import { Health } from '../../gate/upstreams/health/health.ts';
import { UpstreamSet } from '../../gate/upstreams/upstream-set.ts';
import { adoptConfig, gateTimeouts, type LiveGatewayDeps } from './adopt-config.ts';
import { startKeyReports } from './alerts.ts';
import type { BannerFacts } from './banner.ts';
import { createFront } from './front.ts';
import { type Knowledge, startKnowledge } from './knowledge.ts';
import { startLedgerWatch } from './ledger-proofs.ts';
import { LiveGate } from './live-gate.ts';
import { type Offer, sourcesOf } from './offer.ts';
import { openPayments } from './payments.ts';
import { openResponseStore } from './response-store.ts';
import { startRefusalRecord } from './refusal-record.ts';
import { startRouteRecord } from './route-record.ts';
import { findShownReceipt } from './shown-receipt.ts';
import { startSpending } from './spending.ts';
import { plannedWork } from './schedules.ts';
import { createStructuredOutput } from './structured.ts';
import { type ContentSinks, startContentSinks } from './sinks.ts';
import type { GatewayStorage } from './storage.ts';
import { startWorkWatch, type WorkWatch } from './work-watch.ts';

/** Extra time beyond `timeouts.usage` in which abandoned streams release their upstreams by themselves. */
const CLOSE_MARGIN_MS = 1_500;

/** The precision of requests' deadlines. */
const DEADLINE_TICK_MS = 200;

/**
 * The size of the slabs from which small buffers are cut. A surviving buffer keeps its whole slab alive, which with
 * Node's 64 KB wastes too much.
 */
const SLAB_BYTES = 8_192;

/** How long the database may take to look up a calling key for it. */
const KEY_READ_MS_MAX = 1_000;

interface GatewayParts {
  readonly config: Config;
  readonly keyring: Keyring;
  readonly home: Home;
  readonly log: Log;
  /** Resources to close at the end, in reverse order. */
  readonly closing: AsyncDisposableStack;
  /** Called with the reason when the gateway can't continue. */
  readonly fail: (reason: string) => void;
  /** Called for each epoch that this process begins. */
  readonly onEpoch?: (epochId: bigint) => void;
  /** All workers of the instance; absent if this is the only process. */
  readonly workers?: Workers;
  /** The settings of the whole instance. */
  readonly settings: () => Promise<Settings>;
  /** Resolves when this process may begin its epoch; until then it only reads. */
  readonly mayBegin: Promise<unknown>;
  /** Resolves when the prices of this start are in the database. */
  readonly priced: Promise<unknown>;
}

/** The serving parts of this process. */
export interface Gateway {
  /** The server, which does not listen yet. */
  readonly front: HttpServer;
  /** The models on sale. */
  readonly models: BannerFacts['models'];
  /** Applies a changed configuration: see `adoptConfig`. */
  readonly adopt: (config: Config, offer: Offer) => Promise<void>;
}

/** Starts the serving parts on a database that has its schema. */
export async function startGateway(storage: GatewayStorage, offer: Offer, parts: GatewayParts): Promise<Gateway> {
  const { config, log, closing, workers } = parts;
  Buffer.poolSize = SLAB_BYTES;
  const { database: sql, control, pacer } = storage;
  const clock = new SystemClock();
  // Each waits for the database.
  const learning = startLedgerWatch({ sql: control, pacer, clock, log, closing });
  const { spending, knowledge } = await startKnowledge({
    sql,
    clock,
    shard: config.database.shard,
    offer,
    log,
    closing,
    priced: parts.priced,
    startSpending: () => startOnceAllowed(storage, parts, clock),
  });
  const { catalogue } = knowledge;
  const upstreams = createUpstreams(offer, { config, clock, log, closing });
  const ledgerWatch = await learning.watch;
  const buffers = new ByteBudget(config.server.bufferedBytesMax);
  const watching = { sql: control, clock, log, closing };
  const scheduled = startWorkWatch(plannedWork(config, clock.nowMs()), watching);
  const { metrics, requestLog, refusals, content, observer } = startObservers(config, knowledge, watching);
  const health = startHealth(offer, { ...watching, config, observer });
  const exporting = await startExporting(offer, { config, metrics, clock, log, closing });
  workers?.report({ metrics: () => metrics.snapshot(), health: () => health.report(clock.monotonicMs()) });
  const structured = createStructuredOutput(config, { sql, clock, log, closing });
  const gate = createGate(parts, {
    sql,
    control,
    clock,
    knowledge,
    spending,
    upstreams,
    health,
    observer,
    exporting,
    content,
    structured,
  });
  const offered = { now: offer };
  const front = await createFront({
    ...parts,
    offer: () => offered.now,
    desk: await openPayments({ config, sql: control, log }),
    health,
    gate,
    knowledge,
    scheduled,
    spending,
    storage,
    metrics,
    buffers,
    ledgerWatch,
  });
  watchWith(metrics, { sql, clock, spending, buffers, refusals, ledgerWatch, scheduled, health, front });
  const { freeAnswers } = structured;
  const adopting = { gate, catalogue, upstreams, health, freeAnswers, front, exporting, requestLog, offered };
  return {
    front,
    models: catalogue.list().map(({ id, terms }) => ({ id, kind: terms.kind })),
    adopt: (next, nextOffer) => adoptConfig(adopting, next, nextOffer),
  };
}

type WatchParts = Parameters<typeof startRefusalRecord>[0];

/** All that is called with the events of the request path. */
function startObservers(config: Config, { feed }: Knowledge, watching: WatchParts) {
  const metrics = new Metrics();
  const requestLog = new RequestLog(watching.log, config.telemetry.requestLog);
  const refusals = startRefusalRecord(watching);
  const routes = startRouteRecord(watching);
  const content = startContentSinks({ ...watching, config, feed, metrics });
  const observer = new Observers(
    new LogObserver(watching.log),
    requestLog,
    metrics,
    refusals,
    routes,
    content.observer,
  );
  return { metrics, requestLog, refusals, content, observer };
}

function createUpstreams(
  offer: Offer,
  { config, clock, log, closing }: Pick<GatewayParts, 'config' | 'log' | 'closing'> & { readonly clock: Clock },
): UpstreamSet {
  const upstreams = new UpstreamSet(clock, (fault) =>
    log.warn({ err: fault }, 'an upstream that is no longer configured could not be closed'),
  );
  upstreams.configure(sourcesOf(offer, config.timeouts));
  closing.defer(() => upstreams.close(config.timeouts.usageMs + CLOSE_MARGIN_MS));
  return upstreams;
}

async function startOnceAllowed(
  { database: sql, kind }: GatewayStorage,
  { config, home, log, fail, onEpoch, workers, mayBegin }: GatewayParts,
  clock: SystemClock,
): Promise<Spending> {
  await mayBegin;
  return await startSpending(config.timeouts, home, {
    sql,
    clock,
    log,
    fail,
    onEpoch,
    hasStandbys: kind === 'external',
    isAlone: workers === undefined,
  });
}

type HealthParts = Omit<Parameters<typeof startKeyReports>[0], 'health'> & Pick<GatewayParts, 'config'>;

/** Begins to watch the routes' health, and to report providers that refuse their keys. */
function startHealth(offer: Offer, { observer, ...parts }: HealthParts & { readonly observer: Observers }): Health {
  const { routing } = parts.config;
  const health = new Health(routing, observer);
  health.configure(routing, offer.providers);
  startKeyReports({ ...parts, health });
  return health;
}

/** Exports to a collector, if there is one, until the end. */
async function startExporting(
  { providers }: Offer,
  { config, closing, ...parts }: Pick<GatewayParts, 'config' | 'closing'> & ConstructorParameters<typeof Exporting>[0],
): Promise<Exporting> {
  const exporting = new Exporting(parts);
  closing.defer(() => exporting.stop());
  await exporting.configure(config.telemetry, providers);
  return exporting;
}

interface WatchedParts {
  readonly sql: Pick<Database, 'waiting'>;
  readonly clock: Clock;
  readonly spending: Spending;
  readonly buffers: ByteBudget;
  readonly refusals: { readonly unrecorded: number };
  readonly ledgerWatch: { readonly differences: number };
  readonly scheduled: WorkWatch;
  readonly health: Health;
  readonly front: HttpServer;
}

/** Has the metrics read these parts at each scrape. */
function watchWith(metrics: Metrics, parts: WatchedParts): void {
  const { sql, clock, spending, buffers, refusals, ledgerWatch, scheduled, health, front } = parts;
  metrics.watch({
    spending: () => spending,
    server: () => front,
    bufferedBytes: () => buffers.taken,
    waitingStatements: () => sql.waiting,
    unrecordedRefusals: () => refusals.unrecorded,
    ledgerDifferences: () => ledgerWatch.differences,
    scheduledWork: () => scheduled,
    providers: () => health.standings(clock.monotonicMs()),
  });
}

interface GateParts {
  readonly sql: Sql;
  readonly control: ControlSql;
  readonly clock: Clock;
  readonly knowledge: Knowledge;
  readonly spending: Spending;
  readonly upstreams: UpstreamSet;
  readonly health: Health;
  readonly observer: Observer;
  readonly exporting: Exporting;
  readonly content: ContentSinks;
  readonly structured: StructuredOutput;
}

/** A coding agent counts some 25 texts at the same moment. */
const COUNTS_PER_MINUTE = 120;

/** What a key may read or delete of what is kept for its workspace. */
const RESPONSES_PER_MINUTE = 300;

/** Forwards requests of workspaces that have moved, until the end. */
function startForwarder(
  { database: { shard } }: Config,
  {
    knowledge: { cells },
    observer,
    closing,
  }: Pick<GateParts, 'knowledge' | 'observer'> & Pick<GatewayParts, 'closing'>,
): CellForwarder {
  const forwarder = new CellForwarder({ shard, urlOf: (other) => cells.urlOf(other), observer });
  closing.defer(() => forwarder.close());
  return forwarder;
}

function createGate({ config, keyring, closing }: GatewayParts, parts: GateParts): LiveGatewayDeps {
  const { timeouts } = config;
  const { sql, control, clock, knowledge, spending, upstreams, health, observer, exporting, content, structured } =
    parts;
  const own: Omit<LiveGatewayDeps, 'permits' | 'purses' | 'tracer'> = {
    principals: knowledge.principals,
    catalogue: knowledge.catalogue,
    addresses: new CallerAddresses(config.server.trustedProxies),
    forwarder: startForwarder(config, { knowledge, observer, closing }),
    keyReads: new KeyReads(
      (principal, endUser) =>
        control.transaction((tx) => readCallingKey(tx, principal, endUser), { statementMsMax: KEY_READ_MS_MAX }),
      clock,
    ),
    countRate: new KeyRate(COUNTS_PER_MINUTE, clock),
    idempotency: new PostgresIdempotencyStore(sql),
    responses: openResponseStore(config, { ...parts, keyring }),
    responseRate: new KeyRate(RESPONSES_PER_MINUTE, clock),
    receipts: { find: (principal, requestId) => findShownReceipt(control, principal, requestId) },
    upstreams,
    health,
    clock,
    observer,
    content: content.recorder,
    failures: new RecentFailures(clock),
    structured,
    pulse: new Pulse(clock, timeouts.pingMs),
    deadlines: new Deadlines(clock, DEADLINE_TICK_MS),
    random: Math.random,
    timeouts: gateTimeouts(timeouts),
  };
  return new LiveGate(own, { spending, exporting });
}
