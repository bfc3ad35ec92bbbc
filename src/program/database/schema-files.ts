import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

// The schema of this program: migrations/ has the steps that make tables, types and indexes, one per file; functions/
// has the current functions, one per file.

/** One SQL file: its name without the extension, and its checksum with line ends normalized. */
export interface SqlFile {
  readonly name: string;
  readonly sha256: string;
  readonly sql: string;
}

/** A file's name and checksum, as listed beside the files and in a database. */
export type FileChecksum = Pick<SqlFile, 'name' | 'sha256'>;

export interface SchemaFiles {
  /** In the order in which they are applied. */
  readonly migrations: readonly SqlFile[];
  readonly functions: readonly SqlFile[];
  /** The digests of all landed sets of functions, including the current one. */
  readonly landedFunctions: ReadonlySet<string>;
}

/** The directory of this program's migrations and functions. */
export const schemaDirectory = import.meta.dirname;

/** The list of landed sets of functions: a line with the digest of each, the latest last. */
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

/** Identifies a set of functions: the checksum of their list of checksums. */
export function functionsDigest(functions: readonly FileChecksum[]): string {
  return sha256(functions.map(checksumLine).join(''));
}

/** A line of a list of checksums, as sha256sum writes it. */
export function checksumLine({ name, sha256: checksum }: FileChecksum): string {
  return `${checksum}  ${name}.sql\n`;
}

/** Reads the files, sorted by name. Line ends are normalized, since a checkout may change them. */
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
