import type { Config, TimeoutConfig } from '../../config/config.ts';
import { requireServableSchema } from '../database/migrate.ts';
import type { DatabaseConnection } from '../database/pool.ts';
import type { HttpServer } from '../http/server.ts';
import { SystemClock } from '../../lib/clock.ts';
import { LatestTask } from '../../lib/latest-task.ts';
import { DatabaseUnavailable } from '../../lib/sql.ts';
import { together } from '../../lib/together.ts';
import type { Home } from '../process/data-directory.ts';
import type { WorkerLink } from '../process/worker-link.ts';
import { SOCKET_DESCRIPTOR } from '../process/worker-process.ts';
import { createLog } from '../telemetry/log.ts';
import { OutageLog } from '../telemetry/outage-log.ts';
import { closeQuietly } from './app.ts';
import { type Gateway, startGateway } from './gateway.ts';
import { openKeyring } from './keyring.ts';
import type { Offer } from './offer.ts';
import { handOver, retire } from './end-serving.ts';
import { RETRY_MS } from './reloading.ts';
import type { ConnectionLimits } from './embedded-share.ts';
import { joinStorage, type Storage } from './storage.ts';
import { startWarmUp } from './warm-up/warm-up.ts';
import { faultMessage } from '../../lib/fault-message.ts';

const ORPHANED = 'orphaned';
/** How long a worker without a supervisor may take to settle. The next program needs its port. */
const ORPHAN_MS = 1_000;

/** The parameters of a worker. */
export interface WorkerOrders {
  readonly config: Config;
  readonly home: Home;
  readonly offer: Offer;
  readonly database: {
    readonly connection: DatabaseConnection;
    readonly kind: Storage['kind'];
    readonly limits: ConnectionLimits;
  };
}

/** Serves as one of several workers, until the supervisor asks it to end or is gone. */
export async function work(link: WorkerLink<WorkerOrders>): Promise<void> {
  link.endWhenOrphaned(ORPHAN_MS);
  const log = new OutageLog(createLog('info'), new SystemClock());
  const failure = Promise.withResolvers<string>();
  const closing = new AsyncDisposableStack();
  let timeouts: TimeoutConfig;
  let front: HttpServer;
  try {
    const orders = await link.orders;
    log.level = orders.config.logLevel;
    ({ timeouts } = orders.config);
    const gateway = await startServing(orders, { link, log, closing, fail: failure.resolve });
    ({ front } = gateway);
    const changes = new LatestTask<WorkerOrders>({
      clock: new SystemClock(),
      run: async ({ config, offer }) => {
        await gateway.adopt(config, offer);
        log.level = config.logLevel;
        ({ timeouts } = config);
      },
      onFault: (fault) => log.warn({ err: fault }, 'config reload failed in a worker; will retry'),
      retryMs: RETRY_MS,
    });
    closing.defer(() => changes.stop());
    link.onChange((changed) => changes.submit(changed));
  } catch (fault) {
    const reason = faultMessage(fault);
    const isDatabaseAway = fault instanceof DatabaseUnavailable;
    link.send({ kind: 'failed', reason, isDatabaseAway });
    // In an outage every start fails, and the supervisor's line about its end has the reason.
    if (!isDatabaseAway) log.error({ err: fault }, 'a worker failed to start');
    await closeQuietly(closing, log);
    await link.leave();
    process.exitCode = 1;
    return;
  }
  link.send({ kind: 'serving' });
  const end = await Promise.race([link.dismissed, link.orphaned.then(() => ORPHANED), failure.promise]);
  log.info({ end }, 'a worker is stopping');
  await endServing(end, front, { timeouts, link });
  await closing.disposeAsync();
  await link.leave();
}

interface ServingParts {
  readonly link: WorkerLink<WorkerOrders>;
  readonly log: OutageLog;
  readonly closing: AsyncDisposableStack;
  readonly fail: (reason: string) => void;
}

async function startServing(orders: WorkerOrders, { link, log, closing, fail }: ServingParts): Promise<Gateway> {
  const { config, home, offer } = orders;
  const warm = startWarmUp(config, log, closing);
  const { connection, kind, limits } = orders.database;
  const storage = joinStorage(connection, kind, limits);
  closing.defer(() => storage.stop());
  closing.defer(log.watch(() => storage.database.ping()));
  const onEpoch = (epochId: bigint): void => link.send({ kind: 'epoch', epochId });
  const keyring = openKeyring({ config, home, sql: storage.control, log, closing });
  const gateway = await startGateway(storage, offer, {
    config,
    keyring,
    home,
    log,
    closing,
    fail,
    onEpoch,
    workers: link,
    settings: () => link.settings(),
    // The supervisor upgraded the schema when it started; the program's files may have been replaced since. The ping opens the
    // connection that the epoch's start needs besides.
    mayBegin: together(requireServableSchema(storage.database), storage.database.ping()),
    priced: Promise.resolve(),
  });
  await warm();
  await gateway.front.listen({ ...config.server, descriptor: SOCKET_DESCRIPTOR });
  return gateway;
}

/** Ends as the supervisor asks; an orphan, or a worker that can't continue, ends as failed. */
async function endServing(
  end: string,
  front: HttpServer,
  { timeouts, link }: { readonly timeouts: TimeoutConfig; readonly link: WorkerLink<WorkerOrders> },
): Promise<void> {
  switch (end) {
    case 'hand over':
      return await handOver(front, timeouts.drainMs, link.stopping);
    case 'retire':
      return await retire(front, timeouts, link.stopping);
    case 'stop':
      return await front.drain(timeouts.drainMs);
    default:
      link.send({ kind: 'failed', reason: end, isDatabaseAway: false });
      process.exitCode = 1;
      await front.drain(end === ORPHANED ? 0 : timeouts.drainMs);
  }
}
