import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { recordSchema } from '../src/program/database/landed-schema.ts';
import { schemaDirectory } from '../src/program/database/schema-files.ts';
import { schemaSnapshot } from '../src/program/database/schema-snapshot.ts';
import { startTestDatabase } from '../test/support/database.ts';

// Writes src/program/database/schema.sql, and adds new migrations and a new set of functions to the lists of those that have
// landed: run it after adding a migration or changing a function, with `node tools/schema-snapshot.ts`.

await recordSchema();
const { database, stop } = await startTestDatabase();
try {
  await writeFile(join(schemaDirectory, 'schema.sql'), await schemaSnapshot(database));
} finally {
  await stop();
}
