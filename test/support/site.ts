import { afterAll, inject } from 'vitest';
import { type AdminClient, createAdminClient } from '../../src/control/admin/client.ts';
import type { Database } from '../../src/program/database/pool.ts';
import { openEmbeddedDatabase } from './program.ts';

/** A started program, as far as a browser test needs it. */
export interface Site {
  readonly url: string;
  readonly operatorToken: string;
  /** As the operator. */
  readonly admin: AdminClient;
}

const databases: Database[] = [];

afterAll(async () => {
  await Promise.all(databases.splice(0).map((database) => database.close()));
});

/** The database under the shared program; closed with the test file. */
export async function openSharedDatabase(): Promise<Database> {
  const database = await openEmbeddedDatabase(inject('sharedSite').data);
  databases.push(database);
  return database;
}

/** The program that all files of browser tests share. It sells the sandbox; each test works in a workspace of its own. */
export function sharedSite(): Site {
  const { url, operatorToken } = inject('sharedSite');
  return { url, operatorToken, admin: createAdminClient({ url, token: operatorToken }) };
}
