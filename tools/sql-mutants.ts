import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sqlMutants } from '../test/database/sql-mutants.ts';

// npm run mutants -- [--only TEXT]: whether the tests of the database notice what is left out of its functions and tables,
// one thing at a time. Ends with 1 if something goes unnoticed. It takes some twenty seconds for each.

const TESTS = ['src/database', 'src/ledger', 'src/accounts'];
/** It compares the text of the schema, so it would notice all of them, and say nothing of what they do. */
const SNAPSHOT = 'src/database/schema-snapshot.test.ts';

async function isNoticed(sql: string): Promise<boolean> {
  const root = join(import.meta.dirname, '..');
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const child = spawn(process.execPath, [vitest, 'run', '--bail=1', `--exclude=${SNAPSHOT}`, ...TESTS], {
    cwd: root,
    stdio: 'ignore',
    env: { ...process.env, FAREGATE_TEST_SQL: sql },
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code !== 0;
}

const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } });
const mutants = await sqlMutants();
const chosen = mutants.filter(({ name }) => name.includes(values.only));
let unnoticed = 0;
for (const { name, sql } of chosen) {
  const noticed = await isNoticed(sql);
  if (!noticed) unnoticed += 1;
  process.stdout.write(`${noticed ? 'noticed  ' : 'UNNOTICED'} ${name}\n`);
}
process.stdout.write(`${chosen.length - unnoticed} of ${chosen.length} noticed\n`);
process.exitCode = unnoticed === 0 ? 0 : 1;
