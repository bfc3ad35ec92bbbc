import { isDeepStrictEqual } from 'node:util';
import { ConfigFault } from '../../config/config-fault.ts';
import type { Config } from '../../config/config.ts';
import { watchFile } from '../../config/file-watch.ts';
import type { SettingsInForce } from '../../config/settings.ts';
import { takeOver } from '../../config/take-over.ts';
import type { Clock } from '../../lib/clock.ts';
import { LatestTask } from '../../lib/latest-task.ts';
import { DatabaseUnavailable } from '../../lib/sql.ts';
import type { LeveledLog } from '../telemetry/log.ts';

/** The pause before a failed reload is retried. */
export const RETRY_MS = 2_000;

interface ConfigReloaderParts {
  /** The configuration at the start. */
  readonly config: Config;
  /** Reads the configuration as it is now. @throws ConfigFault */
  readonly read: () => Promise<Config>;
  readonly adopt: (config: Config) => Promise<void>;
  /** Notified of the result of each reload. */
  readonly settings: SettingsInForce;
  readonly log: LeveledLog;
  readonly clock: Clock;
}

export interface ConfigReloader {
  /** Reloads the configuration even if its file is unchanged, since files that it refers to may have changed. */
  reload(): void;
  /** Adopts the running configuration again, since what the database offers beside it has changed. */
  offerChanged(): void;
  stop(): Promise<void>;
}

type Reason = 'requested' | 'changed' | 'offer';

/** Runs for all reasons that have come since the last run. Those that come during a run, or of one that failed, are not lost. */
class Reasons {
  readonly #run: (reasons: readonly Reason[]) => Promise<void>;
  readonly #waiting = new Set<Reason>();

  constructor(run: (reasons: readonly Reason[]) => Promise<void>) {
    this.#run = run;
  }

  add(reason: Reason): void {
    this.#waiting.add(reason);
  }

  /** Whether a run waits for this reason alone. */
  areOnly(reason: Reason): boolean {
    return this.#waiting.size === 1 && this.#waiting.has(reason);
  }

  async run(): Promise<void> {
    const reasons = [...this.#waiting];
    this.#waiting.clear();
    try {
      await this.#run(reasons);
    } catch (fault) {
      for (const reason of reasons) this.#waiting.add(reason);
      throw fault;
    }
  }
}

/**
 * Reloads the configuration on request and whenever its file changes. A file with a mistake changes nothing. Changed
 * settings that need a restart are logged.
 */
export function startConfigReloader({
  config,
  read,
  adopt,
  settings,
  log,
  clock,
}: ConfigReloaderParts): ConfigReloader {
  let running = config;

  const reasons = new Reasons(async (why) => {
    if (why.includes('offer')) {
      await adopt(running);
      log.info({}, 'providers and models of the database reloaded');
    }
    if (why.includes('requested') || why.includes('changed')) await reload(why.includes('requested'));
  });
  const reload = async (isRequested: boolean): Promise<void> => {
    const found = await readOrReport(read, running, { settings, log });
    if (found === null) return;
    const { config: next, left } = takeOver(running, found);
    if (isRequested || !isDeepStrictEqual(next, running)) {
      await adopt(next);
      running = next;
      log.level = next.logLevel;
      log.info({ providers: next.providers.length, models: next.models.length }, 'config reloaded');
    }
    settings.adopted(running, found, left);
    if (left.length > 0) log.warn({ settings: left }, 'these changed settings take effect at the next start');
  };

  const onFault = (fault: unknown): void => {
    const isKnown = fault instanceof ConfigFault || fault instanceof DatabaseUnavailable;
    // The file is as it was.
    if (!reasons.areOnly('offer'))
      settings.failed(`${isKnown ? fault.message : 'the reload failed, as the log says'}; it is tried again`);
    log.warn({ err: fault }, 'config reload failed; will retry');
  };
  const task = new LatestTask<null>({ clock, run: () => reasons.run(), onFault, retryMs: RETRY_MS });
  const submit = (reason: Reason): void => {
    reasons.add(reason);
    task.submit(null);
  };
  const unwatch = watchFile(config.filePlace, config.file !== null, clock, () => submit('changed'));
  return {
    reload: () => submit('requested'),
    offerChanged: () => submit('offer'),
    stop: async () => {
      unwatch();
      await task.stop();
    },
  };
}

/** The configuration as it is now; null, which is reported, if it has a mistake or has gone. */
async function readOrReport(
  read: () => Promise<Config>,
  running: Config,
  { settings, log }: Pick<ConfigReloaderParts, 'settings' | 'log'>,
): Promise<Config | null> {
  try {
    const found = await read();
    if (found.file !== null || running.file === null) return found;
    settings.failed(`${running.file} does not exist; put it back`);
    log.error(
      { file: running.file },
      'config reload failed: the file does not exist. The former configuration stays in force',
    );
    return null;
  } catch (fault) {
    if (!(fault instanceof ConfigFault)) throw fault;
    settings.failed(fault.message);
    log.error(
      { problem: fault.message },
      'config reload failed: the file has a mistake. The former configuration stays in force',
    );
    return null;
  }
}
