import { counted } from '../../lib/counted.ts';
import { fail, type Finding, ok } from './finding.ts';

// What a start of this program would do to a database's schema, and which versions can serve concurrently with it.

/** A process that serves on the database, of whichever instance. */
export interface RunningProcess {
  readonly version: string;
  readonly instanceId: string;
}

/**
 * How a database's schema stands to a program's: it is the same; it is older, or doesn't name the programs that may serve on
 * it, so the program brings it up to date; or it is newer, and the program may serve on it as it is.
 */
export type SchemaStanding = 'same' | 'behind' | 'ahead';

export interface UpgradePlan {
  /** This program's. */
  readonly version: string;
  readonly standing: SchemaStanding;
  /** What the start would apply, by name. */
  readonly migrations: readonly string[];
  readonly functions: readonly string[];
  /** The versions that may serve on the database as it is; empty if it names none. */
  readonly programs: readonly string[];
  readonly running: readonly RunningProcess[];
  /** Why the start would be refused, and what to do; null if it would not be. */
  readonly problem: string | null;
}

/** A sentence on what the start would do. */
export function describePlan({ version, standing, migrations, functions, programs, running }: UpgradePlan): string {
  switch (standing) {
    case 'same':
      return `the database has the schema of ${version}`;
    case 'ahead':
      return `the database was upgraded for ${newestOf(programs)}, and ${version} may serve on it`;
    case 'behind': {
      const others = [...new Set(running.map((process) => process.version))];
      const beside = others.length === 0 ? '' : `, while ${others.join(' and ')} serves on`;
      const what = [
        ...(migrations.length === 0 ? [] : [`${counted(migrations, 'migration')} (${migrations.join(', ')})`]),
        ...(functions.length === 0 ? [] : [counted(functions, 'function')]),
      ];
      const applied = what.length === 0 ? 'records that it may serve' : `applies ${what.join(' and ')}`;
      return `a start of ${version} ${applied}${beside}`;
    }
  }
}

/** The same as a finding. */
export function schemaFinding(plan: UpgradePlan): Finding {
  return plan.problem === null ? ok('schema', describePlan(plan)) : schemaProblem(plan.problem);
}

/** The finding about a database on which this program may not serve. */
export function schemaProblem(problem: string): Finding {
  return fail('schema', problem, 'docs/upgrading.md has the steps');
}

function newestOf(programs: readonly string[]): string {
  return programs.at(-1) ?? 'a newer version';
}
