import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { MessageReader, type PostgresMessage } from './postgres-messages.ts';

// A hop between the program and its database that sees every statement, and that can be cut.

/** A statement as a client sent it. */
export interface SentStatement {
  readonly text: string;
  /** On performance.now()'s scale. */
  readonly atMs: number;
}

export interface PostgresProxy {
  readonly port: number;
  /** The statements so far, oldest first. */
  readonly statements: readonly SentStatement[];
  /** Breaks every connection, and each new one at once, until it is mended. */
  cut(): void;
  /**
   * Swallows all that is sent, either way, and what new connections send, until it is mended. Nobody is told, and the
   * connections of that time stay dead for good.
   */
  swallow(): void;
  mend(): void;
  stop(): Promise<void>;
}

/** Starts a hop to the PostgreSQL that listens on this port of 127.0.0.1, or on this Unix socket. The caller stops it. */
export async function startPostgresProxy(target: number | { readonly path: string }): Promise<PostgresProxy> {
  const statements: SentStatement[] = [];
  const sockets = new Set<Socket>();
  let state: 'whole' | 'cut' | 'swallowing' = 'whole';
  const keep = (socket: Socket): void => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
  };
  const server = createServer((client) => {
    keep(client);
    if (state === 'cut') client.destroy();
    if (state !== 'whole') return;
    const hop = typeof target === 'number' ? connect(target, '127.0.0.1') : connect(target.path);
    keep(hop);
    watchStatements(client, statements);
    join(client, hop);
    join(hop, client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const breakAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    statements,
    cut() {
      state = 'cut';
      breakAll();
    },
    swallow() {
      state = 'swallowing';
      for (const socket of sockets) socket.unpipe().removeAllListeners('close').pause();
    },
    mend() {
      state = 'whole';
    },
    async stop() {
      const closed = once(server, 'close');
      server.close();
      breakAll();
      await closed;
    },
  };
}

/** Passes on what comes, and its end. */
function join(from: Socket, to: Socket): void {
  from.setNoDelay(true);
  from.on('close', () => to.destroy());
  from.pipe(to);
}

function watchStatements(client: Socket, statements: SentStatement[]): void {
  const reader = new MessageReader('client');
  let parsed = '';
  const note = ({ type, body }: PostgresMessage): void => {
    if (type === 'P') parsed = textAt(body, textAt(body, 0).length + 1);
    if (type === 'Q') statements.push({ text: textAt(body, 0), atMs: performance.now() });
    if (type === 'E') statements.push({ text: parsed, atMs: performance.now() });
  };
  client.on('data', (bytes: Buffer) => {
    for (const message of reader.push(bytes)) note(message);
  });
}

function textAt(body: Buffer, start: number): string {
  return body.toString('utf8', start, body.indexOf(0, start));
}
