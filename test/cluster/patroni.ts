import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { assert } from '../../src/lib/assert.ts';
import type { Machine, Spawned } from './network.ts';

// Three machines with PostgreSQL, which Patroni and etcd keep one synchronous cluster of. Patroni is of PyPI: 3.0.2, which Debian
// has, gives a primary that was cut off its lock back, and the commits of its successor are lost.

const run = promisify(execFile);

/** How long Patroni waits for a primary that says nothing before it makes another. */
export const TTL_SECONDS = 20;
const LOOP_SECONDS = 5;
/** A disk that is filled in no time. */
const DISK = '700m';
const USER = 'postgres';
const DATABASE = 'faregate';
const LOOK_MS = 200;
const ANSWER_MS_MAX = 1_000;
const FULL_MS_MAX = 30_000;
const DISK_FULL = 'ballast';
const PACKAGES = 'packages';

/** What Patroni says of a server. */
interface Member {
  readonly name: string;
  readonly role: string;
  readonly state: string;
}

interface Node {
  readonly machine: Machine;
  etcd: Spawned | null;
  patroni: Spawned | null;
}

/** Where Debian keeps the newest PostgreSQL's programs. @throws if there is none */
async function serverPrograms(): Promise<string> {
  const { stdout } = await run('sh', ['-c', 'ls -d /usr/lib/postgresql/*/bin | sort -V | tail -n 1']);
  const path = stdout.trim();
  if (path === '') throw new Error('no PostgreSQL is in /usr/lib/postgresql: install postgresql of Debian');
  return path;
}

export class PatroniCluster {
  readonly #nodes: readonly Node[];
  readonly #programs: string;

  private constructor(nodes: readonly Node[], programs: string) {
    this.#nodes = nodes;
    this.#programs = programs;
  }

  /**
   * Starts it on these machines, and resolves once both standbys follow. `packages` is where Python finds Patroni.
   */
  static async start(machines: readonly Machine[], packages: string): Promise<PatroniCluster> {
    const nodes = machines.map((machine): Node => ({ machine, etcd: null, patroni: null }));
    const cluster = new PatroniCluster(nodes, await serverPrograms());
    const [{ stdout: uid }, { stdout: gid }] = await Promise.all([run('id', ['-u', USER]), run('id', ['-g', USER])]);
    for (const { machine } of nodes) {
      const disk = join(machine.folder, 'disk');
      await mkdir(disk);
      await run('mount', ['-t', 'tmpfs', '-o', `size=${DISK},mode=755`, 'tmpfs', disk]);
      // For users who may not enter the directory that it is in.
      await mkdir(join(machine.folder, PACKAGES));
      await run('mount', ['--bind', packages, join(machine.folder, PACKAGES)]);
      await mkdir(join(machine.folder, 'etcd'), { mode: 0o700 });
      for (const path of [disk, join(machine.folder, 'etcd')]) await chown(path, Number(uid), Number(gid));
      await writeFile(join(machine.folder, 'patroni.yml'), cluster.#settingsOf(machine));
    }
    for (const node of nodes) cluster.#startEtcd(node);
    for (const node of nodes) cluster.#startPatroni(node);
    await cluster.untilWhole(120_000);
    const client = new Client({ host: (await cluster.primary()).address, user: USER, database: 'postgres' });
    await client.connect();
    await client.query(`create database ${DATABASE}`);
    await client.end();
    return cluster;
  }

  /** The address for instances: all hosts, and the one that takes writes. */
  get url(): string {
    const hosts = this.#nodes.map(({ machine }) => `${machine.address}:5432`).join(',');
    return `postgres://${USER}@${hosts}/${DATABASE}?target_session_attrs=read-write&sslmode=disable`;
  }

  /** The machine of the present primary. @throws if there is none */
  async primary(): Promise<Machine> {
    const leader = (await this.#members()).find(({ role }) => role === 'leader');
    return this.#node(leader?.name ?? 'no leader').machine;
  }

  async standbys(): Promise<readonly Machine[]> {
    const primary = await this.primary();
    return this.#nodes.map(({ machine }) => machine).filter((machine) => machine !== primary);
  }

  /** Kills the server on a machine as a crash does; Patroni remains. */
  async killServer(machine: Machine): Promise<void> {
    const [postmaster] = (await readFile(join(machine.folder, 'disk/data/postmaster.pid'), 'utf8')).split('\n');
    process.kill(Number(postmaster), 'SIGKILL');
  }

  /** Starts what ran on a machine before it was lost. */
  startAgain(machine: Machine): void {
    const node = this.#node(machine.name);
    this.#startEtcd(node);
    this.#startPatroni(node);
  }

  /** Stops etcd on a machine and starts it again. */
  async restartEtcd(machine: Machine): Promise<void> {
    const node = this.#node(machine.name);
    assert(node.etcd !== null, 'etcd runs there');
    const ended = once(node.etcd.child, 'exit');
    node.etcd.child.kill('SIGTERM');
    await ended;
    this.#startEtcd(node);
  }

  /** Takes all room of the disk that a server's data is on, and resolves once the server can't write any more. */
  async fillDisk(machine: Machine): Promise<void> {
    const file = join(machine.folder, 'disk', DISK_FULL);
    await run('dd', ['if=/dev/zero', `of=${file}`, 'bs=64k']).catch(() => undefined);
    const client = new Client({ host: machine.address, user: USER, database: 'postgres' });
    client.on('error', () => undefined);
    // It has some files for what it writes next; each switch uses up one, and what is written in between makes another possible.
    const untilMs = performance.now() + FULL_MS_MAX;
    try {
      await client.connect();
      while (performance.now() < untilMs) {
        await client.query('select pg_switch_wal()');
        await delay(LOOK_MS);
      }
    } catch {
      return;
    } finally {
      await client.end().catch(() => undefined);
    }
    throw new Error('the server still writes on a full disk');
  }

  async makeRoom(machine: Machine): Promise<void> {
    await rm(join(machine.folder, 'disk', DISK_FULL));
  }

  /** Resolves once there is a primary that both others follow. @throws after so many milliseconds, with what Patroni says */
  async untilWhole(withinMs: number): Promise<void> {
    const untilMs = performance.now() + withinMs;
    for (;;) {
      const members = await this.#members();
      const following = members.filter(({ role, state }) => role !== 'leader' && FOLLOWING.has(state));
      const isWhole = members.some(({ role, state }) => role === 'leader' && state === 'running');
      if (isWhole && following.length === 2 && members.some(({ role }) => role === 'sync_standby')) return;
      if (performance.now() > untilMs) {
        const last = this.#nodes.map(({ machine, patroni }) => `${machine.name}: ${patroni?.said().slice(-3_000)}`);
        throw new Error(`the database is not whole: ${JSON.stringify(members)}\n${last.join('\n')}`);
      }
      await delay(LOOK_MS);
    }
  }

  /** Resolves once the others say that another machine has the primary; to whether that was in time. */
  async isReplaced(machine: Machine, withinMs: number): Promise<boolean> {
    const others = this.#nodes.filter((node) => node.machine !== machine);
    const untilMs = performance.now() + withinMs;
    while (performance.now() < untilMs) {
      const members = await this.#members(others);
      if (members.some(({ name, role, state }) => role === 'leader' && state === 'running' && name !== machine.name)) {
        return true;
      }
      await delay(LOOK_MS);
    }
    return false;
  }

  /** As the first of them says that answers. */
  async #members(asked: readonly Node[] = this.#nodes): Promise<readonly Member[]> {
    for (const { machine } of asked) {
      const answer = await fetch(`http://${machine.address}:8008/cluster`, {
        signal: AbortSignal.timeout(ANSWER_MS_MAX),
      }).catch(() => null);
      const said = (await answer?.json().catch(() => null)) as
        | { readonly members?: readonly Member[] }
        | null
        | undefined;
      if (said?.members?.some(({ role }) => role === 'leader') === true) return said.members;
    }
    return [];
  }

  #node(name: string): Node {
    const node = this.#nodes.find(({ machine }) => machine.name === name);
    if (node === undefined) throw new Error(`no machine of the database is "${name}"`);
    return node;
  }

