import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type AdminClient, createAdminClient } from '../../src/control/admin/client.ts';
import { type Database, openDatabase } from '../../src/program/database/pool.ts';
import { builtProgramEnvironment, programLauncher } from './built-program.ts';
import { layCluster, PREPARED_CLUSTER } from './prepared-cluster.ts';
import { type CliResult, runCommand } from './run-command.ts';
import { createTenant, type Tenant, type TenantSettings } from './tenant.ts';

// The product as a person starts it: bin/faregate on a data directory of its own and a free port, and the ways in: the
// commands, the admin API, a caller's requests, and the database underneath. Every test that needs the whole starts here.

const READY = /Faregate is ready at (\S+)/;
const KEY = /fg_live_[0-9A-Za-z]{53}/;
/** Less than a hook of a test may take, so that what the program has said is in the failure. */
const START_MS_MAX = 110_000;

/** What a program needs beside it: an upstream, a database server, a proxy. */
export interface Neighbour {
  stop(): Promise<void>;
}

export interface ProgramOptions {
  /** The config file's text; none: the sandbox is sold. */
  readonly config?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Stopped after the program, the last first, also if it does not start. */
  readonly beside?: readonly Neighbour[];
  /** An existing data directory; without it the program gets a new one, removed when it is disposed of. */
  readonly data?: string;
  /** Has it make its database itself, as a first start does; else it finds a copy of the prepared one. */
  readonly makesDatabase?: boolean;
  /** Hears of the process as soon as there is one, long before it is ready. */
  readonly onSpawn?: (pid: number) => void;
  /** Starts the source, not what is built of it. */
  readonly fromSource?: boolean;
  /** Starts another program than this tree's: the path of its launcher. */
  readonly launcher?: string;
  /** Runs it as another user, which only root can. */
  readonly user?: { readonly uid: number; readonly gid: number };
}

/**
 * An environment without the settings of the user who runs the tests. Code that is compiled once stays so, and no program warms
 * up, since hundreds are started.
 */
export function cleanEnvironment(extra: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const { PATH, HOME, LANG, TMPDIR } = process.env;
  return { PATH, HOME, LANG, TMPDIR, FAREGATE_WARM_UP: '0s', ...builtProgramEnvironment(), ...extra };
}

/** Starts the program and resolves once it says that it is ready; rejects with what it said if it ends before. */
export async function startProgram(options: ProgramOptions = {}): Promise<Program> {
  try {
    return await start(options);
  } catch (fault) {
    await stopAll(options.beside);
    throw fault;
  }
}

async function stopAll(neighbours: readonly Neighbour[] = []): Promise<void> {
  for (const neighbour of neighbours.toReversed()) await neighbour.stop();
}

async function start(options: ProgramOptions): Promise<Program> {
  const root = options.data ?? (await mkdtemp(join(tmpdir(), 'faregate-program-')));
  // Started by root, the database runs as another user, who must be able to reach its directory inside.
  await chmod(root, 0o711);
  if (options.user !== undefined) await chown(root, options.user.uid, options.user.gid);
  const env = cleanEnvironment({ FAREGATE_DATA: join(root, 'data'), ...options.env });
  if (findsDatabase(options)) {
    await mkdir(join(root, 'data'), { mode: 0o700 });
    await layCluster(join(root, 'data'));
  }
  const args = ['start', '--port', '0', ...(options.args ?? [])];
  if (options.config !== undefined) {
    const file = join(root, 'faregate.yaml');
    await writeFile(file, options.config);
    args.push('--config', file);
  }
  const launcher = options.launcher ?? (await programLauncher(options));
  const child = spawn(launcher, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'], ...options.user });
  options.onSpawn?.(child.pid ?? 0);
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const url = await readyUrl(child, output, exited);
  const token = (await readFile(join(root, 'data', 'operator-token'), 'utf8')).trim();
  return new Program({ child, output, exited, url, root, env, token, options });
}

/** One with a directory, a user or a database of its own doesn't, nor does any outside of a run of tests. */
function findsDatabase({ data, user, env = {}, makesDatabase = false }: ProgramOptions): boolean {
  const hasOwn = data !== undefined || user !== undefined || 'DATABASE_URL' in env;
  return !makesDatabase && !hasOwn && PREPARED_CLUSTER in process.env;
}

async function readyUrl(
  child: ChildProcess,
  output: { stdout: string; stderr: string },
  exited: Promise<[number | null]>,
): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  child.stdout?.on('data', () => {
    const url = READY.exec(output.stdout)?.[1];
    if (url !== undefined) resolve(url);
  });
  exited.then(
    ([code]) => reject(new Error(`the program ended with ${code}: ${output.stderr}${output.stdout}`)),
    reject,
  );
  const timer = setTimeout(
    () => reject(new Error(`the program was not ready in time: ${output.stderr}`)),
    START_MS_MAX,
  );
  return await promise.finally(() => clearTimeout(timer));
}

interface ProgramParts {
  readonly child: ChildProcess;
  readonly output: { stdout: string; stderr: string };
  readonly exited: Promise<[number | null]>;
  readonly url: string;
  readonly root: string;
  readonly env: NodeJS.ProcessEnv;
  readonly token: string;
  readonly options: ProgramOptions;
}

