import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect } from 'vitest';
import { MessageReader, type PostgresMessage, postgresMessage } from './postgres-messages.ts';
import type { TestDatabase } from './database.ts';

// A statement that has run, on a connection that stands still before the end of its transaction: what its process left when
// it was stopped, or the network when it was cut.

export interface StandingStatement {
  /** Resolves with the server's last word when the server ends the connection. */
  readonly ended: Promise<string>;
  /** Ends its transaction as it would have ended, and then the connection. */
  commit(): Promise<void>;
  /** Ends the connection, and with it the transaction. */
  close(): Promise<void>;
}

/** Longer than any statement takes to wait, however busy the machine is. */
const AWAITED_MS = 15_000;
const PROTOCOL_VERSION = 196_608;

/** Runs the statement, with its values as text, and never sends the message that ends its transaction. */
export async function startStandingStatement(
  { connection: { socketDirectory, user, database } }: Pick<TestDatabase, 'connection'>,
  statement: string,
  values: readonly (string | null)[] = [],
): Promise<StandingStatement> {
  const socket = connect(join(socketDirectory, '.s.PGSQL.5432'));
  const reader = new MessageReader('server');
  const words: PostgresMessage[] = [];
  socket.on('data', (bytes: Buffer) => {
    words.push(...reader.push(bytes));
    socket.emit('words');
  });
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  const heard = async (type: string): Promise<void> => {
    while (!words.some((word) => word.type === type)) {
      const fault = words.find((word) => word.type === 'E');
      if (fault !== undefined) throw new Error(fault.body.toString('utf8').replaceAll('\0', ' '));
      await once(socket, 'words');
    }
  };
  socket.write(postgresMessage('', PROTOCOL_VERSION, 'user', user, 'database', database, ''));
  await heard('Z');
  socket.write(
    Buffer.concat([
      postgresMessage('P', '', statement, Buffer.alloc(2)),
      postgresMessage('B', '', '', Buffer.alloc(2), int16(values.length), ...values.map(bound), Buffer.alloc(2)),
      postgresMessage('E', '', 0),
      postgresMessage('H'),
    ]),
  );
  await heard('C');
  return {
    ended: closed.then(() => words.at(-1)?.body.toString('utf8') ?? ''),
    async commit() {
      const before = words.length;
      socket.write(postgresMessage('S'));
      while (!words.slice(before).some(({ type }) => type === 'Z')) await once(socket, 'words');
      socket.end(postgresMessage('X'));
      await closed;
    },
    async close() {
      // The server closes its side once it has rolled back.
      if (!socket.destroyed) socket.end(postgresMessage('X'));
      await closed;
    },
  };
}

/** Commits the statement as soon as another one waits for a lock, or so many do. */
export async function commitOnceAwaited(
  { database }: TestDatabase,
  statement: StandingStatement,
  waiting = 1,
): Promise<void> {
  const count = async (): Promise<number> => (await database.query('select from pg_locks where not granted')).length;
  await expect.poll(count, { interval: 2, timeout: AWAITED_MS }).toBeGreaterThanOrEqual(waiting);
  await statement.commit();
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeInt16BE(value);
  return bytes;
}

/** A value of a Bind message: its length and its text; a length of −1 is null. */
function bound(value: string | null): Buffer {
  const text = Buffer.from(value ?? '');
  const length = Buffer.alloc(4);
  length.writeInt32BE(value === null ? -1 : text.length);
  return Buffer.concat([length, text]);
}
