import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  checksumLine,
  type FileChecksum,
  functionsDigest,
  LANDED_FUNCTIONS,
  parseChecksums,
  readSchemaFiles,
  schemaDirectory,
  type SchemaFiles,
  type SqlFile,
} from './schema-files.ts';

// Migrations that instances may have applied must not change: an instance that finds one changed refuses to start. So a
// list beside the files has the checksum of each landed migration, in the format of sha256sum. Functions change in
// place; for them a list has one digest for each set that has landed, so that a program knows which sets are older than
// its own. A test checks the files against both lists, and tools/schema-snapshot.ts appends to them.

const CHECKSUMS = join('migrations', 'checksums');

/** Faults that would keep instances from starting with this schema, or hide the next change; one sentence each. */
export async function schemaFaults(directory: string = schemaDirectory): Promise<readonly string[]> {
  const comparison = await compare(directory);
  const missing = comparison.fresh.map(({ name }) => `${name} is not in ${CHECKSUMS}: run tools/schema-snapshot.ts`);
  const functions = comparison.hasLandedFunctions
    ? []
    : [`the functions are not in ${LANDED_FUNCTIONS}: run tools/schema-snapshot.ts`];
  return [...faultsOf(comparison), ...missing, ...functions];
}

/** Appends new migrations and functions to the lists. @throws Error if a landed migration has changed */
export async function recordSchema(directory: string = schemaDirectory): Promise<void> {
  const comparison = await compare(directory);
  const faults = faultsOf(comparison);
  if (faults.length > 0) throw new Error(faults.join('\n'));
  await appendFile(join(directory, CHECKSUMS), comparison.fresh.map(checksumLine).join(''));
  if (!comparison.hasLandedFunctions) {
    await appendFile(join(directory, LANDED_FUNCTIONS), `${functionsDigest(comparison.files.functions)}\n`);
  }
}

interface Comparison {
  readonly files: SchemaFiles;
  /** The listed migrations, in order. */
  readonly landed: readonly FileChecksum[];
  /** The migrations that aren't listed. */
  readonly fresh: readonly SqlFile[];
  /** Whether the functions are the last listed set. */
  readonly hasLandedFunctions: boolean;
}

async function compare(directory: string): Promise<Comparison> {
  const files = await readSchemaFiles(directory);
  const landed = parseChecksums(await readFile(join(directory, CHECKSUMS), 'utf8'), CHECKSUMS);
  const names = new Set(landed.map(({ name }) => name));
  const fresh = files.migrations.filter(({ name }) => !names.has(name));
  const hasLandedFunctions = [...files.landedFunctions].at(-1) === functionsDigest(files.functions);
  return { files, landed, fresh, hasLandedFunctions };
}

function faultsOf(comparison: Comparison): readonly string[] {
  return [...faultsOfLanded(comparison), ...faultsOfFresh(comparison), ...faultsOfFunctions(comparison)];
}

function faultsOfLanded({ landed, files }: Comparison): readonly string[] {
  return landed.flatMap(({ name, sha256 }) => {
    const now = files.migrations.find((migration) => migration.name === name);
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

/** The programs in between would take a recurring set for an older one. */
function faultsOfFunctions({ files, hasLandedFunctions }: Comparison): readonly string[] {
  if (hasLandedFunctions || !files.landedFunctions.has(functionsDigest(files.functions))) return [];
  return ['the functions are identical to those of an earlier version: change a comment in one of them'];
}
