import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Migration, migrationsDirectory, readMigrations } from './migrate.ts';

// What instances may have applied must stay as it was: one that finds it changed refuses to start. So the checksum of each
// migration that has landed stands in a list beside the files, one line each, in the format of sha256sum. A test holds the
// files to it, and tools/schema-snapshot.ts adds new ones to its end.

const LIST = 'checksums';

/** What keeps instances from starting with these migrations, or the next ones from being noticed; a sentence each. */
export async function faultsOfMigrations(directory: string = migrationsDirectory): Promise<readonly string[]> {
  const comparison = await compare(directory);
  const missing = comparison.fresh.map(({ name }) => `${name} is not in ${LIST}: run tools/schema-snapshot.ts`);
  return [...faultsOf(comparison), ...missing];
}

/** Adds the migrations that are new to the end of the list. @throws Error where any that has landed isn't as it was */
export async function listNewMigrations(directory: string = migrationsDirectory): Promise<void> {
  const comparison = await compare(directory);
  const faults = faultsOf(comparison);
  if (faults.length > 0) throw new Error(faults.join('\n'));
  const lines = comparison.fresh.map(({ name, sha256 }) => `${sha256}  ${name}.sql\n`);
  await appendFile(join(directory, LIST), lines.join(''));
}

type Landed = Pick<Migration, 'name' | 'sha256'>;

interface Comparison {
  /** What the list says, in its order. */
  readonly landed: readonly Landed[];
  readonly migrations: readonly Migration[];
  /** The migrations that aren't in the list. */
  readonly fresh: readonly Migration[];
}

async function compare(directory: string): Promise<Comparison> {
  const landed = parseList(await readFile(join(directory, LIST), 'utf8'));
  const migrations = await readMigrations(directory);
  const names = new Set(landed.map(({ name }) => name));
  return { landed, migrations, fresh: migrations.filter(({ name }) => !names.has(name)) };
}

function parseList(text: string): readonly Landed[] {
  const lines = text.split(/\r?\n/).filter((line) => line !== '');
  return lines.map((line) => {
    const { sha256, name } = /^(?<sha256>[0-9a-f]{64}) {2}(?<name>\w+)\.sql$/.exec(line)?.groups ?? {};
    if (sha256 === undefined || name === undefined) throw new Error(`${LIST} has a line that says nothing: ${line}`);
    return { name, sha256 };
  });
}

function faultsOf(comparison: Comparison): readonly string[] {
  return [...faultsOfLanded(comparison), ...faultsOfFresh(comparison)];
}

function faultsOfLanded({ landed, migrations }: Comparison): readonly string[] {
  return landed.flatMap(({ name, sha256 }) => {
    const now = migrations.find((migration) => migration.name === name);
    if (now?.sha256 === sha256) return [];
    const change = now === undefined ? 'is gone' : 'was edited';
    return [
      `${name} ${change}; instances that have applied it would refuse to start: restore it, and write a new migration`,
    ];
  });
}

/** Migrations are applied in the order of their names, and none before one that is applied already. */
function faultsOfFresh({ landed, fresh }: Comparison): readonly string[] {
  const last =
    landed
      .map(({ name }) => name)
      .toSorted()
      .at(-1) ?? '';
  return fresh
    .filter(({ name }) => name < last)
    .map(({ name }) => `${name} is older than ${last}, which instances have applied: give it a newer number`);
}
