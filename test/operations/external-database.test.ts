import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile, chmod } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/program/database/pool.ts';
import type { SqlRunner } from '../../src/lib/sql.ts';
import { type MockUpstream, startMockUpstream } from '../support/aimock.ts';
import { databaseUrl, type ExternalPostgres, freePort, startExternalPostgres } from '../support/external-postgres.ts';
import { AFFORDABLE, CHARGE, CREDIT, HOLD, outputPricedConfig, REQUEST, USAGE } from '../support/output-priced.ts';
import { cleanEnvironment, type Program, runCommandProcess, startProgram } from '../support/program.ts';
import { startTransactionPooler } from './transaction-pooler.ts';

// The program on a PostgreSQL of the operator's own, over TCP and behind poolers in transaction mode: nothing happens
// there unasked, and the money is as true as it is on the embedded one.

const PARALLEL = 200;

let postgres: ExternalPostgres;
let upstream: MockUpstream;
let config: string;

/** What is to be ended in the end, the last first, however far it has come. */
const running = new AsyncDisposableStack();
afterAll(() => running.disposeAsync());

beforeAll(async () => {
  upstream = await startMockUpstream({ answerDelayMs: 20, usage: () => USAGE });
  running.defer(() => upstream.stop());
  postgres = await startExternalPostgres();
  running.defer(() => postgres.stop());
  // Patient, so that on a busy machine nobody gives up on money that is about to come free.
  config = outputPricedConfig(upstream, 'timeouts: { hold_wait: 20s }');
});

async function start(url: string, args: readonly string[] = []): Promise<Program> {
  const program = await startProgram({ config, args, env: { DATABASE_URL: url } });
  onTestFinished(() => program.dispose());
  return program;
}

test('on an empty database of its own, nothing is made or sold unasked, and an applied model is callable soon after', async () => {
  const program = await start(databaseUrl(postgres, await postgres.createDatabase(), postgres.port));
  expect(program.stdout()).not.toContain('fg_live_');
  expect(program.stdout()).toContain('faregate catalogue apply');
  expect(await program.json('workspace', 'list')).toEqual({ data: [] });

  const tenant = await program.createTenant({ credit: '1' });
  const before = await program.chat(tenant.key, REQUEST);
  expect(before.status).toBe(404);
  expect(await before.json()).toMatchObject({ error: { code: 'MODEL_NOT_FOUND', param: 'model' } });
  const { changes } = await program.json<{ changes: object[] }>('catalogue', 'diff');
  expect(changes).toMatchObject([{ model: 'output-priced' }]);

  expect(await program.json('catalogue', 'apply')).toMatchObject({ applied: [{ model: 'output-priced' }] });
  await expect
    .poll(async () => (await program.chat(tenant.key, REQUEST)).status, { timeout: 30_000, interval: 20 })
    .toBe(200);
  expect(await program.json('catalogue', 'diff')).toMatchObject({ changes: [] });
});

test('a start is refused on a database that was made before the first release, and changes nothing in it', async () => {
  const url = databaseUrl(postgres, await postgres.createDatabase(), postgres.port);
  const database = openDatabase({ connection: { url }, connectionsMax: 1, applicationName: 'test' });
  onTestFinished(() => database.close());
  await database.query(
    `create table schema_migrations (name text primary key, sha256 text not null, applied_at timestamptz);
     insert into schema_migrations values ('0001_initial', 'x', now())`,
  );
  const data = await mkdtemp(join(tmpdir(), 'faregate-refused-'));
  onTestFinished(() => rm(data, { recursive: true, force: true }));
  const env = cleanEnvironment({ FAREGATE_DATA: join(data, 'data'), DATABASE_URL: url });
  const { code, stdout, stderr } = await runCommandProcess(['start', '--port', '0'], env, data);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toMatch(/^faregate: the database was made by a program from before the first release, [^\n]+\n$/);
  const tables = await database.query(
    `select relname as name from pg_class where relnamespace = 'public'::regnamespace order by relname`,
  );
  expect(tables).toEqual([{ name: 'schema_migrations' }, { name: 'schema_migrations_pkey' }]);
});

test('on an empty database of its own, --bootstrap makes a first key, whose request is charged', async () => {
  const program = await start(databaseUrl(postgres, await postgres.createDatabase(), postgres.port), ['--bootstrap']);
  const answer = await program.chat(program.key, REQUEST);
  expect(answer.status).toBe(200);
  const receipt = await program.admin.showReceipt(answer.headers.get('x-request-id') ?? '');
  expect(receipt).toMatchObject({ charge_nano_usd: String(CHARGE), hold_nano_usd: String(HOLD) });
  expect(await program.cli('doctor')).toMatchObject({ code: 0 });
});

