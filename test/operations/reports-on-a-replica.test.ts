import { afterAll, beforeAll, expect, test } from 'vitest';
import { databaseUrl } from '../support/external-postgres.ts';
import { type PostgresProxy, startPostgresProxy } from '../support/postgres-proxy.ts';
import { type Program, startProgram } from '../support/program.ts';
import { type ReplicatedPostgres, startReplicatedPostgres } from '../support/replicated-postgres.ts';

// An instance with a replica in its config: what is read there, and what becomes of reads without it.

let servers: ReplicatedPostgres;
/** Before the replica. */
let hop: PostgresProxy;
let program: Program;
let workspaceId: string;

const running = new AsyncDisposableStack();
afterAll(() => running.disposeAsync());

beforeAll(async () => {
  servers = await startReplicatedPostgres();
  running.defer(() => servers.stop());
  hop = await startPostgresProxy(servers.standby.port);
  running.defer(() => hop.stop());
  const name = await servers.primary.createDatabase();
  program = await startProgram({
    args: ['--bootstrap'],
    env: {
      DATABASE_URL: databaseUrl(servers.primary, name, servers.primary.port),
      DATABASE_REPLICA_URL: databaseUrl(servers.standby, name, hop.port),
    },
  });
  running.defer(() => program.dispose());
  const tenant = await program.createTenant({ credit: '5' });
  ({ workspaceId } = tenant);
  const body = { model: 'sandbox/echo', messages: [{ role: 'user', content: 'hi' }] };
  await program.chat(tenant.key, body);
}, 300_000);

const get = async (path: string): Promise<string> => {
  const response = await fetch(`${program.url}/admin/v1/${path}`, {
    headers: { authorization: `Bearer ${program.operatorToken}` },
  });
  const text = await response.text();
  expect({ path, status: response.status, text }).toMatchObject({ status: 200 });
  return text;
};

const receipts = async (): Promise<number> =>
  (JSON.parse(await get(`workspaces/${workspaceId}/receipts`)) as { readonly data: readonly object[] }).data.length;

const replicaProblems = async (): Promise<readonly string[]> =>
  (JSON.parse(await get('status')) as { readonly problems: readonly string[] }).problems.filter((problem) =>
    problem.includes('the replica'),
  );

test('each list, export and report is read from a standby, which needs nothing that a primary has', async () => {
  // Usage is counted by the primary, a moment after a receipt has been settled.
  await expect.poll(receipts, { timeout: 30_000 }).toBe(1);
  await expect.poll(replicaProblems, { timeout: 30_000 }).toEqual([]);
  const month = new Date().toISOString().slice(0, 7);
  for (const path of [
    'usage',
    'usage?group_by=key',
    'usage/export',
    `statement?month=${month}`,
    `statement/export?month=${month}`,
    'export/receipts',
    'export/entries',
    'audit',
    'audit/export',
    'receipts',
    'refusals',
  ]) {
    const before = hop.statements.length;
    await get(`workspaces/${workspaceId}/${path}`);
    // A transaction's begin, its statement and its commit.
    const isRead = hop.statements.length > before + 2;
    expect({ path, isRead, problems: await replicaProblems() }).toEqual({ path, isRead: true, problems: [] });
  }
  for (const path of ['usage', 'refusals', 'refusals/counts']) await get(path);
  expect(await replicaProblems()).toEqual([]);
});

test('while the replica is away, its reads come from the primary, and the status says so', async () => {
  hop.cut();
  expect(await receipts()).toBe(1);
  await expect.poll(replicaProblems, { timeout: 30_000 }).toHaveLength(1);
  hop.mend();
  await expect.poll(replicaProblems, { timeout: 30_000 }).toEqual([]);
});

test('a replica that follows no more is read until it is too far behind, and then the primary is', async () => {
  await servers.standby.run('select pg_wal_replay_pause()');
  await expect
    .poll(replicaProblems, { timeout: 60_000 })
    .toEqual([expect.stringMatching(/the replica is \d+ s behind/)]);
  expect(await receipts()).toBe(1);
  await servers.standby.run('select pg_wal_replay_resume()');
  await expect.poll(replicaProblems, { timeout: 60_000 }).toEqual([]);
});
