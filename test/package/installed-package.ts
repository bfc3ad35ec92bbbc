import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ROOT } from '../repository/tree.ts';

// Somebody's folder, outside of the repository, in which the package is installed.

const READY = /Faregate is ready at (\S+)[^]*\n$/;
const READY_MS_MAX = 110_000;
/** Variables by which npm reaches its registry. */
const NETWORK = /^(npm_config_registry|(https?|no)_proxy|NODE_EXTRA_CA_CERTS|SSL_CERT_FILE)$/i;

export interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Makes the tarball in the directory. `isBuilt`: what it contains is there, so that npm runs no script. */
export function pack(directory: string, { isBuilt }: { readonly isBuilt: boolean }): string {
  const scripts = isBuilt ? ['--ignore-scripts'] : [];
  const packed = runIn(ROOT, process.env, ['npm', 'pack', '--silent', ...scripts, '--pack-destination', directory]);
  return join(directory, packed.stdout.trim());
}

/** The paths in a tarball of npm's, below its one folder. */
export function pathsIn(tarball: string): readonly string[] {
  const { stdout } = runIn(ROOT, process.env, ['tar', '-tzf', tarball]);
  return stdout
    .trim()
    .split('\n')
    .map((path) => path.replace(/^package\//, ''));
}

export class InstalledPackage {
  readonly #folder: string;
  readonly #env: NodeJS.ProcessEnv;

  /** `node`: the directory of the Node that is first on the PATH there. */
  constructor(node: string) {
    this.#folder = mkdtempSync(join(tmpdir(), 'faregate-package-'));
    // Started by root, the database runs as another user, who must be able to pass through.
    chmodSync(this.#folder, 0o711);
    const { PATH, HOME, LANG, TMPDIR } = process.env;
    const reach = Object.entries(process.env).filter(([name]) => NETWORK.test(name));
    this.#env = { ...Object.fromEntries(reach), PATH: `${node}:${PATH ?? ''}`, HOME, LANG, TMPDIR, FAREGATE_PORT: '0' };
  }

  dispose(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Installs the tarball as npm does, over the network. */
  install(tarball: string): Outcome {
    return this.run('npm', 'install', '--no-audit', '--no-fund', tarball);
  }

  /** The same without a network: unpacks it, and lends it the packages of this checkout that users get too. */
  lay(tarball: string): void {
    const modules = join(this.#folder, 'node_modules');
    mkdirSync(join(modules, 'faregate'), { recursive: true });
    this.run('tar', '-xzf', tarball, '--strip-components=1', '-C', join(modules, 'faregate'));
    const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
      readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly link?: boolean }>>;
    };
    for (const [path, { dev, link }] of Object.entries(packages)) {
      if (!/^node_modules\/(@[^/]+\/)?[^/]+$/.test(path) || dev === true || link === true) continue;
      mkdirSync(dirname(join(this.#folder, path)), { recursive: true });
      symlinkSync(join(ROOT, path), join(this.#folder, path));
    }
    mkdirSync(join(modules, '.bin'));
    symlinkSync('../faregate/bin/faregate', join(modules, '.bin/faregate'));
  }

  /** Whether a file is there. */
  has(path: string): boolean {
    return existsSync(join(this.#folder, path));
  }

  /** Runs a command there to its end, which must be a success. */
  run(...command: readonly string[]): Outcome {
    return runIn(this.#folder, this.#env, command);
  }

  /** Starts the program, and resolves when it is ready. */
  async start(...command: readonly string[]): Promise<StartedPackage> {
    const [program = '', ...args] = command;
    const child = spawn(program, args, {
      cwd: this.#folder,
      env: this.#env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    const said = { stdout: '', stderr: '' };
    child.stderr.setEncoding('utf8').on('data', (text: string) => (said.stderr += text));
    const ended = once(child, 'close') as Promise<[number | null]>;
    const { promise, resolve, reject } = Promise.withResolvers<string>();
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      said.stdout += text;
      const url = READY.exec(said.stdout)?.[1];
      if (url !== undefined) resolve(url);
    });
    const fail = (): void => reject(new Error(`${command.join(' ')}: ${said.stderr}${said.stdout}`));
    ended.then(fail, fail);
    const timer = setTimeout(fail, READY_MS_MAX);
    const url = await promise.finally(() => clearTimeout(timer));
    return {
      url,
      stop: async () => {
        // A terminal sends it to all that runs in the foreground; npx passes it on to nobody.
        process.kill(-(child.pid ?? 0), 'SIGINT');
        const [code] = await ended;
        return { code, ...said };
      },
    };
  }
}

export interface StartedPackage {
  readonly url: string;
  /** Presses Ctrl-C. */
  stop(): Promise<Outcome>;
}

function runIn(cwd: string, env: NodeJS.ProcessEnv, [program = '', ...args]: readonly string[]): Outcome {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, env, encoding: 'utf8' });
  if (error !== undefined) throw error;
  if (status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${status}: ${stderr}${stdout}`);
  return { code: status, stdout, stderr };
}
