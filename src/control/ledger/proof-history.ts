import type { SqlRunner } from '../../lib/sql.ts';
import type { DifferenceRow } from './verify-differences.ts';
import { PROOF_LOCK } from './verify.ts';
import { LOCK_NUMBER } from '../../lib/transaction-lock.ts';

// The proofs that were made, and the one that is being made by any process of the instance.

/** A proof as it was stored. */
export interface StoredProof {
  readonly id: bigint;
  /** It was made by the schedule of nights, rather than on request. */
  readonly isNightly: boolean;
  readonly startedAt: Date;
  readonly finishedAt: Date;
  readonly differenceCount: bigint;
  /** The first hundred. */
  readonly differences: readonly DifferenceRow[];
}

/** How far a proof has come. */
export interface RunningProof {
  readonly startedAt: Date;
  /** Receipts that were added up until now, sealed ones included. */
  readonly receipts: bigint;
  /** How many there are, by the statistics of the database. */
  readonly expected: bigint;
}

/** The last proofs, newest first. */
export async function listProofs(sql: SqlRunner, limit: number): Promise<readonly StoredProof[]> {
  return await sql.query<StoredProof>(
    `select id, night is not null as "isNightly", started_at as "startedAt", finished_at as "finishedAt",
       difference_count as "differenceCount", differences
     from ledger_verifications order by started_at desc, id desc limit $1`,
    [limit],
  );
}

/** As many receipts as fit into a page, roughly, for partitions without statistics. */
const RECEIPTS_PER_PAGE = 16;

/** The proof that a process of the instance makes now; null if none does. PostgreSQL names its lock by the halves of the number. */
export async function findRunningProof(sql: SqlRunner): Promise<RunningProof | null> {
  const [row] = await sql.query<RunningProof>(
    `select activity.xact_start as "startedAt", coalesce((select max(receipts) from proof_totals), 0)::bigint as receipts,
       (
         (select coalesce(sum(receipts), 0) from sealed_partitions) + coalesce(sum(
           case when reltuples >= 0 then reltuples
           else pg_relation_size(oid) / current_setting('block_size')::int * ${RECEIPTS_PER_PAGE} end
         ), 0)
       )::bigint as expected
     from pg_locks held join pg_stat_activity activity using (pid)
     left join (
       select c.oid, c.reltuples from pg_inherits join pg_class c on c.oid = inhrelid
       where inhparent = 'receipts'::regclass and c.relname not in (select name from sealed_partitions)
     ) partitions on true
     where held.locktype = 'advisory' and held.granted and held.objsubid = 1 and activity.xact_start is not null
       and held.classid::bigint << 32 | held.objid::bigint = (${LOCK_NUMBER})
       and held.database = (select oid from pg_database where datname = current_database())
     group by activity.xact_start`,
    [PROOF_LOCK],
  );
  return row ?? null;
}
