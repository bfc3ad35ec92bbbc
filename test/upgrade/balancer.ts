import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

// A load balancer as simple as one can be: it hands each connection to a backend that is ready, in turn, and never sends a
// request a second time.

/** A place for a program, which moves between the places' restarts. */
export interface Backend {
  /** Where the program listens; null: none runs. */
  port: number | null;
  /** Whether its last health check succeeded. */
  isReady: boolean;
}

export interface Balancer {
  readonly url: string;
  /** The connections that a backend has now, by the ports of their clients. */
  connectionsOf(backend: Backend): readonly number[];
  stop(): Promise<void>;
}

/** At least twice within the shortest `timeouts.lame_duck` that it is used with. */
const CHECK_MS = 200;
const CHECK_MS_MAX = 1_000;

/** Starts it on a free port. The caller stops it. */
export async function startBalancer(backends: readonly Backend[]): Promise<Balancer> {
  const open = new Map<Socket, { readonly backend: Backend; readonly clientPort: number }>();
  let turn = 0;
  const next = (passedOver: readonly Backend[]): Backend | undefined => {
    const running = backends.filter((backend) => backend.port !== null && !passedOver.includes(backend));
    const ready = running.filter(({ isReady }) => isReady);
    // While none is ready, a check that was late on a busy machine is the likeliest reason.
    const fit = ready.length > 0 ? ready : running;
    turn += 1;
    return fit[turn % Math.max(fit.length, 1)];
  };
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    client.pause();
    client.on('error', () => undefined);
    join(client, []);
  });
  /** A backend that takes no connection is passed over: nothing was sent to it. */
  const join = (client: Socket, passedOver: readonly Backend[]): void => {
    const backend = next(passedOver);
    if (backend === undefined || backend.port === null) return void client.destroy();
    const socket = connect({ host: '127.0.0.1', port: backend.port, allowHalfOpen: true, noDelay: true });
    const retry = (): void => {
      open.delete(socket);
      join(client, [...passedOver, backend]);
    };
    open.set(socket, { backend, clientPort: client.remotePort ?? 0 });
    socket.once('error', retry);
    socket.once('connect', () => {
      socket.off('error', retry).on('error', () => client.destroy());
      client.once('close', () => socket.destroy());
      socket.once('close', () => {
        open.delete(socket);
        client.destroy();
      });
      client.pipe(socket).pipe(client);
    });
  };
  const check = async (backend: Backend): Promise<void> => {
    const { port } = backend;
    if (port === null) return void (backend.isReady = false);
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`, {
      headers: { connection: 'close' },
      signal: AbortSignal.timeout(CHECK_MS_MAX),
    }).catch(() => null);
    await answer?.text().catch(() => undefined);
    backend.isReady = answer?.status === 200 && backend.port === port;
  };
  const checking = setInterval(() => backends.forEach((backend) => void check(backend)), CHECK_MS);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    connectionsOf: (backend) =>
      [...open.values()].filter((each) => each.backend === backend).map(({ clientPort }) => clientPort),
    async stop() {
      clearInterval(checking);
      for (const socket of open.keys()) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
