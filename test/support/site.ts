import { inject } from 'vitest';
import { type AdminClient, createAdminClient } from '../../src/admin/client.ts';

/** A started program, as far as a browser test needs it. */
export interface Site {
  readonly url: string;
  readonly operatorToken: string;
  /** As the operator. */
  readonly admin: AdminClient;
}

/** The program that all files of browser tests share. It sells the sandbox; each test works in a workspace of its own. */
export function sharedSite(): Site {
  const { url, operatorToken } = inject('sharedSite');
  return { url, operatorToken, admin: createAdminClient({ url, token: operatorToken }) };
}
