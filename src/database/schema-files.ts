import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

// The schema that this program brings: migrations/ makes tables, types and indexes, one step a file; functions/ has the
// functions as they are now, one a file.

/** One file of SQL: its name without the ending, and its checksum with plain line ends. */
export interface SqlFile {
  readonly name: string;
  readonly sha256: string;
  readonly sql: string;
}

/** A file's name and content, as a list of checksums or a database has them. */
export type FileChecksum = Pick<SqlFile, 'name' | 'sha256'>;

export interface SchemaFiles {
  /** In the order in which they are applied. */
  readonly migrations: readonly SqlFile[];
  readonly functions: readonly SqlFile[];
  /** The digests of all sets of functions that have landed, this one included. */
  readonly landedFunctions: ReadonlySet<string>;
}

/** Where this program's migrations and functions are. */
export const schemaDirectory = import.meta.dirname;

/** The list of sets of functions that have landed: a line with the digest of each, the latest last. */
export const LANDED_FUNCTIONS = join('functions', 'landed');

/** @throws Error if the directory has no migrations/ or functions/ */
export async function readSchemaFiles(directory: string): Promise<SchemaFiles> {
  const [migrations, functions, landed] = await Promise.all([
    readSqlFiles(join(directory, 'migrations')),
    readSqlFiles(join(directory, 'functions')),
    readFile(join(directory, LANDED_FUNCTIONS), 'utf8'),
  ]);
  return { migrations, functions, landedFunctions: new Set(landed.split(/\r?\n/).filter((line) => line !== '')) };
}

/** Stands for a set of functions: the checksum of their list of checksums. */
export function functionsDigest(functions: readonly FileChecksum[]): string {
  return sha256(functions.map(checksumLine).join(''));
}

/** A line of a list of checksums, as sha256sum writes it. */
export function checksumLine({ name, sha256: checksum }: FileChecksum): string {
  return `${checksum}  ${name}.sql\n`;
}

/** Reads the files by name. Line ends don't count, since a checkout may change them. */
async function readSqlFiles(directory: string): Promise<readonly SqlFile[]> {
  const files = (await readdir(directory)).filter((file) => file.endsWith('.sql')).toSorted();
  return Promise.all(
    files.map(async (file) => {
      const sql = (await readFile(join(directory, file), 'utf8')).replaceAll('\r\n', '\n');
      return { name: file.slice(0, -'.sql'.length), sha256: sha256(sql), sql };
    }),
  );
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
