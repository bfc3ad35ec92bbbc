import { declaredInFile, type Offer } from './offer.ts';
import { modelsAt } from './probe.ts';
import { getRequestListener } from '@hono/node-server';
import { fileURLToPath } from 'node:url';
import { PROGRAM_VERSION } from '../../lib/program-version.ts';
import { TargetNetwork } from '../../lib/target-network.ts';
import { createAdminApp } from '../../control/admin/admin-app.ts';
import { ensurePartitionsSince } from '../database/partitions.ts';
import { CellClient } from '../../control/cells/cell-client.ts';
import { createExportLimit } from '../../control/admin/answer-export.ts';
import { CallerAddresses } from '../../lib/caller-addresses.ts';
import { LiveUpdates } from '../../control/admin/live/live-updates.ts';
import type { InstanceStatus } from '../../control/admin/instance-routes.ts';
import { createIdentify } from '../../control/admin/identify.ts';
import type { PlaygroundDependencies } from '../../control/admin/playground/playground-routes.ts';
import { findProblems } from '../../control/admin/problems.ts';
import type { Config, TimeoutConfig } from '../../config/config.ts';
import type { Settings } from '../../config/settings.ts';
import type { Keyring } from '../../control/encryption/keyring.ts';
import { openFilesMax } from '../../lib/open-files.ts';
import type { GatewayDeps } from '../../gate/gateway/gateway-deps.ts';
import { readsBodies } from '../http/admin-bodies.ts';
import { BodyReads } from '../http/body-reads.ts';
import { live, LIVE_LINE, livePlainly, ready, type ReadinessCheck } from '../http/health.ts';
import { loadPages } from '../http/pages.ts';
import type { PlainHandler } from '../http/plain/plain-connection.ts';
import { type ApiParts, apiLines, route, type RouterParts, servePlayground } from '../http/api-routes.ts';
import { HttpServer } from '../http/server.ts';
import { signedWebhook } from '../http/signed-webhook.ts';
import type { BodyLimits, ServerTimeouts } from '../http/server-limits.ts';
import type { ByteBudget } from '../../lib/byte-budget.ts';
import type { LedgerWatch } from '../jobs/ledger-watch.ts';
import { createIds } from '../../lib/uuid7.ts';
import type { Home } from '../process/data-directory.ts';
import type { Workers } from '../process/worker-link.ts';
import type { Spending } from '../../gate/purses/spending.ts';
import type { Log } from '../telemetry/log.ts';
import { type Metrics, renderTogether } from '../telemetry/metrics.ts';
import type { Health } from '../../gate/upstreams/health/health.ts';
import type { InstanceHealth } from '../../gate/upstreams/health/standing.ts';
import { createBackups } from './backup-stream.ts';
import { CallerConnections } from './connections.ts';
import { examineProcess } from './examination.ts';
import { cookieProblems, createIdentity, hostNamesOf } from './identity.ts';
import type { Knowledge } from './knowledge.ts';
import type { PaymentDesk } from './payments.ts';
import { openReports } from './reports.ts';
import type { GatewayStorage } from './storage.ts';
import type { WorkWatch } from './work-watch.ts';

/** Longer than the last bytes of an answer wait for their receipt. */
const RECEIPT_MS = 5_500;
/** How old the last answer to a poll may be once one has failed. */
const FEED_STALE_MS = 2_000;
/** A failover ends the epochs of all instances at the same moment; the next ones begin before balancers need know. */
const NEXT_EPOCH_MS = 5_000;
const PAGES = fileURLToPath(new URL('../../../console/dist', import.meta.url));

interface FrontParts {
  readonly config: Config;
  readonly keyring: Keyring;
  readonly desk: PaymentDesk;
  readonly gate: GatewayDeps;
  readonly knowledge: Knowledge;
  readonly scheduled: WorkWatch;
  readonly spending: Spending;
  readonly storage: GatewayStorage;
  readonly home: Home;
  /** All workers of the instance; absent if this is the only process. */
  readonly workers?: Workers;
  readonly settings: () => Promise<Settings>;
  /** What is offered now. */
  readonly offer: () => Offer;
  readonly health: Pick<Health, 'report'>;
  readonly metrics: Metrics;
  readonly buffers: ByteBudget;
  readonly ledgerWatch: LedgerWatch;
  readonly closing: AsyncDisposableStack;
  readonly log: Log;
}

