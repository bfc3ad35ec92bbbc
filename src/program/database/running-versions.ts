import type { RunningProcess } from '../../control/doctor/upgrade-plan.ts';
import { compareVersions } from '../../lib/compare-versions.ts';
import type { SqlRunner } from '../../lib/sql.ts';
import type { SchemaFiles } from './schema-files.ts';

// The versions of the program that serve on a database now. Each process names itself for its version.

const PROCESS_NAME = /^faregate (\d[^\s,]*), /;

/** The name under which a process of this version is known. */
export function processName(version: string, pid: number): string {
  return `faregate ${version}, process ${pid}`;
}

/**
 * The processes that serve on the database. Those of `instanceId` are left out: its directory's holder knows that they are
 * dead. @throws SqlFault, DatabaseUnavailable
 */
export async function runningProcesses(db: SqlRunner, instanceId: string | null): Promise<readonly RunningProcess[]> {
  const [there] = await db.query<{ epochs: boolean }>(`select to_regclass('epochs') is not null as epochs`);
  if (there?.epochs !== true) return [];
  const rows = await db.query<{ instanceId: string; name: string }>(
    `select instance_id as "instanceId", process_name as name from epochs
      where fenced_at is null and heartbeat_at >= now() - timeout_ms * interval '1 millisecond'
        and instance_id is distinct from $1::uuid
      order by started_at, id`,
    [instanceId],
  );
  return rows.flatMap(({ name, ...process }) => {
    const version = PROCESS_NAME.exec(name)?.[1];
    return version === undefined ? [] : [{ ...process, version }];
  });
}

/**
 * Why this program may not bring the schema up to date while these processes serve: one is of a release that calls what the
 * new schema lacks. Null: it may.
 */
export function mixProblem(
  running: readonly RunningProcess[],
  { version, releases }: Pick<SchemaFiles, 'version' | 'releases'>,
): string | null {
  const oldest = releases[0]?.version ?? version;
  const unfit = running.find((process) => compareVersions(process.version, oldest) < 0);
  if (unfit === undefined) return null;
  const first =
    oldest === version ? '' : `upgrade all instances to ${oldest} first, then one after the other to this version; or `;
  return (
    `Faregate ${unfit.version} serves on this database (instance ${unfit.instanceId}), and ${version} can't serve beside ` +
    `versions before ${oldest}: ${first}stop all instances, then start this one; nothing was changed`
  );
}
