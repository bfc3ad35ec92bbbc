import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listNewMigrations } from '../src/database/migration-checksums.ts';
import { schemaSnapshot } from '../src/database/schema-snapshot.ts';
import { startTestDatabase } from '../test/support/database.ts';

// Writes src/database/schema.sql anew, and adds new migrations to the list of checksums: run it after adding a migration,
// with `node tools/schema-snapshot.ts`.

await listNewMigrations();
const { database, stop } = await startTestDatabase();
try {
  await writeFile(join(import.meta.dirname, '..', 'src', 'database', 'schema.sql'), await schemaSnapshot(database));
} finally {
  await stop();
}
