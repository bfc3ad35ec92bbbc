import { Catalogue } from '../../control/catalogue/catalogue.ts';
import type { Config, ModelConfig } from '../../config/config.ts';
import { takeSocket } from '../http/listening-socket.ts';
import { SystemClock } from '../../lib/clock.ts';
import type { Sql } from '../../lib/sql.ts';
import { PROGRAM_VERSION } from '../../lib/program-version.ts';
import { together } from '../../lib/together.ts';
import type { DataDirectory } from '../process/data-directory.ts';
import { Supervisor, type WorkerTerms } from '../process/supervisor.ts';
import { forkWorker } from '../process/worker-process.ts';
import { addCounts } from '../telemetry/metrics.ts';
import { startAlertWatch } from './alerts.ts';
import { type App, closeQuietly, type StartParts } from './app.ts';
import { type BannerFacts, setUpUrlOf } from './banner.ts';
import { openInstance } from './open-instance.ts';
import { embeddedShare, embeddedWorkersProblem } from './embedded-share.ts';
import { startHousekeeping } from './housekeeping.ts';
import { startEncryption } from './keyring.ts';
import { NOTHING_SOLD, readNextOffer } from './next-offer.ts';
import { startOutbox } from './notices.ts';
import { startPaymentJobs } from './payments.ts';
import { type Offer, readBaseOffer } from './offer.ts';
import { reclaimEpochs } from './spending.ts';
import { startRecordSinks } from './sinks.ts';
import { openStorage, type Storage } from './storage.ts';
import { startMoves } from './moves.ts';
import { startSchedules } from './schedules.ts';
import { startUsageCounting } from './usage-counting.ts';
import type { WorkerOrders } from './worker.ts';

const WORKER = new URL('./worker-entry.ts', import.meta.url);

/**
 * Starts several workers that share the port, and owns what they share: the data directory, the socket, the database,
 * regular work. Serves no request itself. @throws a fault whose message is one line
 */
export async function startSupervisor(parts: StartParts): Promise<App> {
  const closing = new AsyncDisposableStack();
  try {
    return await startOn(closing, parts);
  } catch (fault) {
    await closeQuietly(closing, parts.log);
    throw fault;
  }
}

async function startOn(closing: AsyncDisposableStack, { config, directory, log, settings }: StartParts): Promise<App> {
  const { workers } = config.server;
  const problem = config.database.url === null ? embeddedWorkersProblem(workers) : null;
  if (problem !== null) throw new StartFault(problem);
  const socket = await takeSocket(config.server.host, config.server.port);
  closing.defer(() => socket.close());
  const [storage, base] = await Promise.all([openStorage(config, directory, log), readBaseOffer(config)]);
  closing.defer(() => storage.stop());
  closing.defer(log.watch(() => storage.database.ping()));
  const { database: sql, control, pacer } = storage;
  const instance = await openInstance(storage, base, { config, directory, log, closing });
  const { keyring, offer, priced, recovered, setUpSecret, onOfferChange } = instance;
  const [firstKey] = await together(priced, recovered);
  let running = offer;
  const supervisor = new Supervisor({
    version: PROGRAM_VERSION,
    count: workers,
    ...termsFor(config, directory, storage, offer),
    fork: () => forkWorker(WORKER, socket.descriptor),
    reclaim: (epochIds, stopping) => reclaimEpochs(directory, { sql, log }, { epochIds, stopping }),
    onDeath: (death) => log.error({ ...death }, 'a worker died; a replacement starts'),
    onFault: (fault) => log.error({ err: fault }, 'the supervisor failed'),
    settings: () => settings.report(),
    addUp: (departed, last) => addCounts([departed, last]),
  });
  closing.defer(() => supervisor.stop(null));
  const failed = Promise.race([storage.lost, supervisor.failed]);
  const [models, failure] = await Promise.all([
    modelsOnSale(sql, offer.models),
    Promise.race([supervisor.start(), failed]),
  ]);
  if (failure !== undefined) throw new StartFault(failure);
  if (models.length === 0) log.warn({}, NOTHING_SOLD);
  await directory.writeAddress(socket.url);
  startHousekeeping({ config, sql: control, log, closing });
  startEncryption({ sql: control, keyring, log, closing });
  startMoves({ config, sql: control, pacer: storage.pacer, keyring, log, closing });
  startAlertWatch({ config, sql: control, pacer: storage.pacer, log, closing });
  startOutbox({ config, sql: control, keyring, log, closing });
  startUsageCounting({ sql: control, pacer, log, closing });
  startRecordSinks({ config, sql: control, pacer, log, closing });
  startSchedules({ config, home: directory, sql: control, pacer, log, closing });
  await startPaymentJobs({ config, sql: control, log, closing });
  return {
    banner: {
      url: socket.url,
      firstKey,
      setUpUrl: setUpUrlOf(config.server.publicUrl ?? socket.url, await setUpSecret),
      models,
      ...offer.found,
    },
    failed,
    adopt: async (next) => {
      running = await readNextOffer(storage, running, { config: next, keyring, log });
      supervisor.change(termsFor(next, directory, storage, running));
    },
    onOfferChange,
    stop: async (hurried) => {
      // The port stays open while workers accept. After that, connections must be refused instead of waiting in its
      // queue.
      socket.close();
      await supervisor.stop(hurried);
      await closing.disposeAsync();
    },
    restart: () => void supervisor.restart(),
  };
}

/** The workers could not start; the message is the reason. */
class StartFault extends Error {
  override readonly name = 'StartFault';
}

async function modelsOnSale(sql: Sql, configured: readonly ModelConfig[]): Promise<BannerFacts['models']> {
  const catalogue = new Catalogue({ sql, clock: new SystemClock(), configured, onFault: () => undefined });
  await catalogue.reload();
  catalogue.stop();
  return catalogue.list().map(({ id, terms }) => ({ id, kind: terms.kind }));
}

/** What workers start with, and which parts a reload changes. */
function termsFor(config: Config, directory: DataDirectory, storage: Storage, offer: Offer): WorkerTerms {
  const { path, instanceId, operatorToken } = directory;
  const { kind, connection } = storage;
  const limits = kind === 'embedded' ? embeddedShare(config) : config.database;
  const home = { path, instanceId, operatorToken };
  const orders: WorkerOrders = { config, home, offer, database: { kind, connection, limits } };
  const { lameDuckMs, drainMs } = config.timeouts;
  return { orders, lameDuckMs, drainMs };
}
