import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { reserveReceiptLayout } from '../../control/ledger/receipt-layout.ts';
import { DatabaseUnavailable, SqlFault, type SqlRunner } from '../../lib/sql.ts';
import {
  BackupFault,
  backupSchema,
  backupTables,
  formatName,
  formatVersion,
  type BackupHeader,
  type BackupMark,
} from './backup-format.ts';
import { rebuildRestoredUsage } from '../../control/usage/rebuilding.ts';
import { predateFirstRelease } from './schema-record.ts';
import { ensureReceiptPartition, receiptPartitionAt } from './partitions.ts';
import type { Database } from './pool.ts';

const rowsAtOnce = 500;
const statementMsMax = 600_000;

/**
 * Fills an empty, freshly migrated database from a backup, completely or not at all. Fences the epochs of the processes
 * that ran when it was taken, and releases their leases. @throws BackupFault if the backup is damaged or doesn't fit;
 * DatabaseUnavailable, SqlFault
 */
export async function restoreBackup(db: Database, source: Readable): Promise<void> {
  await db.transaction(
    async (tx) => {
      const tables = await backupTables(tx);
      await tx.query(`lock table ${tables.join(', ')} in exclusive mode`);
      await refuseFilled(tx, tables);
      if (!(await reserveReceiptLayout(tx))) throw new BackupFault('an instance runs on the database: stop it first');
      const restore = new Restore(tx, tables);
      await readLines(source, (line) => restore.take(line));
      await restore.finish();
      await continueIdentities(tx, tables);
      await retireEpochs(tx);
      await rebuildRestoredUsage(tx, Date.now());
    },
    { statementMsMax, idleMsMax: statementMsMax },
  );
}

/**
 * Checks the header of a backup, so that a wrong one is refused before a database is started for it. @throws BackupFault if
 * it can't be read, is not a backup, or has another format
 */
export async function checkBackup(source: Readable): Promise<void> {
  const text = createGunzip();
  source.once('error', (error) => text.destroy(error));
  let line = '';
  try {
    for await (const chunk of source.pipe(text) as AsyncIterable<Buffer>) {
      line += chunk.toString();
      if (line.includes('\n')) break;
    }
  } catch (error) {
    throw new BackupFault('the file cannot be read, or is not a backup of Faregate', { cause: error });
  } finally {
    source.destroy();
  }
  const mark = line.startsWith('["header"') ? (JSON.parse(line.split('\n', 1)[0] ?? '') as BackupMark) : null;
  if (mark?.[0] !== 'header') throw new BackupFault('this is not a backup of Faregate');
  refuseUnreadable(mark[1]);
}

async function refuseFilled(tx: SqlRunner, tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    const [row] = await tx.query<{ filled: boolean }>(`select exists (select from ${table}) as filled`);
    if (row?.filled !== true) continue;
    throw new BackupFault(
      `the database is not empty (${table} has rows): restore into a new data directory or database`,
    );
  }
}

/** Feeds the lines of a gzipped stream one by one. */
async function readLines(source: Readable, take: (line: string) => Promise<void>): Promise<void> {
  try {
    await pipeline(source, createGunzip(), async (chunks: AsyncIterable<Buffer>) => {
      const decoder = new TextDecoder('utf-8', { fatal: true });
      let rest = '';
      for await (const chunk of chunks) {
        const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n');
        rest = lines.pop() ?? '';
        for (const line of lines) await take(line);
      }
      if (rest !== '') throw new BackupFault('the backup is truncated in the middle of a line: use a complete one');
    });
  } catch (error) {
    if (error instanceof BackupFault || error instanceof SqlFault || error instanceof DatabaseUnavailable) throw error;
    throw new BackupFault('the backup is damaged or truncated: use another one', { cause: error });
  }
}

/**
 * The position of a restore: before the header, in a table, or past the end. Rows are inserted in batches of one table.
 */
class Restore {
  readonly #tx: SqlRunner;
  readonly #tables: readonly string[];
  readonly #counts: Record<string, number> = {};
  readonly #partitions = new Set<string>();
  #rows: string[] = [];
  #stage: 'begun' | 'tables' | 'ended' = 'begun';
  #table: string | null = null;

  constructor(tx: SqlRunner, tables: readonly string[]) {
    this.#tx = tx;
    this.#tables = tables;
  }

