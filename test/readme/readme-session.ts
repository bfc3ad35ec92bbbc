import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { type ExternalPostgres, databaseUrl, startExternalPostgres } from '../support/external-postgres.ts';
import { ROOT } from '../repository/tree.ts';

// What somebody does who follows README.md in a fresh checkout: one shell, one directory, at most one running program.

const NOT_IN_A_CHECKOUT = new Set(['node_modules', '.git', 'data']);
const README_URL = 'http://127.0.0.1:8080';
const README_DATABASE = 'postgres://user:password@host:5432/name';
const STARTS = /^(npm start|(FAREGATE_COMMAND='npx faregate' )?(bin\/)?faregate start)\b/;
const READY = /Faregate is ready at (\S+)[^]*\n$/;
const READY_MS_MAX = 110_000;

interface Running {
  readonly child: ChildProcess;
  readonly url: string;
}

export class ReadmeSession {
  readonly #root: string;
  readonly #env: NodeJS.ProcessEnv;
  #running: Running | null = null;
  #postgres: ExternalPostgres | null = null;
  #key = '';
  #requestId = '';
  /** What the last command printed to stdout. */
  output = '';

  private constructor(root: string, env: NodeJS.ProcessEnv) {
    this.#root = root;
    this.#env = env;
  }

  /** A checkout whose packages are installed and whose console is built, and nobody's settings. */
  static async open(): Promise<ReadmeSession> {
    const root = await mkdtemp(join(tmpdir(), 'faregate-readme-'));
    // Started by root, the database runs as another user, who must be able to pass through.
    await chmod(root, 0o711);
    await cp(ROOT, root, {
      recursive: true,
      filter: (source) => !NOT_IN_A_CHECKOUT.has(relative(ROOT, source)),
    });
    await symlink(join(ROOT, 'node_modules'), join(root, 'node_modules'));
    const { PATH, HOME, LANG, TMPDIR } = process.env;
    return new ReadmeSession(root, { PATH, HOME, LANG, TMPDIR, FAREGATE_PORT: '0' });
  }

  async close(): Promise<void> {
    await this.#stop();
    await this.#postgres?.stop();
    await rm(this.#root, { recursive: true, force: true });
  }

  /** Writes a file into the checkout, as somebody does who pastes it. */
  async write(name: string, content: string): Promise<void> {
    await writeFile(join(this.#root, name), await this.#filledIn(content));
  }

  /**
   * Runs a command as it is printed, its placeholders filled in. Three are made harmless: what `npm ci` would install and
   * build is there, so it only checks that it could; `npm test`, which this is part of, runs one file; `init`, which would
   * ask a provider, says how it is used.
   */
  async run(printed: string): Promise<void> {
    const command = await this.#filledIn(printed);
    const [, name, value] = /^export ([A-Z_]+)=(\S+)$/.exec(command) ?? [];
    if (name !== undefined) this.#env[name] = this.#expanded(value ?? '');
    else if (STARTS.test(command)) await this.#start(command);
    else if (command === 'npm ci') await this.#shell('npm ci --dry-run --ignore-scripts');
    else if (command === 'faregate init') await this.#shell('faregate init --help');
    else if (command === 'npm test') await this.#shell('npm test -- test/repository/lockfile.test.ts');
    else await this.#shell(command);
    this.#key = /fg_live_[0-9A-Za-z]{53}/.exec(this.output)?.[0] ?? this.#key;
    this.#requestId = /^x-request-id: (\S+)/im.exec(this.output)?.[1] ?? this.#requestId;
  }

  #expanded(value: string): string {
    return value
      .replaceAll('"', '')
      .replace('$PWD', this.#root)
      .replace('$PATH', this.#env['PATH'] ?? '');
  }

  async #filledIn(text: string): Promise<string> {
    const url = this.#running?.url ?? README_URL;
    const filled = text
      .replaceAll(README_URL, url)
      .replaceAll('fg_live_…', this.#key)
      .replaceAll('REQUEST_ID', this.#requestId)
      // What npx does with the package, without fetching one.
      .replace(/^npx faregate\b/, `FAREGATE_COMMAND='npx faregate' bin/faregate`);
    if (!filled.includes(README_DATABASE)) return filled;
    this.#postgres ??= await startExternalPostgres();
    const database = await this.#postgres.createDatabase();
    return filled.replaceAll(README_DATABASE, databaseUrl(this.#postgres, database, this.#postgres.port));
  }

  #spawn(command: string, detached: boolean): { child: ChildProcess; said: { stdout: string; stderr: string } } {
    const child = spawn('sh', ['-c', command], {
      cwd: this.#root,
      env: this.#env,
      detached,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const said = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text: string) => (said.stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said.stderr += text));
    return { child, said };
  }

  async #shell(command: string): Promise<void> {
    const { child, said } = this.#spawn(command, false);
    const [code] = (await once(child, 'close')) as [number | null];
    this.output = said.stdout;
    if (code !== 0) throw new Error(`"${command}" ended with ${code}: ${said.stderr}${said.stdout}`);
  }

  async #start(command: string): Promise<void> {
    await this.#stop();
    const { child, said } = this.#spawn(command, true);
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    child.stdout?.on('data', () => {
      const url = READY.exec(said.stdout)?.[1];
      if (url !== undefined) resolve(url);
    });
    child.once('close', (code) => reject(new Error(`"${command}" ended with ${code}: ${said.stderr}${said.stdout}`)));
    const timer = setTimeout(() => reject(new Error(`"${command}" was not ready in time`)), READY_MS_MAX);
    this.#running = { child, url: '' };
    const url = await promise.finally(() => clearTimeout(timer));
    this.#running = { child, url };
    // npm says first what it runs.
    this.output = said.stdout.slice(said.stdout.indexOf('Faregate is ready'));
  }

  /** Ctrl-C: the signal goes to everything that the command has started in the foreground. */
  async #stop(): Promise<void> {
    const child = this.#running?.child;
    this.#running = null;
    if (child?.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const closed = once(child, 'close');
    process.kill(-child.pid, 'SIGINT');
    await closed;
  }
}
