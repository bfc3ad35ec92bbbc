import { PassThrough, Readable } from 'node:stream';
import { writeBackup } from '../database/backup.ts';
import { refuse, type Refusal } from '../../domain/refusals.ts';
import type { ControlSql } from '../../lib/control-sql.ts';
import type { Pacer } from '../../lib/pacer.ts';
import type { Log } from '../telemetry/log.ts';

const RETRY_AFTER_MS = 10_000;

interface BackupParts {
  readonly sql: ControlSql;
  readonly pacer: Pacer;
  readonly log: Log;
}

/**
 * Creates the function that begins and streams a backup. All processes together write one at a time, since they share a
 * table of lines.
 */
export function createBackups({ sql, pacer, log }: BackupParts) {
  /**
   * Begins a backup and returns its stream. A backup that fails ends with an error, so that it can't be taken for a
   * complete one. @throws DatabaseUnavailable
   */
  return async (): Promise<ReadableStream<Uint8Array<ArrayBuffer>> | Refusal> => {
    const passage = new PassThrough();
    const begun = Promise.withResolvers<boolean>();
    writeBackup({ sql, pacer, onBegun: () => begun.resolve(true) }, passage).then(begun.resolve, (fault: unknown) => {
      log.error({ err: fault }, 'a backup failed: its partial output is unusable');
      begun.reject(fault);
      passage.destroy(fault instanceof Error ? fault : new Error('the backup failed', { cause: fault }));
    });
    passage.on('error', () => undefined);
    if (await begun.promise) return Readable.toWeb(passage) as ReadableStream<Uint8Array<ArrayBuffer>>;
    const message = 'Another backup is being written, or receipts are being sealed: try again when it has ended.';
    return refuse('SERVICE_UNAVAILABLE', message, { retryAfterMs: RETRY_AFTER_MS });
  };
}
