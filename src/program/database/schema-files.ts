import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compareVersions } from '../../lib/compare-versions.ts';
import { PROGRAM_VERSION } from '../../lib/program-version.ts';

// The schema of this program: migrations/ has the steps that make tables, types and indexes, one per file; functions/
// has the current functions, one per file. releases/ has a list of the files of each former release beside which this
// program may serve on one database, named for its version.

/** One SQL file: its name without the extension, and its checksum with line ends normalized. */
export interface SqlFile {
  readonly name: string;
  readonly sha256: string;
  readonly sql: string;
}

/** A file's name and checksum, as in the list in the files' directory and in a database. */
export type FileChecksum = Pick<SqlFile, 'name' | 'sha256'>;

/** The schema of one version of the program: its migrations in the order in which they are applied, and its functions. */
export interface Schema {
  readonly migrations: readonly FileChecksum[];
  readonly functions: readonly FileChecksum[];
}

/** The schema of a release. */
export interface Release extends Schema {
  readonly version: string;
}

export interface SchemaFiles extends Schema {
  readonly migrations: readonly SqlFile[];
  readonly functions: readonly SqlFile[];
  /** The digests of all landed sets of functions, including the current one. */
  readonly landedFunctions: ReadonlySet<string>;
  /** This program's version. */
  readonly version: string;
  /** The earlier releases that can serve on a database of this schema, the oldest first. */
  readonly releases: readonly Release[];
}

/** The directory of this program's migrations and functions. */
export const schemaDirectory = import.meta.dirname;

/** The list of landed sets of functions: a line with the digest of each, the latest last. */
export const LANDED_FUNCTIONS = join('functions', 'landed');

/** The lists of the files of earlier releases, in the format of sha256sum. */
const RELEASES = 'releases';

/** @throws Error if the directory has no migrations/, functions/ or releases/ */
export async function readSchemaFiles(directory: string): Promise<SchemaFiles> {
  const [migrations, functions, landed, releases] = await Promise.all([
    readSqlFiles(join(directory, 'migrations')),
    readSqlFiles(join(directory, 'functions')),
    readFile(join(directory, LANDED_FUNCTIONS), 'utf8'),
    readReleases(join(directory, RELEASES)),
  ]);
  const landedFunctions = new Set(linesOf(landed));
  return { migrations, functions, landedFunctions, version: PROGRAM_VERSION, releases };
}

/** Identifies a set of functions: the checksum of their list of checksums. */
export function functionsDigest(functions: readonly FileChecksum[]): string {
  return sha256(functions.map(checksumLine).join(''));
}

/** Identifies a schema: the checksum of its list. */
export function schemaDigest(schema: Schema): string {
  return sha256(schemaList(schema));
}

/** The files of a schema, in the format of sha256sum. */
export function schemaList({ migrations, functions }: Schema): string {
  const below = (folder: string) => (file: FileChecksum) => checksumLine({ ...file, name: `${folder}/${file.name}` });
  return [...migrations.map(below('migrations')), ...functions.map(below('functions'))].join('');
}

/** A line of a list of checksums, as sha256sum writes it. */
export function checksumLine({ name, sha256: checksum }: FileChecksum): string {
  return `${checksum}  ${name}.sql\n`;
}

/** Reads the lines of such a list. `where` names it. @throws Error if one is malformed */
export function parseChecksums(text: string, where: string): readonly FileChecksum[] {
  return linesOf(text).map((line) => {
    const { sha256: checksum, name } = /^(?<sha256>[0-9a-f]{64}) {2}(?<name>[\w/]+)\.sql$/.exec(line)?.groups ?? {};
    if (checksum === undefined || name === undefined) throw new Error(`${where} has a malformed line: ${line}`);
    return { name, sha256: checksum };
  });
}

async function readReleases(directory: string): Promise<readonly Release[]> {
  const versions = (await readdir(directory)).toSorted(compareVersions);
  return Promise.all(
    versions.map(async (version) => {
      const path = join(directory, version);
      const files = parseChecksums(await readFile(path, 'utf8'), path);
      const of = (folder: string): readonly FileChecksum[] =>
        files
          .filter(({ name }) => name.startsWith(`${folder}/`))
          .map((file) => ({ ...file, name: file.name.slice(folder.length + 1) }));
      return { version, migrations: of('migrations'), functions: of('functions') };
    }),
  );
}

function linesOf(text: string): readonly string[] {
  return text.split(/\r?\n/).filter((line) => line !== '');
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
