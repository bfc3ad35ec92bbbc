/** Calls this at every SIGUSR2, which would otherwise end the process. */
export function onRestartSignal(restart: () => void): void {
  process.on('SIGUSR2', restart);
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
