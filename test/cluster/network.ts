import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

// Machines with addresses of their own on this one: network namespaces on a bridge, whose cables can be pulled. Only root can
// make them.

const run = promisify(execFile);
const NETWORK = '10.77.0';
const PATH = '/usr/sbin:/usr/bin:/sbin:/bin';
const LOOK_MS = 20;
const GONE_MS_MAX = 10_000;

/** A machine of the network. */
export interface Machine {
  readonly name: string;
  readonly address: string;
  /** Of its own, readable to all users; gone after the trial. */
  readonly folder: string;
  /** The words that run a command there. */
  readonly prefix: readonly [string, ...string[]];
  /** Starts a program there, which is killed with the machine. */
  spawn(command: readonly string[], options?: { readonly user?: string; readonly env?: NodeJS.ProcessEnv }): Spawned;
  /** Ends all programs there as a loss of power does, and resolves once they are gone. */
  lose(): Promise<void>;
  /** Pulls its cable: what it sends and is sent is lost, without an error. */
  cutOff(): Promise<void>;
  /** Plugs it in again. */
  reach(): Promise<void>;
}

/** A program that runs on a machine. */
export interface Spawned {
  readonly child: ChildProcess;
  /** The last that it has said. */
  said(): string;
}

const SAID_MAX = 20_000;

export class Network {
  /** The address of this process for the machines. */
  readonly address = `${NETWORK}.254`;
  readonly #bridge = `fg${process.pid % 100_000}`;
  readonly #machines: Machine[] = [];
  readonly #children = new Set<ChildProcess>();

  /** Makes the bridge. The caller closes the network. */
  static async open(): Promise<Network> {
    const network = new Network();
    await ip('link', 'add', network.#bridge, 'type', 'bridge');
    await ip('addr', 'add', `${network.address}/24`, 'dev', network.#bridge);
    await ip('link', 'set', network.#bridge, 'up');
    return network;
  }

  /** Makes a machine with this number as the end of its address. */
  async add(name: string, number: number): Promise<Machine> {
    const space = `${this.#bridge}-${name}`;
    const cable = `${this.#bridge}v${number}`;
    const address = `${NETWORK}.${number}`;
    await ip('netns', 'add', space);
    await ip('link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', space);
    await ip('link', 'set', cable, 'master', this.#bridge, 'up');
    await ip('-n', space, 'addr', 'add', `${address}/24`, 'dev', 'eth0');
    await ip('-n', space, 'link', 'set', 'eth0', 'up');
    await ip('-n', space, 'link', 'set', 'lo', 'up');
    const folder = await mkdtemp(join(tmpdir(), `faregate-cluster-${name}-`));
    await run('chmod', ['711', folder]);
    const prefix = ['ip', 'netns', 'exec', space] as const;
    const machine: Machine = {
      name,
      address,
      folder,
      prefix,
      spawn: (command, { user, env } = {}) => {
        // Each of these is replaced by the next, so that the child is the program itself. Root's own paths are closed to others.
        const as =
          user === undefined
            ? []
            : ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--init-groups', 'env', 'HOME=/', `PATH=${PATH}`];
        const [program, ...args] = [...prefix, ...as, ...command];
        const child = spawn(program, args, {
          cwd: '/',
          stdio: ['ignore', 'pipe', 'pipe'],
          ...(env === undefined ? {} : { env: { ...process.env, ...env } }),
        });
        let said = '';
        for (const stream of [child.stdout, child.stderr]) {
          stream.on('data', (bytes: Buffer) => (said = (said + bytes.toString()).slice(-SAID_MAX)));
        }
        this.#children.add(child);
        child.once('exit', () => this.#children.delete(child));
        return { child, said: () => said };
      },
      lose: () => loseAll(space),
      cutOff: () => ip('link', 'set', cable, 'down'),
      reach: () => ip('link', 'set', cable, 'up'),
    };
    this.#machines.push(machine);
    return machine;
  }

  /** Ends all that runs on the machines, and removes them. */
  async close(): Promise<void> {
    const ended = [...this.#children].map((child) => once(child, 'exit'));
    for (const { name, folder } of this.#machines.splice(0).toReversed()) {
      await loseAll(`${this.#bridge}-${name}`);
      await ip('netns', 'del', `${this.#bridge}-${name}`);
      for (const mount of await mountsIn(folder)) await run('umount', [mount]);
      await rm(folder, { recursive: true, force: true });
    }
    await Promise.all(ended);
    await ip('link', 'del', this.#bridge);
  }
}

async function ip(...args: readonly string[]): Promise<void> {
  await run('ip', [...args]);
}

async function mountsIn(folder: string): Promise<readonly string[]> {
  const mounts = (await readFile('/proc/mounts', 'utf8')).split('\n').map((line) => line.split(' ')[1] ?? '');
  return mounts.filter((mount) => mount.startsWith(`${folder}/`));
}

async function processesOf(space: string): Promise<readonly number[]> {
  return (await run('ip', ['netns', 'pids', space])).stdout.split('\n').filter(Boolean).map(Number);
}

async function loseAll(space: string): Promise<void> {
  const untilMs = performance.now() + GONE_MS_MAX;
  // One that is killed may have started another in the meantime.
  for (;;) {
    const processes = await processesOf(space);
    if (processes.length === 0) return;
    if (performance.now() > untilMs) throw new Error(`processes ${processes.join(', ')} of ${space} do not end`);
    for (const id of processes) killQuietly(id);
    await delay(LOOK_MS);
  }
}

function killQuietly(id: number): void {
  try {
    process.kill(id, 'SIGKILL');
  } catch (fault) {
    // It has ended by itself.
    if ((fault as NodeJS.ErrnoException).code !== 'ESRCH') throw fault;
  }
}
