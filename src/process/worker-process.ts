import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { FromWorker, ToWorker } from './worker-messages.ts';

/**
 * The descriptor under which a worker finds the socket to listen on: after the three standard ones and the messages'.
 */
export const SOCKET_DESCRIPTOR = 4;

/** One worker, as its supervisor sees it. */
export interface WorkerProcess {
  readonly pid: number;
  /** Resolves once it is gone and all its messages are handled, with its end: a signal, or `code 1`. */
  readonly ended: Promise<string>;
  /** Sends it a message; a worker that is gone doesn't get it. */
  send(message: ToWorker): void;
  onMessage(listener: (message: FromWorker) => void): void;
  /** Kills it. */
  kill(): void;
}

/**
 * Starts a worker that inherits the socket. Its orders go as a message: its arguments and environment, which others may
 * read, say nothing of them.
 */
export function forkWorker(entry: URL, socketDescriptor: number): WorkerProcess {
  const child = fork(fileURLToPath(entry), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc', socketDescriptor],
    serialization: 'advanced',
  });
  const exited = once(child, 'exit').then(
    ([code, signal]: (number | string | null)[]) => (signal === null ? `code ${code}` : String(signal)),
    (fault: unknown) => `it could not be started: ${fault instanceof Error ? fault.message : String(fault)}`,
  );
  const silent = child.connected ? once(child, 'disconnect').catch(() => undefined) : Promise.resolve();
  return {
    pid: child.pid ?? 0,
    ended: Promise.all([exited, silent]).then(([how]) => how),
    send: (message) => {
      if (child.connected) child.send(message, () => undefined);
    },
    onMessage: (listener) => {
      child.on('message', (message) => listener(message as unknown as FromWorker));
    },
    kill: () => {
      child.kill('SIGKILL');
    },
  };
}
