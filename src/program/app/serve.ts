import { startApp } from './app.ts';
import { SettingsInForce } from '../../config/settings.ts';
import { startSupervisor } from './supervise.ts';
import type { Config } from '../../config/config.ts';
import { processEnvironment } from '../../config/environment.ts';
import { programCommand } from '../../config/program-command.ts';
import { banner, commandHere } from './banner.ts';
import { startConfigReloader } from './reloading.ts';
import { openDataDirectory } from '../process/data-directory.ts';
import { endAtLatest, onReloadSignal, onRestartSignal, StopSignals } from '../process/signals.ts';
import { SystemClock } from '../../lib/clock.ts';
import { createLog } from '../telemetry/log.ts';
import { OutageLog } from '../telemetry/outage-log.ts';

/** The time for a stop beyond the configured timeouts, after which the process exits. */
const UNWINDING_MS = 30_000;

/** The app failed while serving. */
export class ServeFault extends Error {
  override readonly name = 'ServeFault';
}

/**
 * Serves until a signal requests a stop. `read` reads a changed configuration. @throws a fault whose message is one
 * line if it can't start or continue
 */
export async function serve(config: Config, read: () => Promise<Config>): Promise<void> {
  const signals = new StopSignals();
  let { timeouts } = config;
  const endInTime = (): void => endAtLatest(timeouts.lameDuckMs + timeouts.drainMs + UNWINDING_MS);
  signals.first.then(endInTime, () => undefined);
  let reload = (): void => undefined;
  onReloadSignal(() => reload());
  const clock = new SystemClock();
  const log = new OutageLog(createLog(config.logLevel), clock);
  const directory = await openDataDirectory(config.dataDirectory);
  try {
    const start = config.server.workers > 1 ? startSupervisor : startApp;
    const settings = new SettingsInForce(config);
    const app = await start({ config, directory, log, settings });
    onRestartSignal(() => app.restart());
    const adopt = async (next: Config): Promise<void> => {
      await app.adopt(next);
      ({ timeouts } = next);
    };
    const reloading = startConfigReloader({ config, read, adopt, settings, log, clock });
    reload = () => reloading.reload();
    app.onOfferChange(() => reloading.offerChanged());
    process.stdout.write(
      banner({
        ...app.banner,
        command: commandHere(programCommand(processEnvironment()), config.dataDirectory, process.cwd()),
      }),
    );
    const failed = app.failed.then((reason) => new ServeFault(reason));
    const end = await Promise.race([signals.first, failed]);
    log.info({ end: String(end) }, 'stopping');
    const isGentle = end === 'SIGTERM' && timeouts.lameDuckMs > 0;
    const hurried = isGentle ? signals.next().then(() => undefined) : null;
    await whileAlive(reloading.stop().then(() => app.stop(hurried)));
    if (end instanceof ServeFault) throw end;
  } catch (fault) {
    endInTime();
    throw fault;
  } finally {
    await directory.release();
  }
}

/**
 * Waits with a timer that keeps the process alive: other timers don't, and a process that ends in the middle of its
 * stop loses work.
 */
async function whileAlive(work: Promise<void>): Promise<void> {
  const alive = setInterval(() => undefined, 1_000);
  try {
    await work;
  } finally {
    clearInterval(alive);
  }
}
