import pg from 'pg';
import { DatabaseUnavailable, SqlFault, type UnavailableReason } from '../lib/sql.ts';

// Sorts the driver's errors: the database is away, or it refused a statement. Neither carries a value that
// was sent: messages of some classes quote values, and DETAIL always may, so these never leave this file.

/** A database that this program doesn't run on. */
export class DatabaseUnsupported extends Error {
  override readonly name = 'DatabaseUnsupported';
}

/** Makes what the driver threw one of the port's faults; bugs stay what they are. */
export function toDatabaseFault(error: unknown): Error {
  if (error instanceof SqlFault || error instanceof DatabaseUnavailable) return error;
  if (error instanceof pg.DatabaseError) return fromServer(error);
  if (error instanceof TypeError || error instanceof RangeError) return error;
  const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
  const reason = error instanceof Error && error.message !== '' ? error.message : 'no answer';
  return new DatabaseUnavailable(`the database can't be reached: ${reason}${code}`, { cause: error });
}

// What says nothing about the statement, which may pass the next time, by its class or its very state.
const reasons: Readonly<Record<string, UnavailableReason>> = {
  // The connection broke.
  '08': 'away',
  // This server became a standby, another one is the primary now.
  '25006': 'away',
  // The transaction stood still, or took, for too long; its connection is closed.
  '25P03': 'away',
  '25P04': 'away',
  '40001': 'contended',
  '40003': 'away',
  '40P01': 'contended',
  // A function is gone: an instance of another version has changed the schema under this one. What this one could not
  // write waits in its journal for a program that can.
  '42883': 'away',
  '53': 'exhausted',
  '55P03': 'contended',
  // Somebody stopped the server, or it starts.
  '57': 'away',
  '57014': 'stopped',
  // The machine failed it.
  '58': 'away',
};

// Classes whose messages name objects and rules, never values.
const classesQuotable = new Set(['0A', '23', '25', '28', '3D', '3F', '40', '42', '55', 'P0', 'FG']);

// What an operator can do about a refusal that only they can lift.
const remedies: Readonly<Record<string, string>> = {
  '28000':
    'check the user in database.url, and that pg_hba.conf lets it in from this address, with TLS if it demands that (?sslmode=require)',
  '28P01': 'check the user and the password in database.url (DATABASE_URL)',
  '3D000': 'create the database, or correct its name in database.url (DATABASE_URL)',
  '42883':
    'another version of this program has changed the schema: stop this one and start the newer one on its data directory',
  '42501': 'make the user in database.url the owner of the database, or grant it CREATE there and on its schema public',
  '53300': "lower database.connections_max, or raise the server's max_connections",
};

function fromServer(error: pg.DatabaseError): Error {
  const state = error.code ?? 'XX000';
  const remedy = remedies[state] === undefined ? '' : `; ${remedies[state]}`;
  const reason = reasons[state] ?? reasons[state.slice(0, 2)];
  if (reason !== undefined) {
    return new DatabaseUnavailable(`the database is not available: ${error.message} (${state})${remedy}`, { reason });
  }
  const what = classesQuotable.has(state.slice(0, 2)) ? error.message : 'the statement was refused';
  const where = error.table === undefined ? '' : ` on ${error.table}`;
  return new SqlFault(`${what} (${state}${where})${remedy}`, state, error.constraint ?? null);
}

/** Whether a fault leaves its connection unfit for another statement. */
export function endsConnection(error: unknown): boolean {
  return error instanceof DatabaseUnavailable && (error.reason === 'away' || error.reason === 'exhausted');
}
