import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { FromWorker, ToWorker } from './worker-messages.ts';
import { faultMessage } from '../../lib/fault-message.ts';

/** The descriptor of the inherited listening socket: after the three standard ones and that of the messages. */
export const SOCKET_DESCRIPTOR = 4;

/** One worker, as its supervisor sees it. */
export interface WorkerProcess {
  readonly pid: number;
  /** Resolves once it has ended and all its messages are handled, with the signal or the exit code (`code 1`). */
  readonly ended: Promise<string>;
  /** Sends a message; ignored if the worker has ended. */
  send(message: ToWorker): void;
  onMessage(listener: (message: FromWorker) => void): void;
  /** Kills it. */
  kill(): void;
}

/**
 * Starts a worker that inherits the socket. Its orders are sent as a message, because other users may read arguments
 * and environment.
 */
export function forkWorker(entry: URL, socketDescriptor: number): WorkerProcess {
  const child = fork(fileURLToPath(entry), {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc', socketDescriptor],
    serialization: 'advanced',
  });
  const exited = once(child, 'exit').then(
    ([code, signal]: (number | string | null)[]) => (signal === null ? `code ${code}` : String(signal)),
    (fault: unknown) => `it could not be started: ${faultMessage(fault)}`,
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
