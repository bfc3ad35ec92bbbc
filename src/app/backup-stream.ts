import { PassThrough, Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { writeBackup } from '../database/backup.ts';
import type { ControlSql } from '../lib/control-sql.ts';
import type { Log } from '../telemetry/log.ts';

/** A backup as it is written. One that fails breaks off, so that nobody takes it for whole. */
export function backupStream(sql: ControlSql, log: Log): Promise<ReadableStream<Uint8Array<ArrayBuffer>>> {
  const passage = new PassThrough();
  writeBackup(sql, passage).catch((fault: unknown) => {
    log.error({ err: fault }, 'a backup has failed');
    passage.destroy(fault instanceof Error ? fault : new Error('the backup has failed', { cause: fault }));
  });
  return Promise.resolve(Readable.toWeb(passage) as ReadableStream<Uint8Array<ArrayBuffer>>);
}
