import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { canReach } from '../../src/program/process/embedded-postgres/server-account.ts';
import { type Program, startProgram } from '../support/program.ts';

// The program with the PostgreSQL that it brings along, as it lives on a machine: started, stopped, killed, and
// started again.

const isRoot = process.getuid?.() === 0;

/** Whether the process runs; one that nobody has collected after its end does not. */
async function isAlive(pid: number): Promise<boolean> {
  const { stdout } = await promisify(execFile)('ps', ['-o', 'stat=', '-p', String(pid)]).catch(() => ({ stdout: '' }));
  return stdout.trim() !== '' && !stdout.startsWith('Z');
}

/** Makes a request that is paid for; answers with its id. */
async function spend(program: Program, key: string): Promise<string> {
  const answer = await program.chat(key, { model: 'sandbox/echo', messages: [{ role: 'user', content: 'hi' }] });
  expect(answer.status).toBe(200);
  await answer.text();
  return answer.headers.get('x-request-id') ?? '';
}

async function expectReceipts(program: Program, ids: readonly string[]): Promise<void> {
  const admin = program.admin;
  for (const id of ids) expect(await admin.showReceipt(id)).toMatchObject({ request_id: id, outcome: 'completed' });
  expect(await admin.verifyLedger()).toMatchObject({ ok: true, receipts: ids.length });
}

describe('an instance', () => {
  let program: Program;
  let key: string;
  const settled: string[] = [];

  beforeAll(async () => {
    program = await startProgram({ makesDatabase: true });
    ({ key } = program);
    settled.push(await spend(program, key));
  });
  afterAll(() => program.dispose());

  const restart = async (): Promise<void> => {
    program = await program.restart();
    expect(program.key).toBe('');
  };

  /** The first SIGTERM is for load balancers, the second for those who won't wait for them. */
  async function endHurried(): Promise<number | null> {
    const ended = program.signal('SIGTERM');
    const readiness = async (): Promise<number> => (await fetch(`${program.url}/readyz`)).status;
    await expect.poll(readiness, { timeout: 15_000, interval: 10 }).toBe(503);
    await program.signal('SIGTERM');
    return await ended;
  }

  test('an instance has a durable database that nobody else reaches', async () => {
    const database = await program.openDatabase();
    const settings = ['fsync', 'full_page_writes', 'synchronous_commit', 'listen_addresses', 'unix_socket_permissions'];
    const shown = await database.query<{ value: string }>(
      'select current_setting(name) as value from unnest($1::text[]) with ordinality as s (name, place) order by place',
      [settings],
    );
    expect(shown.map(({ value }) => value)).toEqual(['on', 'on', 'on', '', '0700']);
    expect(await listeningPorts(await program.postmasterPid())).toEqual([]);

    expect((await stat(program.data)).mode & 0o067).toBe(0);
    const cluster = await stat(join(program.data, 'postgres'));
    expect(cluster.mode & 0o777).toBe(0o700);
    expect(cluster.uid === 0).toBe(false);
    for (const file of ['operator-token', 'instance-id']) {
      expect((await stat(join(program.data, file))).mode & 0o077).toBe(0);
    }
  });

  test.each([
    { said: 'SIGINT', end: () => program.signal('SIGINT') },
    { said: 'SIGTERM twice', end: endHurried },
  ])('an instance that gets $said ends what runs, then itself and its database', async ({ end }) => {
    const postgres = await program.postmasterPid();
    const slow = await program.chat(key, {
      model: 'sandbox/slow',
      stream: true,
      messages: [{ role: 'user', content: 'take your time' }],
    });
    expect(slow.status).toBe(200);
    const [text, code] = await Promise.all([slow.text(), end()]);
    expect(text).toMatch(/data: \[DONE\]\n\n$/);
    expect(code).toBe(0);
    expect(await isAlive(postgres)).toBe(false);
    expect(await readdir(join(program.data, 'postgres'))).not.toContain('postmaster.pid');
    settled.push(slow.headers.get('x-request-id') ?? '');
    await restart();
    await expectReceipts(program, settled);
  });

  test('an instance that is killed alone stops the database it left behind, and has lost nothing', async () => {
    settled.push(await spend(program, key));
    const orphan = await program.postmasterPid();
    await program.signal('SIGKILL');
    expect(await isAlive(orphan)).toBe(true);
    await restart();
    expect(await isAlive(orphan)).toBe(false);
    await expectReceipts(program, settled);
  });

  test('an instance that is killed with its database has lost nothing', async () => {
    settled.push(await spend(program, key));
    process.kill(await program.postmasterPid(), 'SIGKILL');
    await program.signal('SIGKILL');
    await restart();
    await expectReceipts(program, settled);
  });

  test("an instance whose pid file names somebody else's process leaves that one alone", async () => {
    const postgres = await program.postmasterPid();
    const pidFile = join(program.data, 'postgres', 'postmaster.pid');
    const lines = (await readFile(pidFile, 'utf8')).split('\n');
    process.kill(postgres, 'SIGKILL');
    await program.signal('SIGKILL');
    await writeFile(pidFile, [String(process.pid), ...lines.slice(1)].join('\n'));
    await restart();
    await expectReceipts(program, settled);
  });
});

