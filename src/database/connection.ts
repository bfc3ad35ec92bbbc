import { Socket } from 'node:net';
import pg from 'pg';
import type { Clock } from '../lib/clock.ts';

// How connections to PostgreSQL are made.

/** A URL, or the socket of the embedded server. */
export type DatabaseConnection =
  | { readonly url: string }
  | { readonly socketDirectory: string; readonly user: string; readonly database: string };

/** Its settings for the driver. */
export function connectionConfig(connection: DatabaseConnection): pg.ClientConfig {
  if ('url' in connection) return { connectionString: connection.url };
  const { socketDirectory, user, database } = connection;
  return { host: socketDirectory, port: 5432, user, database, ssl: false };
}

/** Opens a new connection, and resolves whether the database answers at all within this time, even with a refusal. */
export async function isHeard(
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

/** The sockets of a pool, so that all of them can be dropped together, including those still connecting. */
export class Sockets {
  readonly #open = new Set<Socket>();
  #bytesOfClosed = 0;
  #isBarred = false;

  /** All that they have received so far. */
  get bytesRead(): number {
    let bytes = this.#bytesOfClosed;
    for (const socket of this.#open) bytes += socket.bytesRead;
    return bytes;
  }

  /** Makes one for the driver to connect. */
  readonly make = (): Socket => {
    const socket = new Socket();
    this.#open.add(socket);
    socket.once('close', () => {
      this.#open.delete(socket);
      this.#bytesOfClosed += socket.bytesRead;
    });
    // The driver connects it first.
    if (this.#isBarred) setImmediate(() => socket.destroy(silence()));
    return socket;
  };

  /** Breaks all of them, and those that are made from now on. */
  bar(): void {
    this.#isBarred = true;
    for (const socket of this.#open) socket.destroy(silence());
  }

  /** Lets sockets be made again. */
  unbar(): void {
    this.#isBarred = false;
  }
}

function silence(): Error {
  return new Error('it sends no answer');
}
