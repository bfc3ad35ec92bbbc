import { Socket } from 'node:net';
import pg from 'pg';
import type { Clock } from '../../lib/clock.ts';

// The addresses and sockets of connections to PostgreSQL.

/** A URL, or the socket of the embedded server. */
export type DatabaseConnection = (
  | { readonly url: string }
  | { readonly socketDirectory: string; readonly user: string; readonly database: string }
) & {
  /** Absent or null: the one in which the database itself makes tables for this user, usually `public`. */
  readonly schema?: string | null;
};

/** The driver's settings for the embedded server. */
export function socketConfig(connection: Exclude<DatabaseConnection, { readonly url: string }>): pg.ClientConfig {
  const { socketDirectory, user, database } = connection;
  return { host: socketDirectory, port: 5432, user, database, ssl: false };
}

/** Opens a new connection, and resolves to whether the database sends any response within this time, even a refusal. */
export async function isResponsive(
  config: pg.ClientConfig,
  withinMs: number,
  clock: Pick<Clock, 'after'>,
): Promise<boolean> {
  const socket = new Socket();
  const cancelDeadline = clock.after(withinMs, () => socket.destroy(new Error('no answer in time')));
  const client = new pg.Client({ ...config, stream: () => socket });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
    await client.end();
    return true;
  } catch (error) {
    return error instanceof pg.DatabaseError;
  } finally {
    cancelDeadline();
    socket.destroy();
  }
}

/** The sockets of a pool, including those still connecting, so that all can be destroyed together. */
export class Sockets {
  readonly #open = new Set<Socket>();
  #bytesOfClosed = 0;
  #isBarred = false;

  /** The bytes received by all sockets so far. */
  get bytesRead(): number {
    let bytes = this.#bytesOfClosed;
    for (const socket of this.#open) bytes += socket.bytesRead;
    return bytes;
  }

  /** Creates a socket for the driver to connect. */
  readonly make = (): Socket => {
    const socket = new Socket();
    this.#open.add(socket);
    socket.once('close', () => {
      this.#open.delete(socket);
      this.#bytesOfClosed += socket.bytesRead;
    });
    // Listen only then: the driver connects it first.
    if (this.#isBarred) setImmediate(() => socket.destroy(silence()));
    return socket;
  };

  /** Destroys all sockets, and each that is created from now on. */
  bar(): void {
    this.#isBarred = true;
    for (const socket of this.#open) socket.destroy(silence());
  }

  /** Destroys all sockets, and allows new ones. */
  reset(): void {
    this.bar();
    this.unbar();
  }

  /** Allows new sockets again. */
  unbar(): void {
    this.#isBarred = false;
  }
}

function silence(): Error {
  return new Error('the database does not respond');
}
