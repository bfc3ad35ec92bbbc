import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { schemaSnapshot } from '../src/database/schema-snapshot.ts';
import { startTestDatabase } from '../test/support/database.ts';

// Writes src/database/schema.sql anew: run it after adding a migration, with `node tools/schema-snapshot.ts`.

const { database, stop } = await startTestDatabase();
try {
  await writeFile(join(import.meta.dirname, '..', 'src', 'database', 'schema.sql'), await schemaSnapshot(database));
} finally {
  await stop();
}