  #startEtcd(node: Node): void {
    const { name, address, folder } = node.machine;
    const peers = this.#nodes.map(({ machine }) => `${machine.name}=http://${machine.address}:2380`).join(',');
    const [peerUrl, clientUrl] = [`http://${address}:2380`, `http://${address}:2379`];
    const options = {
      name,
      'data-dir': join(folder, 'etcd'),
      'initial-cluster': peers,
      'initial-advertise-peer-urls': peerUrl,
      'listen-peer-urls': peerUrl,
      'advertise-client-urls': clientUrl,
      'listen-client-urls': clientUrl,
    };
    const words = Object.entries(options).flatMap(([option, value]) => [`--${option}`, value]);
    node.etcd = node.machine.spawn(['etcd', ...words], { user: USER });
  }

  #startPatroni(node: Node): void {
    const { folder } = node.machine;
    node.patroni = node.machine.spawn(['python3', '-m', 'patroni', join(folder, 'patroni.yml')], {
      user: USER,
      env: { PYTHONPATH: join(folder, PACKAGES) },
    });
  }

  /** JSON is YAML. */
  #settingsOf({ name, address, folder }: Machine): string {
    const postgresql = {
      listen: `${address}:5432`,
      connect_address: `${address}:5432`,
      data_dir: join(folder, 'disk/data'),
      bin_dir: this.#programs,
      pgpass: join(folder, 'disk/pgpass'),
      pg_hba: ['local all all trust', 'host all all all trust', 'host replication all all trust'],
      authentication: { superuser: { username: USER }, replication: { username: USER }, rewind: { username: USER } },
      parameters: { unix_socket_directories: join(folder, 'disk') },
    };
    const dcs = {
      ttl: TTL_SECONDS,
      loop_wait: LOOP_SECONDS,
      retry_timeout: LOOP_SECONDS,
      // A primary that can't start again within a loop, as on a full disk, is replaced.
      primary_start_timeout: LOOP_SECONDS,
      maximum_lag_on_failover: 1_048_576,
      synchronous_mode: true,
      postgresql: {
        use_pg_rewind: true,
        use_slots: true,
        // Small, so that it fits on the small disk; a standby that is away for a while must find what it lacks.
        parameters: { max_connections: 100, shared_buffers: '64MB', max_wal_size: '128MB', wal_keep_size: '64MB' },
      },
    };
    return JSON.stringify({
      scope: 'faregate',
      name,
      restapi: { listen: `${address}:8008`, connect_address: `${address}:8008` },
      etcd3: { hosts: this.#nodes.map(({ machine }) => `${machine.address}:2379`) },
      bootstrap: { dcs, initdb: [{ encoding: 'UTF8' }, 'data-checksums'] },
      postgresql,
    });
  }
}

/** The states of a standby to which changes come; earlier versions of Patroni know one word for all. */
const FOLLOWING: ReadonlySet<string> = new Set(['streaming', 'running']);
