import { closeSync, openSync } from 'node:fs';

/** Calls this at every SIGUSR2, which would otherwise end the process. */
export function onRestartSignal(restart: () => void): void {
  process.on('SIGUSR2', restart);
}

/** Calls this at every SIGHUP. Where that is the farewell of the terminal that the program runs on, the program stops. */
export function onReloadSignal(reload: () => void): void {
  const runsOnTerminal = process.stderr.isTTY;
  process.on('SIGHUP', () => {
    if (runsOnTerminal && !hasTerminal()) process.kill(process.pid, 'SIGTERM');
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
 * Resolves with the first SIGTERM or SIGINT. A second one ends the process at once, for those who won't wait for the
 * drain.
 */
export function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let asked = false;
    const onSignal = (signal: NodeJS.Signals): void => {
      if (asked) process.exit(1);
      asked = true;
      resolve(signal);
    };
    process.on('SIGTERM', onSignal);
    process.on('SIGINT', onSignal);
  });
}