function readinessChecks(
  { gate, knowledge, spending }: FrontParts,
  isAccepting: () => boolean,
): readonly ReadinessCheck[] {
  const { feed } = knowledge;
  const { clock } = gate;
  let liveMs = -Infinity;
  const isOrWasLive = (): boolean => {
    if (spending.isLive) liveMs = clock.monotonicMs();
    return clock.monotonicMs() - liveMs < NEXT_EPOCH_MS;
  };
  return [
    { name: 'accepting requests', holds: isAccepting },
    {
      name: 'database reachable',
      holds: () => !feed.hasFailed || clock.monotonicMs() - feed.lastSuccessMs < FEED_STALE_MS,
      // Leases last as long as the epoch does.
      isDispensable: true,
    },
    { name: 'epoch live', holds: isOrWasLive },
  ];
}

/** Creates the server with all its handlers; it does not listen yet. */
export async function createFront(parts: FrontParts): Promise<HttpServer> {
  const { config, gate, log, metrics } = parts;
  const pages = await loadPages(PAGES);
  if (!pages.hasConsole) log.warn({}, 'the console is not built: its pages say how to build it');
  const openFiles = openFilesMax();
  const connections = new CallerConnections(config.server, {
    clock: gate.clock,
    log,
    onRefused: (limit) => metrics.connectionRefused(limit),
    openFilesMax: openFiles,
  });
  const checks = readinessChecks(parts, () => !server.isLeaving);
  const updates = createLiveUpdates(parts);
  const { webhooks } = parts.desk;
  const limits: BodyLimits = { bodyBytesMax: config.server.bodyBytesMax, budget: parts.buffers };
  const addresses = new CallerAddresses(config.server.trustedProxies);
  const reads = new BodyReads({ addresses, budget: parts.buffers });
  const failed = (requestId: string, fault: unknown): void => logFailure(log, requestId, fault);
  const api = apiOf(gate, limits, () => server);
  const router: RouterParts = {
    ...api,
    mounts: {
      admin: readsBodies(
        getRequestListener(
          createAdmin(parts, {
            checks,
            connections,
            openFiles,
            live: updates,
            serveModel: playgroundServer(api, log),
            url: () => server.url,
          }).fetch,
          // The server ends connections whose request was not read whole.
          { autoCleanupIncoming: false },
        ),
        reads,
      ),
      live: (_message, response) => live(response),
      ready: (_message, response) => ready(response, checks),
      stripeWebhook:
        webhooks === null ? null : signedWebhook({ reads, signatureHeader: 'stripe-signature', ...webhooks }),
      pages: pages.serve,
    },
  };
  const { headerBytesMax } = config.server;
  const lines = plainHandlers(api, [[LIVE_LINE, livePlainly]], failed);
  const server = new HttpServer(
    { headerBytesMax, connections: connections.quota, ...limits, ...serverTimeouts(config.timeouts) },
    createIds(() => gate.clock.nowMs()),
    {
      any: (requestId, message, response) => {
        Promise.try(route, router, requestId, message, response).catch((fault: unknown) => {
          failed(requestId, fault);
          response.destroy();
        });
      },
      plain: lines,
      ending: () => updates.end(),
    },
  );
  return server;
}

/** What the API's handlers need of the server that calls them. */
export function apiOf(
  gate: ApiParts['gate'],
  limits: BodyLimits,
  server: () => Pick<HttpServer, 'isDraining'>,
): ApiParts {
  return { gate, limits, isDraining: () => server().isDraining };
}

/** Finds the handlers of plain requests by request line: `others`, and those of the API. */
export function plainHandlers(
  api: ApiParts,
  others: Iterable<readonly [string, PlainHandler]>,
  failed: (requestId: string, fault: unknown) => void,
): (line: string) => PlainHandler | undefined {
  const lines = new Map<string, PlainHandler>(others);
  for (const [line, serve] of apiLines(api)) {
    lines.set(line, (caller) => {
      const fail = (fault: unknown): void => {
        failed(caller.requestId, fault);
        caller.destroy();
      };
      try {
        serve(caller)?.catch(fail);
      } catch (fault) {
        fail(fault);
      }
    });
  }
  return (line) => lines.get(line);
}

function logFailure(log: Log, requestId: string, fault: unknown): void {
  log.error({ requestId, err: fault }, 'a request failed because of a bug of this program: please report this line');
}

function playgroundServer(parts: ApiParts, log: Log): PlaygroundDependencies['serveModel'] {
  return (request) =>
    Promise.try(servePlayground, parts, request).catch((fault: unknown) => {
      logFailure(log, request.requestId, fault);
      request.outgoing.destroy();
    });
}

function createLiveUpdates({ gate: { clock }, storage, knowledge, log }: FrontParts): LiveUpdates {
  return new LiveUpdates({
    sql: storage.control,
    clock,
    onKeyChange: (listener) =>
      knowledge.feed.subscribe(({ kind, subjectId }) => {
        if (kind === 'key') listener(subjectId);
      }),
    onFault: (fault) =>
      log.error({ err: fault }, 'live updates failed because of a bug of this program: please report this line'),
  });
}

