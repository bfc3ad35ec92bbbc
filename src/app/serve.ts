import { startApp } from './app.ts';
import { startSupervisor } from './supervise.ts';
import type { Config } from '../config/config.ts';
import { banner } from './banner.ts';
import { openDataDirectory } from '../process/data-directory.ts';
import { onRestartSignal, stopSignal } from '../process/signals.ts';
import { createLog } from '../telemetry/log.ts';

/** The app could not go on, though nobody told it to stop. */
export class ServeFault extends Error {
  override readonly name = 'ServeFault';
}

/** Serves until a signal says to stop. @throws a fault with one line to read where it can't start or go on */
export async function serve(config: Config): Promise<void> {
  const stopped = stopSignal();
  const log = createLog(config.logLevel);
  const directory = await openDataDirectory(config.dataDirectory);
  try {
    const start = config.server.workers > 1 ? startSupervisor : startApp;
    const app = await start(config, directory, log);
    onRestartSignal(() => app.restart());
    process.stdout.write(banner(app.banner));
    const failure = await Promise.race([stopped.then(() => null), app.failed]);
    log.info({ failure }, 'stopping');
    await whileAlive(app.stop());
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
