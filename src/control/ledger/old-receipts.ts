import type { Act } from '../../domain/actor.ts';
import { isRefusal } from '../../domain/refusals.ts';
import { authorise } from '../../domain/workspace-scope.ts';
import { assert } from '../../lib/assert.ts';
import type { Pacer } from '../../lib/pacer.ts';
import type { Sql, SqlRunner } from '../../lib/sql.ts';
import { leastUuid7At } from '../../lib/uuid7.ts';
import { WorkFault } from '../../lib/work-fault.ts';
import { receiptLines } from './export.ts';

// Sealed weeks that still have their receipts, and the export of these before they are dropped.

const BY_RETENTION: Act = { actor: { kind: 'job', name: 'retention' }, address: null, requestId: null };

export interface SealedWeek {
  /** The partition. */
  readonly name: string;
  readonly fromId: string;
  readonly upTo: string;
  readonly receipts: bigint;
  readonly isExported: boolean;
}

/** The sealed weeks that ended before this time and are not dropped, the oldest first. */
export async function findSealedWeeks(sql: SqlRunner, before: Date): Promise<readonly SealedWeek[]> {
  return await sql.query<SealedWeek>(
    `select name, from_id as "fromId", up_to as "upTo", receipts, exported_at is not null as "isExported"
     from sealed_partitions where dropped_at is null and up_to <= $1 order by up_to`,
    [leastUuid7At(before.getTime())],
  );
}

/**
 * All receipts of a week as lines of JSON, by workspace. @throws WorkFault at the end if they are not those that were sealed, so
 * that what was written of them isn't taken for all of it
 */
export async function* exportWeek(
  parts: { readonly sql: Sql; readonly pacer: Pick<Pacer, 'slice'> },
  { name, fromId, upTo, receipts }: SealedWeek,
): AsyncGenerator<string, void, undefined> {
  const workspaces = await parts.sql.query<{ id: string; charges: string }>(
    `select workspace_id as id, sum(charge_nano_usd)::text as charges
     from partition_totals join purses on purses.id = purse_id
     where partition = $1 and kind = 'credit' group by workspace_id order by workspace_id`,
    [name],
  );
  let written = 0;
  for (const { id, charges } of workspaces) {
    const scope = authorise(BY_RETENTION, 'exports:read', id);
    assert(!isRefusal(scope), 'a job may do everything');
    let sum = 0n;
    for await (const slice of receiptLines(parts, scope, { after: fromId, before: upTo })) {
      written += slice.receipts;
      sum += slice.charges;
      yield slice.lines;
    }
    if (sum !== BigInt(charges)) throw differs(name, `the charges of workspace ${id}`);
  }
  if (BigInt(written) !== receipts) throw differs(name, `the number of receipts, ${written} instead of ${receipts}`);
}

function differs(name: string, what: string): WorkFault {
  return new WorkFault(
    `the export of ${name} is not what was sealed (${what}), so nothing was dropped: run "faregate ledger verify"`,
  );
}

/** Records that a week was exported to a file. */
export async function recordExport(
  sql: SqlRunner,
  { name }: SealedWeek,
  { file, sha256 }: { readonly file: string; readonly sha256: Buffer },
): Promise<void> {
  await sql.query(
    'update sealed_partitions set exported_at = now(), export_file = $2, export_sha256 = $3 where name = $1',
    [name, file, sha256],
  );
}
