import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestDatabase, type TestDatabase } from '../../../test/support/database.ts';
import { definedFunctions } from '../../../test/support/defined-functions.ts';
import { applyFunctions } from './apply-functions.ts';
import { readSchemaFiles, schemaDirectory } from './schema-files.ts';
import { schemaSnapshot } from './schema-snapshot.ts';

let migrated: TestDatabase;
let committed: string;
beforeAll(async () => {
  migrated = await startTestDatabase();
  committed = await readFile(join(schemaDirectory, 'schema.sql'), 'utf8');
});
afterAll(() => migrated.stop());

test('schema.sql is what migrations make; if not, run: node tools/schema-snapshot.ts', async () => {
  expect(await schemaSnapshot(migrated.database)).toBe(committed);
});

test('schema.sql, loaded into an empty database, makes what migrations make; the functions complete it', async () => {
  const { database, stop } = await startTestDatabase({ migrated: false });
  try {
    await database.query(committed);
    expect(await schemaSnapshot(database)).toBe(committed);
    const { functions } = await readSchemaFiles(schemaDirectory);
    await database.transaction((tx) => applyFunctions(tx, functions, { functions, applied: [] }));
    expect(await schemaSnapshot(database)).toBe(committed);
    expect(await definedFunctions(database)).toEqual(await definedFunctions(migrated.database));
  } finally {
    await stop();
  }
});
