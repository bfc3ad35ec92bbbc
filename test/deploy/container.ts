import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

// Containers of an image that buildah has built and mounted, run by crun as an engine runs them with the strictest options:
// the image's own user, a root file system that is read-only, no capability, no new privileges. They share the machine's network.

/** What of an image's configuration an engine uses. */
export interface ImageConfig {
  readonly User: string;
  readonly Env: readonly string[];
  readonly Entrypoint: readonly string[];
  readonly Cmd: readonly string[];
  readonly WorkingDir: string;
  readonly StopSignal: string;
  readonly Volumes: Readonly<Record<string, object>>;
  readonly Healthcheck: { readonly Test: readonly string[] };
  readonly Labels: Readonly<Record<string, string>>;
}

export interface Image {
  /** The mounted root file system. */
  readonly root: string;
  readonly config: ImageConfig;
}

export interface ContainerOptions {
  readonly entrypoint?: readonly string[];
  readonly command?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Directories and files of this machine, by their paths in the container. */
  readonly mounts: Readonly<Record<string, string>>;
}

/** crun refuses machines that have cgroups of both versions, and this one needs none. */
const WITHOUT_CGROUPS =
  'umount -R /sys/fs/cgroup; mount -t cgroup2 none /sys/fs/cgroup; exec crun --cgroup-manager=disabled "$@"';

function crun(args: readonly string[]): readonly [string, readonly string[]] {
  return ['unshare', ['--mount', 'sh', '-c', WITHOUT_CGROUPS, 'crun', ...args]];
}

/** A directory that a container's volume is, which belongs to the image's user as a new volume of an engine does. */
export function makeVolume({ config }: Image): string {
  const [uid = 0, gid = 0] = config.User.split(':').map(Number);
  const path = mkdtempSync(join(tmpdir(), 'faregate-volume-'));
  chownSync(path, uid, gid);
  return path;
}

/** A running container. */
export class Container {
  readonly #child: ChildProcess;
  readonly #folder: string;
  readonly #user: string;
  readonly #ended: Promise<unknown[]>;
  readonly #said = { stdout: '', stderr: '' };

  constructor({ root, config }: Image, { entrypoint, command, env = {}, mounts }: ContainerOptions) {
    this.#folder = mkdtempSync(join(tmpdir(), 'faregate-container-'));
    this.#user = config.User;
    const [uid, gid] = config.User.split(':').map(Number);
    const args = [...(entrypoint ?? config.Entrypoint), ...(command ?? (entrypoint === undefined ? config.Cmd : []))];
    const variables = [...config.Env, ...Object.entries(env).map(([name, value]) => `${name}=${value}`)];
    const bundle = join(this.#folder, 'bundle');
    mkdirSync(bundle);
    const none = { bounding: [], effective: [], permitted: [], inheritable: [], ambient: [] };
    const binds = Object.entries(mounts).map(([destination, source]) => ({
      destination,
      type: 'bind',
      source: source.replace(/:ro$/, ''),
      options: ['rbind', source.endsWith(':ro') ? 'ro' : 'rw'],
    }));
    const specification = {
      ociVersion: '1.0.2',
      process: {
        user: { uid, gid },
        args,
        env: variables,
        cwd: config.WorkingDir,
        capabilities: none,
        noNewPrivileges: true,
      },
      root: { path: root, readonly: true },
      hostname: 'container',
      mounts: [
        { destination: '/proc', type: 'proc', source: 'proc' },
        { destination: '/dev', type: 'tmpfs', source: 'tmpfs', options: ['nosuid', 'mode=755', 'size=65536k'] },
        {
          destination: '/dev/shm',
          type: 'tmpfs',
          source: 'shm',
          options: ['nosuid', 'nodev', 'mode=1777', 'size=65536k'],
        },
        ...binds,
      ],
      linux: { namespaces: ['pid', 'ipc', 'uts', 'mount'].map((type) => ({ type })) },
    };
    writeFileSync(join(bundle, 'config.json'), JSON.stringify(specification));
    const [program, parameters] = crun(['--root', this.#folder, 'run', '--bundle', bundle, 'container']);
    this.#child = spawn(program, parameters, { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#ended = once(this.#child, 'close');
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.#said.stdout += text));
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.#said.stderr += text));
  }

  get stdout(): string {
    return this.#said.stdout;
  }

  get stderr(): string {
    return this.#said.stderr;
  }

  get hasEnded(): boolean {
    return this.#child.exitCode !== null;
  }

  /** Runs a command in it, as its user. */
  exec(...command: readonly string[]): {
    readonly code: number | null;
    readonly stdout: string;
    readonly stderr: string;
  } {
    const [program, parameters] = crun(['--root', this.#folder, 'exec', '--user', this.#user, 'container', ...command]);
    const { status, stdout, stderr } = spawnSync(program, parameters, { encoding: 'utf8' });
    return { code: status, stdout, stderr };
  }

  /** Sends its first process a signal. */
  signal(name: string): void {
    const [program, parameters] = crun(['--root', this.#folder, 'kill', 'container', name]);
    spawnSync(program, parameters);
  }

  /** Resolves with its exit code. */
  async ended(): Promise<number | null> {
    await this.#ended;
    return this.#child.exitCode;
  }

  /** Kills it if it runs, and removes what it left. */
  async dispose(): Promise<void> {
    if (!this.hasEnded) this.signal('KILL');
    await this.#ended;
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
