import { closeSync, openSync } from 'node:fs';

/** Calls `restart` on every SIGUSR2, which would otherwise end the process. */
export function onRestartSignal(restart: () => void): void {
  process.on('SIGUSR2', restart);
}

/** Calls `reload` on every SIGHUP. If the signal is due to the closing of the program's terminal, the program stops. */
export function onReloadSignal(reload: () => void): void {
  const runsOnTerminal = process.stderr.isTTY;
  process.on('SIGHUP', () => {
    if (runsOnTerminal && !hasTerminal()) process.kill(process.pid, 'SIGINT');
    else reload();
  });
}

function hasTerminal(): boolean {
  try {
    closeSync(openSync('/dev/tty', 'r'));
    return true;
  } catch {
    return false;
  }
}

/**
 * SIGTERM and SIGINT. The first signal requests a stop. A later one ends the process immediately, unless `next` waits
 * for it.
 */
export class StopSignals {
  readonly first: Promise<NodeJS.Signals>;
  #listener: ((signal: NodeJS.Signals) => void) | null = null;

  constructor() {
    this.first = this.next();
    const onSignal = (signal: NodeJS.Signals): void => {
      const listener = this.#listener;
      this.#listener = null;
      if (listener === null) process.exit(1);
      listener(signal);
    };
    process.on('SIGTERM', onSignal);
    process.on('SIGINT', onSignal);
  }

  /** Resolves with the next signal. Only the promise of the latest call resolves. */
  next(): Promise<NodeJS.Signals> {
    return new Promise((resolve) => {
      this.#listener = resolve;
    });
  }
}

/**
 * Exits after this time if the process has not ended by itself, with its current exit code, or 1. A forgotten handle or
 * retry that keeps the process alive is a bug, which must not block a deployment.
 */
export function endAtLatest(afterMs: number): void {
  setTimeout(() => {
    process.stderr.write('faregate: the stop took too long, so the process exits now; the next start recovers\n');
    process.exit(process.exitCode ?? 1);
  }, afterMs).unref();
}
