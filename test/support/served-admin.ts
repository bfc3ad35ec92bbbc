import { serve } from '@hono/node-server';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type AdminClient, createAdminClient } from '../../src/control/admin/client.ts';
import type { AdminApp } from '../../src/control/admin/route-access.ts';

/** An admin app that listens, and a client of it. */
export interface ServedAdmin {
  readonly url: string;
  readonly client: AdminClient;
  readonly close: () => Promise<void>;
}

/** Serves the app; its client sends this token. */
export async function serveAdmin(app: Pick<AdminApp, 'fetch'>, token: string): Promise<ServedAdmin> {
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' });
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () => new Promise<void>((resolve) => void server.close(() => resolve()));
  return { url, client: createAdminClient({ url, token }), close };
}
