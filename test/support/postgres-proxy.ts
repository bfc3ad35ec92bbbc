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
  mend(): void;
  stop(): Promise<void>;
}

/** Starts a hop to the PostgreSQL that listens on this port of 127.0.0.1. The caller stops it. */
export async function startPostgresProxy(targetPort: number): Promise<PostgresProxy> {
  const statements: SentStatement[] = [];
  const sockets = new Set<Socket>();
  let isCut = false;
  const server = createServer((client) => {
    if (isCut) {
      client.destroy();
      return;
    }
    const target = connect(targetPort, '127.0.0.1');
    watchStatements(client, statements);
    for (const [socket, other] of [
      [client, target],
      [target, client],
    ] as const) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
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
      isCut = true;
      breakAll();
    },
    mend() {
      isCut = false;
    },
    async stop() {
      const closed = once(server, 'close');
      server.close();
      breakAll();
      await closed;
    },
  };
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
