import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { freePort } from '../support/external-postgres.ts';
import { fatalError, MessageReader, postgresMessage } from '../support/postgres-messages.ts';
import { programLauncher } from '../support/built-program.ts';
import { cleanEnvironment, type Program, startProgram } from '../support/program.ts';
import type { CliResult } from '../support/run-command.ts';

// A start that can't succeed ends with exit code 1 and one line on stderr that says what is wrong and what to do, and
// leaves nothing running.

const END_MS_MAX = 30_000;

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'faregate-failures-'));
  await chmod(directory, 0o711);
});
afterEach(() => rm(directory, { recursive: true, force: true }));

/** Starts the program, which is to end by itself. */
async function start(args: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Promise<CliResult> {
  const child = spawn(await programLauncher(), ['start', ...args], {
    cwd: directory,
    env: cleanEnvironment({ FAREGATE_PORT: '0', ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: END_MS_MAX,
    killSignal: 'SIGKILL',
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const [code] = (await once(child, 'close')) as [number];
  return { code, stdout, stderr };
}

/** One line, for people, that says this; nothing on stdout; exit code 1. */
function expectOneLine({ code, stdout, stderr }: CliResult, says: RegExp): void {
  expect(stderr).toMatch(/^faregate: [^\n]+\n$/);
  expect(stderr).toMatch(says);
  expect(stderr).not.toMatch(/bug|\bat .*:\d+:\d+\)/);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
}

test('a start with more workers than the embedded database has connections for names the most, and starts nothing', async () => {
  expectOneLine(await start(['--workers', '29']), /server\.workers is 29, .* 28 workers at most: lower it/);
});

test.each([
  ['a key is unknown', 'server:\n  prot: 8080\n', /faregate\.yaml:2:3: .*"prot".*"port"/],
  ['it is no YAML', 'server: { port: 1\n', /faregate\.yaml:\d+:\d+: /],
])('a wrong configuration is refused before anything is made or opened: %s', async (_name, text, says) => {
  await writeFile(join(directory, 'faregate.yaml'), text);
  expectOneLine(await start(), says);
  expect(await readdir(directory)).toEqual(['faregate.yaml']);
});

test('a configuration file that is named and not there is refused before anything is made or opened', async () => {
  expectOneLine(await start(['--config', 'other.yaml']), /other\.yaml.*--config/);
});

test('a port or a database address that is none is refused before anything is made or opened', async () => {
  expectOneLine(await start(['--port', '70000']), /--port.*0 to 65535/);
  const result = await start([], { DATABASE_URL: 'mysql://root:hunter2@db/x' });
  expectOneLine(result, /DATABASE_URL.*postgres:\/\//);
  expect(result.stderr).not.toContain('hunter2');
  expect(await readdir(directory)).toEqual([]);
});

test('a data directory is refused when it lies below a file', async () => {
  await writeFile(join(directory, 'file'), '');
  expectOneLine(await start(['--data', 'file/data']), /file\/data can't be written.*--data/);
});

test('a data directory is refused when this user may not write it', async () => {
  // Root may write anything but a file system that takes no files.
  const isRoot = process.getuid?.() === 0;
  const data = isRoot ? '/proc/faregate' : join(directory, 'closed');
  if (!isRoot) await mkdir(data, { mode: 0o500 });
  expectOneLine(await start(['--data', data]), /can't be written \((EACCES|EPERM|ENOENT|EROFS)\).*--data/);
});

test('charges that another version of the program has journaled keep a start from losing them', async () => {
  const [journal, line] = [join(directory, 'data', 'journal'), '[99,"5f3759df",{"requestId":"r","fee":"7"}]\n'];
  await mkdir(journal, { recursive: true });
  await writeFile(join(journal, '7.jsonl'), line);
  expectOneLine(await start(), /journal\/7\.jsonl was written by another version.*version 99.*Start the version/);
  expect(await readdir(journal)).toEqual(['7.jsonl']);
  expect(await readFile(join(journal, '7.jsonl'), 'utf8')).toBe(line);
});

test('a database of the operator is refused when nothing answers at its address', async () => {
  const url = `postgres://faregate:hunter2@127.0.0.1:${await freePort()}/x`;
  const result = await start([], { DATABASE_URL: url });
  expectOneLine(result, /the database can't be reached: .*ECONNREFUSED/);
  expect(result.stderr).not.toContain('hunter2');
});

test('a database of the operator is refused when its name is nobody’s', async () => {
  const result = await start([], { DATABASE_URL: 'postgres://faregate@db.invalid/x' });
  expectOneLine(result, /the database can't be reached: .*db\.invalid/);
});

test('a database of the operator is refused when it is older than PostgreSQL 15', async () => {
  const server = await startFakePostgres((socket) => socket.write(versionAnswer(140_011, '14.11')));
  expectOneLine(await start([], { DATABASE_URL: server.url }), /PostgreSQL 14\.11.*version 15 or newer/);
  await server.stop();
});

test('a database of the operator that refuses is answered by a line that says what to do, and no password', async () => {
  const server = await startFakePostgres(() => undefined, fatalError('28P01', 'password authentication failed'));
  const result = await start([], { DATABASE_URL: server.url });
  expectOneLine(result, /password authentication failed.*28P01.*check the user and the password in database\.url/);
  expect(result.stderr).not.toContain('hunter2');
  await server.stop();
});

/** A server that lets everybody in, unless it has a refusal for them, and answers every query by the script. */
async function startFakePostgres(
  answer: (socket: Socket) => unknown,
  refusal: Buffer | null = null,
): Promise<{ url: string; stop(): Promise<void> }> {
  const welcome = Buffer.concat([postgresMessage('R', 0), postgresMessage('Z', Buffer.from('I'))]);
  const server = createServer((socket) => {
    const reader = new MessageReader('client');
    socket.on('error', () => socket.destroy());
    socket.on('data', (bytes: Buffer) => {
      for (const { type } of reader.push(bytes)) {
        if (type === '' && refusal !== null) socket.end(refusal);
        else if (type === '') socket.write(welcome);
        if (type === 'Q') answer(socket);
      }
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `postgres://faregate:hunter2@127.0.0.1:${port}/x`,
    async stop() {
      server.close();
      await once(server, 'close');
    },
  };
}

/** A row of the server's version, as a number and as people write it. */
function versionAnswer(number: number, version: string): Buffer {
  const text = 25;
  const short = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff]);
  const column = (name: string): (string | number | Buffer)[] => [name, 0, short(0), text, short(65_535), -1, short(0)];
  const value = (content: string): (number | Buffer)[] => [content.length, Buffer.from(content)];
  return Buffer.concat([
    postgresMessage('T', short(2), ...column('number'), ...column('version')),
    postgresMessage('D', short(2), ...value(String(number)), ...value(version)),
    postgresMessage('C', 'SELECT 1'),
    postgresMessage('Z', Buffer.from('I')),
  ]);
}

describe('beside an instance that runs, or has run,', () => {
  let program: Program;
  beforeAll(async () => {
    program = await startProgram();
  });
  afterAll(() => program.dispose());

  const data = (): readonly string[] => ['--data', program.data];

  test('beside an instance that runs, or has run, a second start on its data directory is refused, and leaves it be', async () => {
    expectOneLine(await start(data()), /in use by another running instance.*--data/);
    expect((await fetch(`${program.url}/readyz`)).status).toBe(200);
    expect((await program.cli('doctor')).code).toBe(0);
  });

  test('beside an instance that runs, or has run, a start on its port is refused, and takes its own database with it', async () => {
    const { port } = new URL(program.url);
    const result = await start(['--port', port]);
    expectOneLine(result, new RegExp(`127\\.0\\.0\\.1 port ${port} is in use by another program.*--port`));
    const own = join(directory, 'data', 'postgres');
    expect((await stat(own)).isDirectory()).toBe(true);
    expect(await readdir(own)).not.toContain('postmaster.pid');
  });

  test('beside an instance that runs, or has run, a start on what a newer version left is refused, as without fsync', async () => {
    const database = await program.openDatabase();
    await database.query(
      `insert into schema_files (kind, name, sha256) values ('migration', '9999_later', 'x'); delete from schema_programs`,
    );
    const postgres = await program.postmasterPid();
    expect(await program.signal('SIGINT')).toBe(0);
    expectOneLine(await start(data()), /9999_later.*the database is newer.*program that made it/);

    await appendFile(join(program.data, 'postgres', 'postgresql.conf'), 'fsync = off\n');
    expectOneLine(await start(data()), /fsync = off.*could lose charges.*postgresql\.conf/);
    expect(() => process.kill(postgres, 0)).toThrow('ESRCH');
    expect(await readdir(join(program.data, 'postgres'))).not.toContain('postmaster.pid');
  });
});

test('a start on a data directory from before the first release is refused, and leaves it as it was', async () => {
  const program = await startProgram();
  onTestFinished(() => program.dispose());
  const database = await program.openDatabase();
  await database.query(`update schema_migrations set name = '0001_initial' where name = '0001_baseline'`);
  await database.query('drop table schema_functions, schema_files, schema_programs');
  expect(await program.signal('SIGINT')).toBe(0);
  const says = /from before the first release.*export what you need with the program that made it.*nothing was changed/;
  // Nothing of the first start keeps the second from finding the same.
  for (let attempt = 0; attempt < 2; attempt++) expectOneLine(await start(['--data', program.data]), says);
  expect(await readdir(join(program.data, 'postgres'))).not.toContain('postmaster.pid');
});
