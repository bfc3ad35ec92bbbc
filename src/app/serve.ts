import { startApp } from './app.ts';
import { startSupervisor } from './supervise.ts';
import type { Config } from '../config/config.ts';
import { banner, commandHere } from './banner.ts';
import { startReloading } from './reloading.ts';
import { openDataDirectory } from '../process/data-directory.ts';
import { onReloadSignal, onRestartSignal, stopSignal } from '../process/signals.ts';
import { createLog } from '../telemetry/log.ts';

/** The app could not go on, though nobody told it to stop. */
export class ServeFault extends Error {
  override readonly name = 'ServeFault';
}

/**
 * Serves until a signal says to stop. `read` reads the configuration anew, for when it has changed.
 * @throws a fault with one line to read where it can't start or go on
 */
export async function serve(config: Config, read: () => Config): Promise<void> {
  const stopped = stopSignal();
  let reload = (): void => undefined;
  onReloadSignal(() => reload());
  const log = createLog(config.logLevel);
  const directory = await openDataDirectory(config.dataDirectory);
  try {
    const start = config.server.workers > 1 ? startSupervisor : startApp;
    const app = await start(config, directory, log);
    onRestartSignal(() => app.restart());
    const reloading = startReloading({ config, read, adopt: (next) => app.adopt(next), log });
    reload = () => reloading.reload();
    process.stdout.write(banner({ ...app.banner, command: commandHere(config.dataDirectory, process.cwd()) }));
    const failure = await Promise.race([stopped.then(() => null), app.failed]);
    log.info({ failure }, 'stopping');
    await whileAlive(reloading.stop().then(() => app.stop()));
    if (failure !== null) throw new ServeFault(failure);
  } finally {
    await directory.release();
  }
}

/** Waits with a timer of its own: others' keep no process alive, and one that ends in the middle of its stop loses work. */
async function whileAlive(work: Promise<void>): Promise<void> {
  const alive = setInterval(() => undefined, 1_000);
  try {
    await work;
  } finally {
    clearInterval(alive);
  }
}
