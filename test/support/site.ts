import { inject } from 'vitest';
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

/** The database under the shared program; the caller closes it. */
export function openSharedDatabase(): Promise<Database> {
  return openEmbeddedDatabase(inject('sharedSite').data);
}

/** The program that all files of browser tests share. It sells the sandbox; each test works in a workspace of its own. */
export function sharedSite(): Site {
  const { url, operatorToken } = inject('sharedSite');
  return { url, operatorToken, admin: createAdminClient({ url, token: operatorToken }) };
}
