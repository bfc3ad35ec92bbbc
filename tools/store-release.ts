import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSchemaFiles, schemaDirectory, schemaList } from '../src/program/database/schema-files.ts';
import { PROGRAM_VERSION } from '../src/lib/program-version.ts';
import { RECORDED_IN, storedStatements } from '../test/database/recorded-statements.ts';
import { interfaceOf, interfacePath } from '../test/database/release-interface.ts';
import { startTestDatabase } from '../test/support/database.ts';
import { ROOT, run } from './installed-once.ts';

// Stores what the next release is held to, so that this one can serve beside it: run it once, on the tag of a release, with
// `node tools/store-release.ts`. It lists the release's files and the statements that its code sends in its tests.

const TESTS = ['src/control', 'src/program/database', 'src/program/app', 'src/gate/principals'];
const RECORDER = new URL('../test/database/record-statements.ts', import.meta.url).href;

const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, encoding: 'utf8' });
if (status !== 0) throw new Error('a release is a commit: run this in a clone');
const commit = stdout.trim();

const directory = mkdtempSync(join(tmpdir(), 'faregate-statements-'));
process.env[RECORDED_IN] = directory;
process.env['NODE_OPTIONS'] = `--disable-warning=ExperimentalWarning --import=${RECORDER}`;
run(join(ROOT, 'tools/with-node'), ['vitest', 'run', '--project', 'unit', ...TESTS]);
const recorded = readdirSync(directory).map((file) => readFileSync(join(directory, file), 'utf8'));
rmSync(directory, { recursive: true });

const files = await readSchemaFiles(schemaDirectory);
writeFileSync(join(schemaDirectory, 'releases', PROGRAM_VERSION), schemaList(files));
const { database, stop } = await startTestDatabase();
try {
  const stored = await interfaceOf(database, storedStatements(recorded));
  writeFileSync(interfacePath(PROGRAM_VERSION), `${JSON.stringify(stored, null, 1)}\n`);
} finally {
  await stop();
}
writeFileSync(
  join(ROOT, 'test/upgrade/last-release.json'),
  `${JSON.stringify({ version: PROGRAM_VERSION, commit }, null, 2)}\n`,
);
