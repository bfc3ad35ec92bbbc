import type { Config } from '../config/config.ts';
import type { DatabaseConnection } from '../database/pool.ts';
import type { HttpServer } from '../http/server.ts';
import { SystemClock } from '../lib/clock.ts';
import { LatestTask } from '../lib/latest-task.ts';
import type { Home } from '../process/data-directory.ts';
import type { WorkerLink } from '../process/worker-link.ts';
import { SOCKET_DESCRIPTOR } from '../process/worker-process.ts';
import { createLog, type Log } from '../telemetry/log.ts';
import { closeQuietly } from './app.ts';
import { type Gateway, startGateway } from './gateway.ts';
import type { Offer } from './offer.ts';
import { RETRY_MS } from './reloading.ts';
import { type ConnectionLimits, joinStorage, type Storage } from './storage.ts';

/** How long a worker without a supervisor may take to settle. The next program wants its port. */
const ORPHAN_MS = 1_000;

/** What a worker needs to begin. */
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

/** Serves as one of several workers, until its supervisor says to end, or is gone. */
export async function work(link: WorkerLink<WorkerOrders>): Promise<void> {
  link.endWhenOrphaned(ORPHAN_MS);
  const orders = await link.orders;
  const log = createLog(orders.config.logLevel);
  const failure = Promise.withResolvers<string>();
  const closing = new AsyncDisposableStack();
  let { drainMs } = orders.config.timeouts;
  let front: HttpServer;
  try {
    const gateway = await startServing(orders, { link, log, closing, fail: failure.resolve });
    ({ front } = gateway);
    const changes = new LatestTask<WorkerOrders>({
      clock: new SystemClock(),
      run: async ({ config, offer }) => {
        await gateway.adopt(config, offer);
        log.level = config.logLevel;
        ({ drainMs } = config.timeouts);
      },
      onFault: (fault) => log.warn({ err: fault }, 'a changed configuration could not be taken over, and will be'),
      retryMs: RETRY_MS,
    });
    closing.defer(() => changes.stop());
    link.onChange((changed) => changes.tell(changed));
  } catch (fault) {
    link.tell({ kind: 'failed', reason: fault instanceof Error ? fault.message : String(fault) });
    log.error({ err: fault }, 'a worker could not start');
    await closeQuietly(closing, log);
    await link.leave();
    process.exitCode = 1;
    return;
  }
  link.tell({ kind: 'serving' });
  const end = await Promise.race([link.dismissed, link.orphaned.then(() => 'orphaned' as const), failure.promise]);
  log.info({ end }, 'a worker is stopping');
  if (end !== 'hand over' && end !== 'stop') {
    link.tell({ kind: 'failed', reason: end });
    process.exitCode = 1;
  }
  await drain(end, front, link.stopping, drainMs);
  await closing.disposeAsync();
  await link.leave();
}

interface ServingParts {
  readonly link: WorkerLink<WorkerOrders>;
  readonly log: Log;
  readonly closing: AsyncDisposableStack;
  readonly fail: (reason: string) => void;
}

async function startServing(orders: WorkerOrders, { link, log, closing, fail }: ServingParts): Promise<Gateway> {
  const { config, home, offer } = orders;
  const { connection, kind, limits } = orders.database;
  const storage = joinStorage(connection, kind, limits);
  closing.defer(() => storage.stop());
  const onEpoch = (epochId: bigint): void => link.tell({ kind: 'epoch', epochId });
  const gateway = await startGateway(storage, offer, { config, home, log, closing, fail, onEpoch, workers: link });
  await gateway.front.listen({ ...config.server, descriptor: SOCKET_DESCRIPTOR });
  return gateway;
}

/** Lets running requests end, as far as there is time for them. */
async function drain(end: string, front: HttpServer, stopping: Promise<void>, drainMs: number): Promise<void> {
  if (end !== 'hand over') return await front.drain(end === 'orphaned' ? 0 : drainMs);
  const handedOver = front.handOver(drainMs);
  // The whole program may stop meanwhile: then nobody serves in this one's stead any more.
  await Promise.race([handedOver, stopping]);
  await Promise.all([handedOver, front.drain(drainMs)]);
}
