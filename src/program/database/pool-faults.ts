import pg from 'pg';
import { DatabaseUnavailable, SqlFault, type UnavailableReason } from '../../lib/sql.ts';

// Classifies the driver's errors: the database is unavailable, or it rejected a statement. Neither fault contains a
// value that was sent: messages of some classes quote values, and DETAIL always may, so these never leave this file.

/** The database is of an unsupported kind or version. */
export class DatabaseUnsupported extends Error {
  override readonly name = 'DatabaseUnsupported';
}

/** Converts an error of the driver to one of the port's faults; bugs are returned unchanged. */
export function toDatabaseFault(error: unknown): Error {
  if (error instanceof SqlFault || error instanceof DatabaseUnavailable) return error;
  if (error instanceof pg.DatabaseError) return fromServer(error);
  if (error instanceof TypeError || error instanceof RangeError) return error;
  const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
  const reason = error instanceof Error && error.message !== '' ? error.message : 'no answer';
  return new DatabaseUnavailable(`the database can't be reached: ${reason}${code}`, { cause: error });
}

// SQLSTATEs, by class or in full, that are not the statement's fault: it may succeed when retried.
const reasons: Readonly<Record<string, UnavailableReason>> = {
  // Connection exceptions.
  '08': 'away',
  // This server has become a standby, another one is the primary.
  '25006': 'away',
  // The transaction was idle or running for too long, and its connection was closed.
  '25P03': 'away',
  '25P04': 'away',
  '40001': 'contended',
  '40003': 'away',
  '40P01': 'contended',
  // A function is missing: an instance of another version has changed the schema. Charges that this process can't
  // settle stay in its journal for a program that can.
  '42883': 'away',
  '53': 'exhausted',
  '55P03': 'contended',
  // The server is stopping or starting.
  '57': 'away',
  '57014': 'stopped',
  // System errors of the server's machine.
  '58': 'away',
};

// Classes of errors with messages that contain names of objects and constraints, never values.
const classesQuotable = new Set(['0A', '23', '25', '28', '3D', '3F', '40', '42', '55', 'P0', 'FG']);

// Remedies for errors that only the operator can correct.
const remedies: Readonly<Record<string, string>> = {
  '28000':
    'check the user in database.url, and that pg_hba.conf admits it from this address, with TLS if it requires that (?sslmode=require)',
  '28P01': 'check the user and the password in database.url (DATABASE_URL)',
  '3D000': 'create the database, or correct its name in database.url (DATABASE_URL)',
  '42883':
    'another version of this program has changed the schema: stop this one and start the newer one on its data directory',
  '42501': 'make the user in database.url the owner of the database, or grant it CREATE there and on its schema',
  '53300': "lower database.connections_max, or raise the server's max_connections",
};

/** The statement has found a function just before another version's start replaced it. */
function isReplaced({ code, message }: pg.DatabaseError): boolean {
  return code === 'XX000' && message.startsWith('cache lookup failed for function ');
}

function fromServer(error: pg.DatabaseError): Error {
  const state = error.code ?? 'XX000';
  const remedy = remedies[state] === undefined ? '' : `; ${remedies[state]}`;
  const reason = isReplaced(error) ? 'contended' : (reasons[state] ?? reasons[state.slice(0, 2)]);
  if (reason !== undefined) {
    return new DatabaseUnavailable(`the database is not available: ${error.message} (${state})${remedy}`, { reason });
  }
  const what = classesQuotable.has(state.slice(0, 2)) ? error.message : 'the statement was rejected';
  const where = error.table === undefined ? '' : ` on ${error.table}`;
  return new SqlFault(`${what} (${state}${where})${remedy}`, state, error.constraint ?? null);
}

/** Whether the connection can't be used any more after this fault. */
export function endsConnection(error: unknown): boolean {
  return error instanceof DatabaseUnavailable && (error.reason === 'away' || error.reason === 'exhausted');
}
