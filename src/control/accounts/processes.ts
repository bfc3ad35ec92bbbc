import type { OperatorScope } from '../../domain/workspace-scope.ts';
import type { SqlRunner } from '../../lib/sql.ts';

/** A process that serves, or has ended and still holds money. */
export interface ServingProcess {
  /** Its epoch. */
  readonly epoch: bigint;
  readonly instanceId: string;
  /** The program, its version and the number of the process. */
  readonly name: string;
  readonly startedAt: Date;
  readonly heartbeatAt: Date;
  /** *serving*; *silent* after its time-out; *fenced*: declared dead, its money is being taken back. */
  readonly state: 'serving' | 'silent' | 'fenced';
}

/** The processes of all instances on this database, the oldest first. */
export async function listProcesses(sql: SqlRunner, _scope: OperatorScope): Promise<readonly ServingProcess[]> {
  return await sql.query<ServingProcess>(
    `select id as epoch, instance_id as "instanceId", process_name as name, started_at as "startedAt",
       heartbeat_at as "heartbeatAt",
       case
         when fenced_at is not null then 'fenced'
         when heartbeat_at < now() - timeout_ms * interval '1 millisecond' then 'silent'
         else 'serving'
       end as state
     from epochs where reaped_at is null order by started_at, id limit 200`,
  );
}