/** As many of many parallel requests succeed as the money allows, and the books are right to the last nano-USD. */
async function expectTrueMoney(program: Program): Promise<void> {
  for (const stream of [false, true]) {
    const tenant = await program.createTenant({ credit: '0.074' });
    const statuses = await Promise.all(
      Array.from({ length: PARALLEL }, async () => {
        const response = await program.chat(tenant.key, { ...REQUEST, stream });
        await response.text();
        return response.status;
      }),
    );
    expect(statuses.filter((status) => status === 200)).toHaveLength(AFFORDABLE);
    expect(statuses.filter((status) => status === 402)).toHaveLength(PARALLEL - AFFORDABLE);
    expect(await program.admin.showWorkspace(tenant.workspaceId)).toMatchObject({
      balance_nano_usd: String(CREDIT - CHARGE * BigInt(AFFORDABLE)),
    });
  }
  expect(await program.admin.verifyLedger()).toMatchObject({ ok: true });
}

test('behind a pooler in transaction mode, each transaction, and nothing beyond it, has a connection to itself', async () => {
  const database = await postgres.createDatabase();
  const target = { targetPort: postgres.port, user: postgres.user, database, connections: 2 };
  const pooler = await startTransactionPooler(target);
  onTestFinished(() => pooler.stop());
  const client = openDatabase({
    connection: { url: databaseUrl(postgres, database, pooler.port) },
    connectionsMax: 1,
    applicationName: 'faregate-test',
  });
  onTestFinished(() => client.close());
  const backend = async (sql: SqlRunner): Promise<unknown> => (await sql.query('select pg_backend_pid() as pid'))[0];
  const [one, other] = [await backend(client), await backend(client)];
  expect(one).not.toEqual(other);
  const within = await client.transaction(async (tx) => [await backend(tx), await backend(tx)]);
  expect(within[0]).toEqual(within[1]);
  // Meant for a session, it meets whoever comes next instead.
  await client.query(`set application_name to 'left behind'`);
  const names = [await applicationName(client), await applicationName(client)];
  expect(names.filter((name) => name === 'left behind')).toHaveLength(1);
});

test('behind a pooler in transaction mode, money stays true when each transaction meets another connection', async () => {
  const database = await postgres.createDatabase();
  const pooler = await startTransactionPooler({
    targetPort: postgres.port,
    user: postgres.user,
    database,
    connections: 3,
  });
  onTestFinished(() => pooler.stop());
  const program = await start(databaseUrl(postgres, database, pooler.port), ['--bootstrap']);
  await expectTrueMoney(program);
  expect(pooler.transactions()).toBeGreaterThan(50);
  // It was itself through this pooler that it began, so another life must find everything there too.
  expect(await program.signal('SIGINT')).toBe(0);
  const again = await program.restart();
  onTestFinished(() => again.dispose());
  expect((await again.chat(program.key, REQUEST)).status).toBe(200);
});

test('behind a pooler in transaction mode, money stays true behind PgBouncer itself', async ({ skip }) => {
  const installed = await promisify(execFile)('pgbouncer', ['--version']).catch(() => null);
  if (installed === null) return skip('pgbouncer is not installed');
  const database = await postgres.createDatabase();
  const port = await startPgBouncer(database);
  await expectTrueMoney(await start(databaseUrl(postgres, database, port), ['--bootstrap']));
});

async function applicationName(sql: SqlRunner): Promise<string | undefined> {
  const [row] = await sql.query<{ name: string }>(`select current_setting('application_name') as name`);
  return row?.name;
}

/** Starts PgBouncer with a pool of three connections; it is ended after the test. Answers with its port. */
async function startPgBouncer(database: string): Promise<number> {
  const directory = await mkdtemp(join(tmpdir(), 'faregate-pgbouncer-'));
  await chmod(directory, 0o755);
  const port = await freePort();
  const settings = [
    '[databases]',
    // The client's name isn't asked for: everybody is logged in as the user that is named here.
    `${database} = host=127.0.0.1 port=${postgres.port} user=${postgres.user}`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    'default_pool_size = 3',
  ];
  const file = join(directory, 'pgbouncer.ini');
  await writeFile(file, `${settings.join('\n')}\n`);
  const asRoot = process.getuid?.() === 0;
  const child = spawn('pgbouncer', ['-q', ...(asRoot ? ['-u', 'nobody'] : []), file], { stdio: 'ignore' });
  const exited = once(child, 'exit');
  onTestFinished(async () => {
    child.kill('SIGINT');
    await exited;
    await rm(directory, { recursive: true, force: true });
  });
  await expect.poll(() => takesConnections(port), { timeout: 5_000, interval: 10 }).toBe(true);
  return port;
}

async function takesConnections(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const taken = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return taken;
}