/** The TCP ports that a process listens on; none are known where the system doesn't tell. */
async function listeningPorts(pid: number): Promise<string[]> {
  if (process.platform !== 'linux') return [];
  const descriptors = await readdir(`/proc/${pid}/fd`);
  const targets = await Promise.all(descriptors.map((each) => readlink(`/proc/${pid}/fd/${each}`).catch(() => '')));
  const inodes = targets.map((target) => /^socket:\[(\d+)\]$/.exec(target)?.[1]).filter((inode) => inode !== undefined);
  const tables = await Promise.all(['tcp', 'tcp6'].map((table) => readFile(`/proc/net/${table}`, 'utf8')));
  const rows = tables.flatMap((table) => table.split('\n').slice(1)).map((line) => line.trim().split(/\s+/));
  const listening = '0A';
  return rows
    .filter(([, , , state, , , , , , inode]) => state === listening && inodes.includes(inode ?? ''))
    .map(([, local]) => local ?? '');
}

test('a data directory deeper than the path of a socket may be long is served', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'faregate-deep-'));
  onTestFinished(() => rm(parent, { recursive: true, force: true }));
  const root = join(parent, 'deep-'.repeat(12), 'deeper-'.repeat(12));
  await mkdir(root, { recursive: true });
  await chmod(parent, 0o711);
  const program = await startProgram({ data: root });
  onTestFinished(() => program.dispose());
  expect(Buffer.byteLength(program.data)).toBeGreaterThan(107);
  await spend(program, program.key);
  const [, , , , socketDirectory = ''] = (
    await readFile(join(program.data, 'postgres', 'postmaster.pid'), 'utf8')
  ).split('\n');
  expect((await stat(socketDirectory)).mode & 0o777).toBe(0o700);
  expect(await program.signal('SIGINT')).toBe(0);
  await expect(stat(socketDirectory)).rejects.toThrow('ENOENT');
});

test('an ordinary user starts the program without root', async ({ skip }) => {
  // Started by an ordinary user, every other test shows the same.
  if (!isRoot) return skip('the tests are run by an ordinary user already');
  const user = { uid: 65_534, gid: 65_534 };
  const account = { ...user, name: 'nobody', foreign: true };
  const installed = fileURLToPath(new URL('../../node_modules', import.meta.url));
  if (!(await canReach(account, installed))) return skip('nobody else may enter the directory of the program');
  const program = await startProgram({ user });
  onTestFinished(() => program.dispose());
  await spend(program, program.key);
  expect((await stat(join(program.data, 'postgres'))).uid).toBe(user.uid);
  expect((await stat(program.data)).mode & 0o777).toBe(0o700);
  expect(await program.cli('doctor')).toMatchObject({ code: 0 });
});

describe('a first boot', () => {
  let root: string;
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'faregate-boots-'));
    await chmod(root, 0o711);
  });
  afterAll(() => rm(root, { recursive: true, force: true }));

  const entries = async (path: string): Promise<string[]> => readdir(join(root, 'data', path)).catch(() => []);
  const draft = async (): Promise<string[]> => {
    const name = (await entries('')).find((entry) => entry.startsWith('postgres.draft-'));
    return name === undefined ? [] : entries(name);
  };

  // Each kill finds what the one before it has left.
  test.each<[string, () => Promise<boolean>]>([
    ['has its data directory', async () => (await entries('')).length > 0],
    ['begins to make its database', async () => (await draft()).length > 0],
    ['has made the half of it', async () => (await draft()).includes('postgresql.conf')],
    ['has made it', async () => (await entries('')).includes('postgres')],
    ['starts it', async () => (await entries('postgres')).includes('postmaster.pid')],
  ])('a first boot that is killed when it %s is in nobody’s way', async (_name, isThere) => {
    const starting = startProgram({ data: root, onSpawn: (pid) => void killWhen(pid, isThere) });
    await expect(starting).rejects.toThrow('the program ended with null');
  });

  test('a first boot that is interrupted no more ends with a key that works', async () => {
    const program = await startProgram({ data: root });
    onTestFinished(() => program.dispose());
    await spend(program, program.key);
    expect((await entries('')).filter((entry) => entry.includes('draft'))).toEqual([]);
    expect(await program.admin.verifyLedger()).toMatchObject({ ok: true });
  });
});

async function killWhen(pid: number, isThere: () => Promise<boolean>): Promise<void> {
  while (!(await isThere())) await new Promise((resolve) => setImmediate(resolve));
  process.kill(pid, 'SIGKILL');
}
