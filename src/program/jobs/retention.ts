import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { dropAuditEvents } from '../../control/audit/drop-events.ts';
import { exportWeek, findSealedWeeks, recordExport, type SealedWeek } from '../../control/ledger/old-receipts.ts';
import { dropSealedReceipts, sealReceipts } from '../../control/ledger/seals.ts';
import { hasProofs } from '../../control/ledger/verifications.ts';
import { isRefusal } from '../../domain/refusals.ts';
import type { Pacer } from '../../lib/pacer.ts';
import type { Sql } from '../../lib/sql.ts';
import { finishPartialFile, PARTIAL, writePartialFile } from '../../lib/partial-file.ts';
import { WorkFault } from '../../lib/work-fault.ts';
import { folderFault } from './folder-fault.ts';

// Drops what is older than it is to be kept: receipts by weeks, which are sealed and exported before, and audit events. It is
// done after the proof of the night, and only if the proofs of three nights running have found no difference. So nothing goes
// while something is wrong with the ledger, nor because a clock is wrong for a day.

const NIGHTS = 3;
const DAY_MS = 86_400_000;

interface RetentionOptions {
  readonly sql: Sql;
  readonly pacer: Pick<Pacer, 'slice'>;
  readonly nowMs: () => number;
  readonly countUsage: () => Promise<void>;
  /** How many days receipts and audit events are kept; null: for good. */
  readonly receiptDays: number | null;
  readonly auditDays: number | null;
  /** The folder for exports of receipts; null: none are wanted. */
  readonly exportTo: string | null;
  readonly instanceId: string;
}

/** What was done. */
interface Dropped {
  readonly sealed: readonly string[];
  readonly exported: readonly string[];
  readonly dropped: readonly string[];
  readonly auditEvents: number;
}

export class Retention {
  readonly #options: RetentionOptions;

  constructor(options: RetentionOptions) {
    this.#options = options;
  }

  /** Whether the proofs of this night and those before it have found nothing. */
  isReady(night: Date): Promise<boolean> {
    const nights = Array.from({ length: NIGHTS }, (_, index) => new Date(night.getTime() - index * DAY_MS));
    return hasProofs(this.#options.sql, nights);
  }

  /** Null if receipts are being read, so that it is tried again. @throws WorkFault, DatabaseUnavailable */
  async run(): Promise<(Dropped & Readonly<Record<string, unknown>>) | null> {
    const { sql, pacer, receiptDays, auditDays } = this.#options;
    const receipts = receiptDays === null ? NOTHING : await this.#dropReceipts(this.#before(receiptDays));
    const auditEvents = auditDays === null ? 0 : await dropAuditEvents({ sql, pacer }, this.#before(auditDays));
    return receipts === null ? null : { ...receipts, auditEvents };
  }

  #before(days: number): Date {
    return new Date(this.#options.nowMs() - days * DAY_MS);
  }

  async #dropReceipts(before: Date): Promise<Omit<Dropped, 'auditEvents'> | null> {
    const { sql, nowMs, countUsage, exportTo } = this.#options;
    const sealing = await sealReceipts(sql, { before, drop: false, nowMs: nowMs(), countUsage });
    if (isRefusal(sealing)) {
      if (sealing.code === 'SERVICE_UNAVAILABLE') return null;
      throw new WorkFault(sealing.message);
    }
    const exported: string[] = [];
    const dropped: string[] = [];
    for (const week of await findSealedWeeks(sql, before)) {
      if (exportTo !== null && !week.isExported) {
        await this.#export(week, exportTo);
        exported.push(week.name);
      }
      const isDropped = await dropSealedReceipts(sql, week.name);
      if (isRefusal(isDropped)) return null;
      if (!isDropped) {
        throw new WorkFault(
          `the receipts of ${week.name} do not add up to what was sealed: run "faregate ledger verify"`,
        );
      }
      dropped.push(week.name);
    }
    return { sealed: sealing.sealed, exported, dropped };
  }

  /**
   * Writes a week's file, and records it once it is durable. Its name has its digest, so that no other one is replaced, and the
   * same one is if a program died between the two.
   */
  async #export(week: SealedWeek, folder: string): Promise<void> {
    const { sql, pacer, instanceId } = this.#options;
    const partial = join(folder, `${week.name}.${instanceId}${PARTIAL}`);
    try {
      await writePartialFile(partial, Readable.from(exportWeek({ sql, pacer }, week)), createGzip());
      const sha256 = await digestOf(partial);
      const file = join(folder, `${week.name}.${sha256.toString('hex').slice(0, 12)}.ndjson.gz`);
      await finishPartialFile(partial, file);
      await recordExport(sql, week, { file, sha256 });
    } catch (fault) {
      throw folderFault(fault, 'ledger.export_to', folder);
    }
  }
}

const NOTHING = { sealed: [], exported: [], dropped: [] };

async function digestOf(file: string): Promise<Buffer> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest();
}