/** A started program. */
export class Program {
  readonly #parts: ProgramParts;
  readonly #databases: Database[] = [];
  readonly url: string;
  /** Its data directory. */
  readonly data: string;
  /** The first boot's key; empty on any other. */
  readonly key: string;
  readonly pid: number;
  readonly operatorToken: string;
  /** The admin API, as the commands reach it but without a process for each. */
  readonly admin: AdminClient;

  constructor(parts: ProgramParts) {
    const { url, token } = parts;
    this.#parts = parts;
    this.url = url;
    this.data = join(parts.root, 'data');
    this.key = KEY.exec(parts.output.stdout)?.[0] ?? '';
    this.pid = parts.child.pid ?? 0;
    this.operatorToken = token;
    this.admin = createAdminClient({ url, token });
  }

  stdout(): string {
    return this.#parts.output.stdout;
  }

  stderr(): string {
    return this.#parts.output.stderr;
  }

  /** Runs a command against this instance, as its process would. */
  cli(...args: readonly string[]): Promise<CliResult> {
    return runCommand(args, { env: this.#parts.env, cwd: this.#parts.root });
  }

  /** Starts a command that goes on until it is stopped. */
  async startCli(...args: string[]): Promise<{
    readonly stdout: () => string;
    /** Presses Ctrl-C; resolves with the exit code, null if the signal ended the process. */
    readonly interrupt: () => Promise<number | null>;
    readonly stop: () => Promise<void>;
  }> {
    const child = spawn(await programLauncher(), args, { env: this.#parts.env, cwd: this.#parts.root });
    let text = '';
    child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
    const exited = once(child, 'exit');
    return {
      stdout: () => text,
      interrupt: async () => {
        child.kill('SIGINT');
        await exited;
        return child.exitCode;
      },
      stop: async () => {
        child.kill('SIGKILL');
        await exited;
      },
    };
  }

  /** The same with --json, which must succeed; resolves with what it printed. */
  async json<Result>(...args: string[]): Promise<Result> {
    const { code, stdout, stderr } = await this.cli(...args, '--json');
    if (code !== 0) throw new Error(`faregate ${args.join(' ')} failed with ${code}: ${stderr}`);
    return JSON.parse(stdout) as Result;
  }

  /** Makes a workspace with credit, a project and a key through the admin API. */
  createTenant(settings: TenantSettings = {}): Promise<Tenant> {
    return createTenant(this.admin, settings);
  }

  /** Sends a chat request with this key. */
  chat(key: string, body: object, init: RequestInit = {}): Promise<Response> {
    return fetch(`${this.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      ...init,
    });
  }

  /** What it tells Prometheus. */
  async metrics(): Promise<string> {
    const headers = { authorization: `Bearer ${this.operatorToken}` };
    return await (await fetch(`${this.url}/metrics`, { headers })).text();
  }

  /** The process id of its embedded database server. */
  async postmasterPid(): Promise<number> {
    return Number((await pidFileOf(this.data))[0]);
  }

  /** Opens a connection of the test's own to its embedded database; closed when the program is disposed of. */
  async openDatabase(): Promise<Database> {
    const database = await openEmbeddedDatabase(this.data);
    this.#databases.push(database);
    return database;
  }

  /** Sends the signal and resolves with the exit code once the process has ended. */
  async signal(signal: NodeJS.Signals): Promise<number | null> {
    const { child, exited } = this.#parts;
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    const [code] = await exited;
    return code;
  }

  /** Starts it again on the same data directory, after it has ended. What stood beside it stands beside the next one. */
  async restart(): Promise<Program> {
    await this.#closeDatabases();
    return await start({ ...this.#parts.options, data: this.#parts.root });
  }

  /** Stops it if it runs, removes what it left, and stops what stood beside it. */
  async dispose(): Promise<void> {
    await this.#closeDatabases();
    await this.signal('SIGINT');
    await rm(this.#parts.root, { recursive: true, force: true });
    await stopAll(this.#parts.options.beside);
  }

  async #closeDatabases(): Promise<void> {
    await Promise.all(this.#databases.splice(0).map((database) => database.close()));
  }
}

async function pidFileOf(data: string): Promise<string[]> {
  return (await readFile(join(data, 'postgres', 'postmaster.pid'), 'utf8')).split('\n');
}

/** Connects to the embedded database of the program that runs on this data directory. */
export async function openEmbeddedDatabase(data: string): Promise<Database> {
  const socketDirectory = (await pidFileOf(data))[4] ?? '';
  return openDatabase({
    connection: { socketDirectory, user: 'faregate', database: 'faregate' },
    connectionsMax: 2,
    applicationName: 'faregate-test',
  });
}

/** Runs a command in a process of its own. */
export async function runCommandProcess(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  cwd: string,
): Promise<CliResult> {
  try {
    const { stdout, stderr } = await promisify(execFile)(await programLauncher(), args, { env, cwd });
    return { code: 0, stdout, stderr };
  } catch (fault) {
    const { code, stdout, stderr } = fault as { code: number; stdout: string; stderr: string };
    return { code, stdout, stderr };
  }
}