  async take(line: string): Promise<void> {
    if (line.startsWith('[')) return this.#takeMark(JSON.parse(line) as BackupMark);
    if (this.#stage !== 'tables' || this.#table === null) throw new BackupFault('this is not a backup of Faregate');
    this.#rows.push(line);
    if (this.#rows.length === rowsAtOnce) await this.#flush();
  }

  async finish(): Promise<void> {
    if (this.#stage !== 'ended') throw new BackupFault('the backup is truncated: use a complete one');
    await this.#flush();
  }

  async #takeMark(mark: BackupMark): Promise<void> {
    await this.#flush();
    if (mark[0] === 'header' && this.#stage === 'begun') {
      await requireKnownSchema(this.#tx, mark[1]);
      this.#stage = 'tables';
    } else if (mark[0] === 'table' && this.#stage === 'tables' && this.#tables.includes(mark[1])) {
      this.#table = mark[1];
      this.#counts[mark[1]] = 0;
    } else if (mark[0] === 'end' && this.#stage === 'tables') {
      this.#stage = 'ended';
      if (this.#tables.some((table) => mark[1][table] !== this.#counts[table])) {
        throw new BackupFault('the numbers of rows in the backup differ from those that it states: use another one');
      }
    } else {
      throw new BackupFault('this is not a backup of Faregate, or it was modified');
    }
  }

  async #flush(): Promise<void> {
    const table = this.#table;
    if (table === null || this.#rows.length === 0) return;
    const rows = this.#rows;
    this.#rows = [];
    this.#counts[table] = (this.#counts[table] ?? 0) + rows.length;
    if (table === 'receipts') await this.#makePartitions(rows);
    await this.#tx.query(
      `insert into ${table} overriding system value select * from jsonb_populate_recordset(null::${table}, $1::jsonb)`,
      [`[${rows.join(',')}]`],
    );
  }

  async #makePartitions(receipts: readonly string[]): Promise<void> {
    for (const line of receipts) {
      const { request_id: id } = JSON.parse(line) as { request_id: string };
      const partition = receiptPartitionAt(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16));
      if (this.#partitions.has(partition.name)) continue;
      this.#partitions.add(partition.name);
      await ensureReceiptPartition(this.#tx, partition);
    }
  }
}

function refuseUnreadable(header: BackupHeader): void {
  if ((header.format as string) !== formatName) throw new BackupFault('this is not a backup of Faregate');
  if (header.version !== formatVersion) {
    throw new BackupFault(
      `the backup has format ${header.version} and this program reads ${formatVersion}: restore it with the program that wrote it`,
    );
  }
  if (predateFirstRelease(header.schema)) {
    throw new BackupFault(
      'the backup is from before the first release, and no later program can read it: restore it with the program that took it, and export what you need there',
    );
  }
}

async function requireKnownSchema(tx: SqlRunner, header: BackupHeader): Promise<void> {
  refuseUnreadable(header);
  if (JSON.stringify(header.schema) === JSON.stringify(await backupSchema(tx))) return;
  throw new BackupFault(
    'the backup was taken by another version of this program: restore it with that version, then start the newer one, which migrates it',
  );
}

async function continueIdentities(tx: SqlRunner, tables: readonly string[]): Promise<void> {
  const columns = await tx.query<{ table: string; column: string }>(
    `select a.attrelid::regclass::text as table, a.attname::text as column from pg_attribute a
      where a.attidentity <> '' and a.attrelid = any ($1::text[]::regclass[])`,
    [tables],
  );
  for (const { table, column } of columns) {
    await tx.query(
      `select setval(pg_get_serial_sequence($1, $2), greatest(max(${column}), 1), max(${column}) is not null) from ${table}`,
      [table, column],
    );
  }
}

async function retireEpochs(tx: SqlRunner): Promise<void> {
  await tx.query('update epochs set fenced_at = now() where fenced_at is null');
  const epochs = await tx.query<{ id: bigint }>('select id from epochs where reaped_at is null order by id');
  for (const { id } of epochs) {
    await tx.query('select give_back_leases($1, array(select purse_id from leases where epoch_id = $1))', [id]);
  }
  await tx.query('update epochs set reaped_at = now() where reaped_at is null');
}
