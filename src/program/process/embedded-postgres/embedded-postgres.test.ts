import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { appendFile, chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { layCluster } from '../../../../test/support/prepared-cluster.ts';
import { openDatabase, type Database } from '../../database/pool.ts';
import { findClusterDirectory, initialiseCluster } from './cluster-directory.ts';
import { EmbeddedPostgresFault } from './embedded-postgres-fault.ts';
import { startEmbeddedPostgres, type EmbeddedPostgres } from './embedded-postgres.ts';

const isRoot = process.getuid?.() === 0;
let parent: string;
let path: string;
let said: string[];
let instanceId: string;
const ended: (() => unknown)[] = [];

beforeEach(async () => {
  parent = await mkdtemp(join(tmpdir(), 'faregate-embedded-'));
  if (isRoot) await chmod(parent, 0o755);
  path = join(parent, 'data');
  await mkdir(path, { mode: 0o700 });
  instanceId = randomUUID();
  said = [];
});
afterEach(async () => {
  for (const end of ended.splice(0).toReversed()) await end();
  await rm(parent, { recursive: true, force: true });
});

async function start(directory = path): Promise<EmbeddedPostgres> {
  const say = (message: string): void => void said.push(message);
  const log = { debug: () => undefined, info: say, warn: say, error: say };
  const postgres = await startEmbeddedPostgres({ dataDirectory: { path: directory, instanceId }, log });
  ended.push(() => postgres.stop());
  return postgres;
}

async function using<Result>(postgres: EmbeddedPostgres, work: (db: Database) => Promise<Result>): Promise<Result> {
  const { socketDirectory, user, database } = postgres;
  const db = openDatabase({
    connection: { socketDirectory, user, database },
    connectionsMax: 2,
    applicationName: 'test',
  });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}

const show = (postgres: EmbeddedPostgres, setting: string): Promise<string | undefined> =>
  using(
    postgres,
    async (db) => (await db.query<{ value: string }>('select current_setting($1) as value', [setting]))[0]?.value,
  );

/** Starts a gateway's stand-in in another process, which says its server's socket once it is up. */
async function startElsewhere(source = ''): Promise<ChildProcess> {
  const module = new URL('./embedded-postgres.ts', import.meta.url).href;
  const log = `const log = Object.fromEntries(['debug', 'info', 'warn', 'error'].map((level) => [level, () => {}]));`;
  const script = `const { startEmbeddedPostgres } = await import(${JSON.stringify(module)}); ${log}
    process.stdout.write('starting');
    const postgres = await startEmbeddedPostgres({ dataDirectory: ${JSON.stringify({ path, instanceId })}, log }); ${source}
    process.stdout.write(postgres.socketDirectory); setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  ended.push(() => child.kill('SIGKILL'));
  await once(child.stdout ?? child, 'data');
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'exit');
}

async function serverPid(): Promise<number> {
  return Number.parseInt(await readFile(join(path, 'postgres', 'postmaster.pid'), 'utf8'), 10);
}

/** Not so for a zombie, which nobody has collected because its parent was killed. */
async function isAlive(pid: number): Promise<boolean> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'stat=', '-p', String(pid)]).catch(() => ({ stdout: '' }));
  return stdout.trim() !== '' && !stdout.startsWith('Z');
}

test('the embedded server listens on a private socket alone, durable, and keeps its data over a restart', async () => {
  const first = await start();
  expect(first.socketDirectory).toBe(join(path, 'postgres'));
  expect((await stat(first.socketDirectory)).mode & 0o777).toBe(0o700);
  expect(await show(first, 'listen_addresses')).toBe('');
  expect(await show(first, 'fsync')).toBe('on');
  expect(await show(first, 'server_encoding')).toBe('UTF8');
  await using(first, (db) => db.query('create table kept as select 1 as one'));
  await first.stop();
  expect(await first.exited).toEqual({ code: 0, signal: null });
  await first.stop();
  const second = await start();
  expect(await using(second, (db) => db.query('select one from kept'))).toEqual([{ one: 1 }]);
});

test('the embedded server tells when it ends unasked, and comes back from that with what was committed', async () => {
  const first = await start();
  await using(first, (db) => db.query('create table kept as select 1 as one'));
  process.kill(await serverPid(), 'SIGKILL');
  expect(await first.exited).toEqual({ code: null, signal: 'SIGKILL' });
  const second = await start();
  expect(await using(second, (db) => db.query('select one from kept'))).toEqual([{ one: 1 }]);
});

test('the embedded server is taken over from a gateway that was killed alone', async () => {
  const gateway = await startElsewhere();
  await once(gateway.stdout ?? gateway, 'data');
  const orphan = await serverPid();
  await kill(gateway);
  expect(await isAlive(orphan)).toBe(true);
  const postgres = await start();
  expect(await isAlive(orphan)).toBe(false);
  expect(said.join()).toContain('left behind');
  expect(await show(postgres, 'fsync')).toBe('on');
});

test('the embedded server does not mind a pid file whose number has become another program’s', async () => {
  await layCluster(path);
  const innocent = spawn('sleep', ['1000'], { stdio: 'ignore' });
  ended.push(() => innocent.kill('SIGKILL'));
  const cluster = join(path, 'postgres');
  const lines = [innocent.pid, cluster, 1_700_000_000, 5432, cluster, '', '  5432001         0', 'ready   ', ''];
  await writeFile(join(cluster, 'postmaster.pid'), lines.join('\n'));
  await writeFile(join(cluster, '.s.PGSQL.5432.lock'), lines.slice(0, 5).join('\n'));
  expect(await show(await start(), 'fsync')).toBe('on');
  expect(await isAlive(innocent.pid ?? 0)).toBe(true);
});

test('the embedded server does not mind an empty pid file', async () => {
  await layCluster(path);
  await writeFile(join(path, 'postgres', 'postmaster.pid'), '');
  expect(await show(await start(), 'fsync')).toBe('on');
});

test('the embedded server starts over after a first boot that was killed while it made the database', async () => {
  const gateway = await startElsewhere();
  await expect
    .poll(async () => (await readdir(path)).some((entry) => entry.startsWith('postgres.draft-')), { interval: 5 })
    .toBe(true);
  await delay(150);
  await kill(gateway);
  const postgres = await start();
  expect(await show(postgres, 'fsync')).toBe('on');
  expect(await readdir(path)).toContain('postgres');
});

test.each([
  ['postgresql.conf', 'fsync'],
  ['postgresql.auto.conf', 'full_page_writes'],
  ['postgresql.conf', 'synchronous_commit'],
])('the embedded server is refused with %s turning %s off', async (file, setting) => {
  await layCluster(path);
  await appendFile(join(path, 'postgres', file), `\n${setting} = off\n`);
  const refusal = await start().catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(EmbeddedPostgresFault);
  expect((refusal as Error).message).toContain(`${setting} = off`);
  expect(await readdir(join(path, 'postgres'))).not.toContain('postmaster.pid');
});

test('the embedded server says in one line why it does not start', async () => {
  await layCluster(path);
  await appendFile(join(path, 'postgres', 'postgresql.conf'), '\nmax_connections = many\n');
  await expect(start()).rejects.toThrow(/did not start on .*configuration file/);
  await writeFile(join(path, 'postgres', 'PG_VERSION'), '14\n');
  await expect(start()).rejects.toThrow(/made by PostgreSQL 14 and this program brings \d+/);
});

test('a database that could not be made leaves nothing in the data directory', async () => {
  const cluster = await findClusterDirectory({ path, instanceId });
  const program = join(parent, 'not-installed');
  const binaries = { initdb: program, postgres: program, major: '18' };
  await expect(initialiseCluster(cluster, binaries)).rejects.toThrow(EmbeddedPostgresFault);
  expect(await readdir(path)).toEqual([]);
});

test('the embedded server serves a data directory deeper than a socket path may be long', async () => {
  const deep = join(parent, 'a'.repeat(60), 'b'.repeat(60));
  await mkdir(deep, { recursive: true });
  const postgres = await start(deep);
  expect(Buffer.byteLength(postgres.socketDirectory)).toBeLessThan(90);
  expect((await stat(postgres.socketDirectory)).mode & 0o777).toBe(0o700);
  expect(await show(postgres, 'data_directory')).toBe(join(deep, 'postgres'));
  process.kill(Number.parseInt(await readFile(join(deep, 'postgres', 'postmaster.pid'), 'utf8'), 10), 'SIGKILL');
  await postgres.exited;
  const next = await start(deep);
  await expect(stat(postgres.socketDirectory)).rejects.toThrow('ENOENT');
  await next.stop();
  await expect(stat(next.socketDirectory)).rejects.toThrow('ENOENT');
});

test.skipIf(!isRoot)(
  'the embedded server runs as another user than root, which passes through the data directory unseen',
  async () => {
    await start();
    expect((await stat(join(path, 'postgres'))).uid).not.toBe(0);
    expect((await stat(path)).mode & 0o777).toBe(0o710);
    expect((await stat(path)).uid).toBe(0);
  },
);

test.skipIf(!isRoot)(
  'the embedded server of a root whose data directory others cannot enter lies in /var/lib, and is found again',
  async () => {
    await chmod(parent, 0o700);
    const outside = join('/var/lib/faregate', instanceId);
    ended.push(() => rm(outside, { recursive: true, force: true }));
    const first = await start();
    expect(said.join()).toContain(`the database is in ${outside}`);
    await using(first, (db) => db.query('create table kept as select 1 as one'));
    await first.stop();
    await chmod(parent, 0o755);
    expect(await using(await start(), (db) => db.query('select one from kept'))).toEqual([{ one: 1 }]);
  },
);