/** The server's timeouts. */
export function serverTimeouts(timeouts: TimeoutConfig): ServerTimeouts {
  const { headersMs, requestMs, holdWaitMs, plainMs, pingMs } = timeouts;
  // Streams get pings; a plain call may be silent while it waits for money, for its answer and for its receipt.
  return { headersMs, requestMs, idleMs: holdWaitMs + plainMs + RECEIPT_MS + pingMs };
}

function createAdmin(
  parts: FrontParts,
  server: {
    readonly checks: readonly ReadinessCheck[];
    readonly connections: CallerConnections;
    readonly openFiles: number;
    readonly url: () => string;
    readonly live: LiveUpdates;
    readonly serveModel: PlaygroundDependencies['serveModel'];
  },
): ReturnType<typeof createAdminApp> {
  const { config, keyring, home, storage, knowledge, metrics, workers, log } = parts;
  const { planned } = parts.scheduled;
  const { checks, connections, openFiles } = server;
  const startedAt = new Date();
  const { clock } = parts.gate;
  const { pacer } = storage;
  const reports = openReports({ config, primary: storage.control, clock, closing: parts.closing });
  const cells = new CellClient(keyring);
  parts.closing.defer(() => cells.close());
  const identity = createIdentity({ config, home, keyring, sql: storage.control, clock, log, closing: parts.closing });
  return createAdminApp({
    sql: storage.control,
    reports: reports ?? storage.control,
    keyring,
    shard: config.database.shard,
    cells,
    makePartitions: (first) => ensurePartitionsSince(storage.control, first, clock.nowMs()),
    isShared: storage.kind === 'external',
    sinks: config.sinks,
    webhookNetwork: new TargetNetwork(config.webhooks.allowedNetworks),
    payments: parts.desk.payments,
    seller: config.payments.seller,
    catalogue: knowledge.catalogue,
    declaredInFile: () => declaredInFile(parts.offer()),
    listModelsAt: modelsAt,
    identify: createIdentify({
      sql: storage.control,
      isOwnToken: (token) => identity.ownToken.matches(token),
      publicUrl: config.server.publicUrl,
      operatorNetworks: config.identity.operatorNetworks,
    }),
    identity: identity.dependencies(() => server.url()),
    trustedProxies: config.server.trustedProxies,
    hostNames: hostNamesOf(config.server.publicUrl),
    metrics: workers === undefined ? metrics : metricsOfAll(workers, metrics),
    ...(workers === undefined
      ? {}
      : { restart: { begin: () => workers.restart(), progress: () => workers.restartProgress() } }),
    onFault: (fault) =>
      log.error(
        { err: fault },
        'a request to the admin API failed because of a bug of this program: please report this line',
      ),
    proveLedger: () => parts.ledgerWatch.prove(),
    status: async () => {
      const lag = (await reports?.problem()) ?? null;
      const others = [...(lag === null ? [] : [lag]), ...connections.problems, ...cookieProblems(config.server)];
      return { startedAt, ...(await statusOf(parts, checks, others)) };
    },
    health: () => healthOfAll(parts),
    settings: parts.settings,
    examine: () => examineProcess({ config, home, keyring, planned, storage, openFilesMax: openFiles }),
    pacer,
    live: server.live,
    serveModel: server.serveModel,
    exports: createExportLimit(clock),
    backup: createBackups({ sql: storage.control, pacer, log }),
  });
}

/** The state of this instance; `others`: problems that are not found here. */
async function statusOf(
  { keyring, storage, knowledge, scheduled, offer, gate: { clock } }: FrontParts,
  checks: readonly ReadinessCheck[],
  others: readonly string[],
): Promise<Omit<InstanceStatus, 'startedAt'>> {
  const unready = checks.filter((check) => !check.holds()).map(({ name }) => `A readiness check fails: ${name}.`);
  const isReady = unready.length === 0;
  const parts = { keyring, planned: scheduled.planned, nowMs: clock.nowMs() };
  const found = isReady ? await findProblems(storage.control, knowledge.catalogue, parts) : unready;
  const problems = [...found, ...offer().problems, ...others];
  return { version: PROGRAM_VERSION, ready: isReady, database: storage.kind, problems };
}

/** The routes' health in all processes of this instance. */
async function healthOfAll({ workers, health, gate: { clock } }: FrontParts): Promise<InstanceHealth> {
  return workers === undefined
    ? { processes: 1, reports: [health.report(clock.monotonicMs())] }
    : await workers.health();
}

/** Requests that any worker answers for all workers. */
function metricsOfAll(workers: Workers, { contentType }: Metrics): Pick<Metrics, 'render' | 'contentType'> {
  return { contentType, render: async () => await renderTogether(await workers.metrics()) };
}
