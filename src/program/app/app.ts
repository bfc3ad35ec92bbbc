import { NO_WORKERS } from '../../control/admin/instance-routes.ts';
import type { Config } from '../../config/config.ts';
import type { SettingsInForce } from '../../config/settings.ts';
import type { DataDirectory } from '../process/data-directory.ts';
import type { Log } from '../telemetry/log.ts';
import type { OutageLog } from '../telemetry/outage-log.ts';
import { type BannerFacts, setUpUrlOf } from './banner.ts';
import { startAlertWatch } from './alerts.ts';
import { readBaseOffer } from './offer.ts';
import { retire } from './end-serving.ts';
import { startGateway } from './gateway.ts';
import { startHousekeeping } from './housekeeping.ts';
import { startEncryption } from './keyring.ts';
import { NOTHING_SOLD, readNextOffer } from './next-offer.ts';
import { openInstance } from './open-instance.ts';
import { startOutbox } from './notices.ts';
import { startPaymentJobs } from './payments.ts';
import { startRecordSinks } from './sinks.ts';
import { openStorage } from './storage.ts';
import { startMoves } from './moves.ts';
import { startSchedules } from './schedules.ts';
import { startUsageCounting } from './usage-counting.ts';
import { startWarmUp } from './warm-up/warm-up.ts';

/** A serving gateway. */
export interface App {
  readonly banner: Omit<BannerFacts, 'command'>;
  /** Resolves with the reason if the app can't continue. */
  readonly failed: Promise<string>;
  /**
   * Ends serving, settles, releases all leases and closes everything that was opened. It first continues to serve,
   * unready, until load balancers have noticed or `hurried` resolves; null: it refuses new requests immediately.
   */
  stop(hurried: Promise<void> | null): Promise<void>;
  /**
   * Applies the settings of a changed configuration that can change while requests run. @throws DatabaseUnavailable,
   * ConfigFault
   */
  adopt(config: Config): Promise<void>;
  /** Calls back when what the database offers has changed. */
  onOfferChange(listener: () => void): void;
  /** Replaces the serving processes one by one while the others serve, if there are several. */
  restart(): void;
}

/** What an app starts with. */
export interface StartParts {
  readonly config: Config;
  readonly directory: DataDirectory;
  readonly log: OutageLog;
  /** The settings as the reloader knows them. */
  readonly settings: Pick<SettingsInForce, 'report'>;
}

/** Starts all parts in this process, in the order of their dependencies. @throws a fault whose message is one line */
export async function startApp({ config, directory, log, settings }: StartParts): Promise<App> {
  const closing = new AsyncDisposableStack();
  const failure = Promise.withResolvers<string>();
  try {
    // While the database starts.
    const warm = startWarmUp(config, log, closing);
    const [storage, base] = await Promise.all([openStorage(config, directory, log), readBaseOffer(config)]);
    closing.defer(() => storage.stop());
    closing.defer(log.watch(() => storage.database.ping()));
    storage.lost.then(failure.resolve, failure.reject);
    const instance = await openInstance(storage, base, { config, directory, log, closing });
    const { keyring, offer, priced, recovered, setUpSecret, onOfferChange } = instance;
    const parts = {
      config,
      keyring,
      home: directory,
      log,
      closing,
      fail: failure.resolve,
      settings: () => Promise.resolve(settings.report()),
      mayBegin: recovered,
      priced,
    };
    const gateway = await startGateway(storage, offer, parts);
    const { front, models } = gateway;
    await warm();
    const url = await front.listen(config.server);
    await directory.writeAddress(url);
    startHousekeeping({ config, sql: storage.control, log, closing });
    startEncryption({ sql: storage.control, keyring, log, closing });
    startMoves({ config, sql: storage.control, pacer: storage.pacer, keyring, log, closing });
    startAlertWatch({ config, sql: storage.control, pacer: storage.pacer, log, closing });
    startOutbox({ config, sql: storage.control, keyring, log, closing });
    startUsageCounting({ sql: storage.control, pacer: storage.pacer, log, closing });
    startRecordSinks({ config, sql: storage.control, pacer: storage.pacer, log, closing });
    startSchedules({ config, home: directory, sql: storage.control, pacer: storage.pacer, log, closing });
    await startPaymentJobs({ config, sql: storage.control, log, closing });
    if (models.length === 0) log.warn({}, NOTHING_SOLD);
    let { timeouts } = config;
    let running = offer;
    const adopt = async (next: Config): Promise<void> => {
      running = await readNextOffer(storage, running, { config: next, keyring, log });
      await gateway.adopt(next, running);
      ({ timeouts } = next);
    };
    const stop = async (hurried: Promise<void> | null): Promise<void> => {
      await (hurried === null ? front.drain(timeouts.drainMs) : retire(front, timeouts, hurried));
      await closing.disposeAsync();
    };
    const restart = (): void => log.warn({}, NO_WORKERS);
    const setUpUrl = setUpUrlOf(config.server.publicUrl ?? url, await setUpSecret);
    const banner = { url, firstKey: await priced, setUpUrl, models, ...offer.found };
    return { banner, failed: failure.promise, adopt, onOfferChange, stop, restart };
  } catch (fault) {
    await closeQuietly(closing, log);
    throw fault;
  }
}

/** Closes the opened parts after a failed start. Errors are only logged: the start's own failure matters more. */
export async function closeQuietly(closing: AsyncDisposableStack, log: Log): Promise<void> {
  await closing
    .disposeAsync()
    .catch((error: unknown) => log.debug({ err: error }, 'closing a part after a failed start failed'));
}
