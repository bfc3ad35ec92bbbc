import { closeSync, openSync } from 'node:fs';

/** Calls this at every SIGUSR2, which would otherwise end the process. */
export function onRestartSignal(restart: () => void): void {
  process.on('SIGUSR2', restart);
}

/**
 * Calls this at every SIGHUP. If that is the farewell of the terminal that the program runs on, the program stops.
 */
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
 * SIGTERM and SIGINT. The first one asks for a stop. A later one ends the process immediately, unless `next` was called
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

  /** Resolves with the next signal. Only the latest call is answered. */
  next(): Promise<NodeJS.Signals> {
    return new Promise((resolve) => {
      this.#listener = resolve;
    });
  }
}

/**
 * Ends this process if it still lives after this time, with the exit code that it has by then, or 1. For a process that
 * should end by itself: a handle or a retry that keeps it alive is a fault, which must not block a deployment.
 */
export function endAtLatest(afterMs: number): void {
  setTimeout(() => {
    process.stderr.write('faregate: the stop took too long, so the process exits now; the next start recovers\n');
    process.exit(process.exitCode ?? 1);
  }, afterMs).unref();
}
