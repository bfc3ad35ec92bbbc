import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

// The program as a person starts it: bin/faregate on a data directory of its own, on a free port.

const LAUNCHER = fileURLToPath(new URL('../../bin/faregate', import.meta.url));
const READY = /Faregate is ready at (\S+)/;
const KEY = /fg_live_[0-9A-Za-z]{53}/;
const START_MS_MAX = 60_000;

export interface ProgramOptions {
  /** The config file's text; none: the sandbox is sold. */
  readonly config?: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** An existing data directory; without it the program gets a new one, removed when it is disposed of. */
  readonly data?: string;
  /** Hears of the process as soon as there is one, long before it is ready. */
  readonly onSpawn?: (pid: number) => void;
  /** Runs it as another user, which only root can. */
  readonly user?: { readonly uid: number; readonly gid: number };
}

export interface CliResult {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A started program. */
export interface Program {
  readonly url: string;
  /** Its data directory. */
  readonly data: string;
  /** The first boot's key; empty on any other. */
  readonly key: string;
  readonly pid: number;
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Runs a command of the same program against this instance. */
  cli(...args: string[]): Promise<CliResult>;
  /** The same with --json, which must succeed; answers with what it printed. */
  json<Result>(...args: string[]): Promise<Result>;
  /** Sends the signal and resolves with the exit code once the process has ended. */
  signal(signal: NodeJS.Signals): Promise<number | null>;
  /** Starts it again on the same data directory, after it has ended. */
  restart(): Promise<Program>;
  /** Stops it if it runs, and removes what it left. */
  dispose(): Promise<void>;
}

/** An environment without the settings of whoever runs the tests. */
function cleanEnvironment(extra: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const { PATH, HOME, LANG, TMPDIR } = process.env;
  return { PATH, HOME, LANG, TMPDIR, ...extra };
}

/** Starts the program and resolves once it says that it is ready; rejects with what it said if it ends before. */
export async function startProgram(options: ProgramOptions = {}): Promise<Program> {
  const root = options.data ?? (await mkdtemp(join(tmpdir(), 'faregate-program-')));
  // Started by root, the database runs as another user, who must be able to reach its directory inside.
  await chmod(root, 0o711);
  if (options.user !== undefined) await chown(root, options.user.uid, options.user.gid);
  const data = join(root, 'data');
  const env = cleanEnvironment({ FAREGATE_DATA: data, ...options.env });
  const args = ['start', '--port', '0', ...(options.args ?? [])];
  if (options.config !== undefined) {
    const file = join(root, 'faregate.yaml');
    await writeFile(file, options.config);
    args.push('--config', file);
  }
  const child = spawn(LAUNCHER, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'pipe'], ...options.user });
  options.onSpawn?.(child.pid ?? 0);
  const output = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output.stderr += text));
  const exited = once(child, 'exit') as Promise<[number | null]>;
  const url = await readyUrl(child, output, exited);
  return program({ child, output, exited, url, root, env, options });
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
  readonly options: ProgramOptions;
}

function program({ child, output, exited, url, root, env, options }: ProgramParts): Program {
  const cli = (...args: string[]): Promise<CliResult> => runCli(args, env, root);
  const signal = async (name: NodeJS.Signals): Promise<number | null> => {
    if (child.exitCode === null && child.signalCode === null) child.kill(name);
    const [code] = await exited;
    return code;
  };
  return {
    url,
    data: join(root, 'data'),
    key: KEY.exec(output.stdout)?.[0] ?? '',
    pid: child.pid ?? 0,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
    cli,
    async json<Result>(...args: string[]): Promise<Result> {
      const { code, stdout, stderr } = await cli(...args, '--json');
      if (code !== 0) throw new Error(`faregate ${args.join(' ')} failed with ${code}: ${stderr}`);
      return JSON.parse(stdout) as Result;
    },
    signal,
    restart: () => startProgram({ ...options, data: root }),
    async dispose(): Promise<void> {
      await signal('SIGINT');
      await rm(root, { recursive: true, force: true });
    },
  };
}

/** Runs the launcher with these arguments to its end. */
export async function runCli(args: readonly string[], env: NodeJS.ProcessEnv, cwd: string): Promise<CliResult> {
  try {
    const { stdout, stderr } = await promisify(execFile)(LAUNCHER, args, { env, cwd });
    return { code: 0, stdout, stderr };
  } catch (fault) {
    const { code, stdout, stderr } = fault as { code: number; stdout: string; stderr: string };
    return { code, stdout, stderr };
  }
}
