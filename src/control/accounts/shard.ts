import { FIRST_SHARD } from '../../domain/key.ts';
import type { Sql, SqlRunner } from '../../lib/sql.ts';

// The shard of a database: the two characters by which all its keys begin. The database has it recorded, so that no process
// makes keys of another one.

/** The database has another shard than the configuration. The message is one line with the remedy. */
export class ShardFault extends Error {
  override readonly name = 'ShardFault';
}

/** The shard of new keys. @throws DatabaseUnavailable */
export async function readShard(sql: SqlRunner): Promise<string> {
  return (await recordedShard(sql)) ?? FIRST_SHARD;
}

async function recordedShard(sql: SqlRunner): Promise<string | null> {
  const [row] = await sql.query<{ shard: string }>('select shard from database_shard');
  return row?.shard ?? null;
}

/**
 * Records the shard in a database that has no keys yet; any other must have it already. @throws ShardFault,
 * DatabaseUnavailable
 */
export async function claimShard(sql: Sql, shard: string): Promise<void> {
  if ((await recordedShard(sql)) === null) {
    await sql.query(
      `insert into database_shard (shard) select case when exists (select from keys) then $2 else $1 end
       on conflict do nothing`,
      [shard, FIRST_SHARD],
    );
  }
  const recorded = await readShard(sql);
  if (recorded === shard) return;
  throw new ShardFault(
    `the database's keys begin with the shard ${recorded}, and database.shard is ${shard}: write ${recorded} there, or name another database`,
  );
}
