import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startTestDatabase } from '../../test/support/database.ts';
import { schemaSnapshot } from './schema-snapshot.ts';

test('schema.sql is what migrations and functions make; if not, run: node tools/schema-snapshot.ts', async () => {
  const { database, stop } = await startTestDatabase();
  try {
    const committed = await readFile(join(import.meta.dirname, 'schema.sql'), 'utf8');
    expect(await schemaSnapshot(database)).toBe(committed);
  } finally {
    await stop();
  }
});
