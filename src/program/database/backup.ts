import { randomUUID } from 'node:crypto';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { constants, createGzip } from 'node:zlib';
import { takeReadersTurn } from '../../control/ledger/receipt-layout.ts';
import {
  GUARD_LIMITS,
  readSlices,
  type ReceiptSnapshot,
  type SliceParts,
  snapshotOfReceipts,
} from '../../control/ledger/receipt-slices.ts';
import type { Pacer } from '../../lib/pacer.ts';
import { type Sql, type SqlRunner, UNHURRIED } from '../../lib/sql.ts';
import { clearLines, copyTables, readLines } from './backup-copies.ts';
import {
  type BackupHeader,
  type BackupMark,
  backupSchema,
  backupTables,
  formatName,
  formatVersion,
} from './backup-format.ts';

const BACKUP_LOCK = 4_611_220_105_103_824n;
/** About 500 receipts. */
const PAGES_PER_SLICE = 32;
const RECEIPTS = 'receipts';

interface BackupParts {
  readonly sql: Sql;
  readonly pacer: Pick<Pacer, 'slice'>;
  /** Called once the lines of the snapshot are copied. */
  readonly onBegun?: () => void;
}

/** The moment that a backup shows. */
interface Copy {
  readonly backupId: string;
  readonly schema: BackupHeader['schema'];
  readonly tables: readonly string[];
  readonly counts: ReadonlyMap<string, number>;
  readonly receipts: ReceiptSnapshot;
}

/**
 * Writes the whole database, as of one moment, and ends the stream. Requests are hardly delayed: one short transaction
 * copies everything except receipts, and receipts are read in slices, without holding a snapshot; see
 * receipt-slices.ts. Compression favours speed over size. The turn is released before the stream ends, so a caller that
 * has read it to its end may begin another backup. Resolves with false, having written nothing, if another process
 * writes a backup or changes the partitions of receipts.
 * @throws DatabaseUnavailable, SqlFault, and what the stream fails with.
 */
export async function writeBackup(
  { sql, pacer, onBegun = () => undefined }: BackupParts,
  destination: Writable,
): Promise<boolean> {
  const isWritten = await sql.transaction(async (guard) => {
    if (!(await takeReadersTurn(guard, BACKUP_LOCK))) return false;
    const copy = await sql.transaction(copyDatabase, UNHURRIED);
    try {
      onBegun();
      const lines = Readable.from(backupLines({ sql, pacer, guard }, copy), { objectMode: true });
      await pipeline(lines, createGzip({ level: constants.Z_BEST_SPEED }), destination, { end: false });
    } finally {
      await guard.query('select');
      await sql.transaction(clearLines);
    }
    return true;
  }, GUARD_LIMITS);
  if (isWritten) destination.end();
  return isWritten;
}

/** The short part of a backup that needs one snapshot; its time doesn't depend on the number of receipts. */
async function copyDatabase(tx: SqlRunner): Promise<Copy> {
  const backupId = randomUUID();
  await tx.query('set transaction isolation level repeatable read');
  await clearLines(tx);
  const schema = await backupSchema(tx);
  const tables = await backupTables(tx);
  const counts = await copyTables(
    tx,
    backupId,
    tables.filter((table) => table !== RECEIPTS),
  );
  return { backupId, schema, tables, counts, receipts: await snapshotOfReceipts(tx) };
}

async function* backupLines(
  parts: SliceParts,
  { backupId, schema, tables, counts, receipts }: Copy,
): AsyncGenerator<string> {
  yield mark(['header', { format: formatName, version: formatVersion, takenAt: new Date().toISOString(), schema }]);
  const written: Record<string, number> = {};
  for (const table of tables) {
    yield mark(['table', table]);
    written[table] = 0;
    const count = counts.get(table) ?? 0;
    const slices = table === RECEIPTS ? receiptLines(parts, receipts) : readLines(parts, { backupId, table, count });
    for await (const lines of slices) {
      written[table] += lines.length;
      if (lines.length > 0) yield lines.map((line) => `${line}\n`).join('');
    }
  }
  yield mark(['end', written]);
}

/** Receipts without their transaction numbers, which mean nothing on another server. */
async function* receiptLines(parts: SliceParts, receipts: ReceiptSnapshot): AsyncGenerator<readonly string[]> {
  const text = (slice: string): string =>
    `select (to_jsonb(receipts) - 'tableoid' - 'settled_xid')::text as line from ${slice} receipts`;
  for await (const rows of readSlices<{ line: string }>(parts, receipts, { pages: PAGES_PER_SLICE, text })) {
    yield rows.map(({ line }) => line);
  }
}

function mark(content: BackupMark): string {
  return `${JSON.stringify(content)}\n`;
}
