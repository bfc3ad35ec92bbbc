import { randomBytes } from 'node:crypto';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { exampleWith } from '../deploy/reverse-proxies.ts';
import { ROOT } from '../repository/tree.ts';
import { type Program, startProgram } from '../support/program.ts';
import { Load, type Seen } from '../upgrade/load.ts';
import { type CountingProvider, pricedConfig, startCountingProvider } from '../upgrade/provider.ts';
import { type Kill, secondsOf } from '../upgrade/roll-proof.ts';
import { type Machine, Network } from './network.ts';
import { PatroniCluster } from './patroni.ts';

// Three instances behind HAProxy, on a PostgreSQL of three machines under Patroni, each on a machine of its own, under load of all
// dialects; and what callers have of it while something fails.

const PORT = 8080;
const LAME_DUCK = '3s';
const CLIENTS_OF_EACH = 2;
/** So that what is measured is the service, not two cores at their end. */
const REST_MS = 100;
/** The balancer asks each instance once a second. */
const FOUND_MS = 2_500;
const LOOK_MS = 50;
/** Some of each dialect. */
const ANSWERED_MIN = 50;
const ANSWERED_MS_MAX = 120_000;
const FOLLOWED_MS_MAX = 120_000;

/** What befell the system, and what callers had of it. */
export interface Step {
  readonly what: string;
  readonly requests: number;
  readonly refused: number;
  readonly broken: number;
  /** Until another server was the primary; null if none had to be. */
  readonly primaryAfterMs: number | null;
  /** From what befell it until the end of the last request that was not answered. */
  readonly wholeAfterMs: number;
  /** The longest time that a request took. */
  readonly longestMs: number;
}

interface Instance {
  readonly name: string;
  /** The program, as it is started on its machine. */
  readonly launcher: string;
  program: Program;
}

type TrialParts = Pick<Trial, 'servers' | 'database' | 'provider' | 'instances' | 'load'>;

export class Trial {
  readonly steps: Step[] = [];
  readonly kills: Kill[] = [];
  readonly servers: readonly Machine[];
  readonly database: PatroniCluster;
  readonly provider: CountingProvider;
  readonly instances: readonly Instance[];
  readonly load: Load;
  readonly #options: TrialOptions;

  private constructor(parts: TrialParts, options: TrialOptions) {
    this.servers = parts.servers;
    this.database = parts.database;
    this.provider = parts.provider;
    this.instances = parts.instances;
    this.load = parts.load;
    this.#options = options;
  }

  /** Starts all, the load last. What is started is stopped with `closing`. */
  static async start(closing: AsyncDisposableStack, options: TrialOptions): Promise<Trial> {
    const network = await Network.open();
    closing.defer(() => network.close());
    const servers = [await network.add('db1', 11), await network.add('db2', 12), await network.add('db3', 13)];
    const front = await network.add('front', 10);
    const database = await PatroniCluster.start(servers, options.patroni);
    const provider = await startCountingProvider({ host: network.address });
    closing.defer(() => provider.stop());
    const secretsKey = randomBytes(32).toString('base64');
    const server = `trusted_proxies: ["${front.address}"], connections_per_address_max: 10000`;
    const instances: Instance[] = [];
    closing.defer(async () => {
      for (const { program } of instances) await program.dispose();
    });
    const addresses: string[] = [];
    for (const [index, name] of ['a', 'b', 'c'].entries()) {
      const machine = await network.add(name, 21 + index);
      addresses.push(machine.address);
      const launcher = join(machine.folder, 'faregate');
      await writeFile(launcher, `#!/bin/sh\nexec ${machine.prefix.join(' ')} ${join(ROOT, 'bin/faregate')} "$@"\n`);
      await chmod(launcher, 0o755);
      const program = await startProgram({
        config: `server: { ${server} }\n${pricedConfig(provider, `lame_duck: ${LAME_DUCK}`)}`,
        args: ['--bootstrap', '--host', machine.address, '--port', String(PORT)],
        env: { DATABASE_URL: database.url, FAREGATE_SECRETS_KEY: secretsKey },
        launcher,
      });
      instances.push({ name, launcher, program });
    }
    await startHaproxy(front, addresses);
    const [first] = instances as [Instance];
    const { key } = await first.program.createTenant({ credit: '100000' });
    const load = new Load(`http://${front.address}`, key, { clientsOfEach: CLIENTS_OF_EACH, restMs: REST_MS });
    const trial = new Trial({ servers, database, provider, instances, load }, options);
    trial.note('all machines serve');
    await delay(options.dwellMs);
    return trial;
  }

  note(line: string): void {
    this.#options.say(`${secondsOf(performance.now())} s: ${line}`);
  }

  /**
   * Lets something happen, waits until all requests have been answered for a while, and notes what callers had. `replaced` is a
   * machine that is to lose the primary by it.
   */
  async befall(what: string, event: () => unknown, replaced: Machine | null = null): Promise<void> {
    const { seen } = this.load;
    const from = seen.length;
    const atMs = performance.now();
    const successor =
      replaced !== null &&
      this.database.isReplaced(replaced, ANSWERED_MS_MAX).then((is) => is && performance.now() - atMs);
    await event();
    const untilMs = performance.now() + ANSWERED_MS_MAX;
    while (!this.#isAnsweredSince(atMs, seen.slice(from)) && performance.now() < untilMs) await delay(LOOK_MS);
    const during = seen.slice(from);
    const step: Step = {
      what,
      primaryAfterMs: (await successor) || null,
      requests: during.length,
      refused: during.filter(({ isWhole, isRetryable }) => !isWhole && isRetryable).length,
      broken: during.filter((one) => !one.isWhole && !one.isRetryable && !isForgotten(one)).length,
      wholeAfterMs: Math.max(0, lastFailureMs(during) - atMs),
      longestMs: Math.max(0, ...during.map(({ fromMs, toMs }) => toMs - fromMs)),
    };
    this.steps.push(step);
    this.note(stepText(step));
  }

  /** Whether for a while each request was answered that has ended, and enough that began then. */
  #isAnsweredSince(atMs: number, seen: readonly Seen[]): boolean {
    const sinceMs = Math.max(atMs, lastFailureMs(seen));
    const answered = seen.filter(({ isWhole, fromMs }) => isWhole && fromMs > sinceMs);
    return performance.now() - sinceMs >= this.#options.dwellMs && answered.length >= ANSWERED_MIN;
  }

  /** Kills a process of the service: requests that it has in progress may break. */
  async kill(instance: Instance): Promise<void> {
    await this.befall(`instance ${instance.name} is killed`, async () => {
      const atMs = performance.now();
      await instance.program.signal('SIGKILL');
      this.kills.push({ what: instance.name, atMs, goneMs: performance.now(), connections: null });
    });
    instance.program = await instance.program.restart();
    await delay(FOUND_MS);
  }

  async replace(instance: Instance): Promise<void> {
    const code = await instance.program.signal('SIGTERM');
    if (code !== 0) throw new Error(`instance ${instance.name} has ended with ${code}: ${instance.program.stderr()}`);
    instance.program = await instance.program.restart();
    await delay(FOUND_MS);
  }

  /** Until the next failure may come. */
  async untilFollowed(): Promise<void> {
    const fromMs = performance.now();
    await this.database.untilWhole(FOLLOWED_MS_MAX);
    this.note(`both standbys follow after another ${secondsOf(performance.now() - fromMs)} s`);
  }
}

export interface TrialOptions {
  /** Where Python finds Patroni. */
  readonly patroni: string;
  /** How long all requests have been answered before the next thing happens. */
  readonly dwellMs: number;
  readonly say: (line: string) => void;
}

/** A step as a line, for people. */
export function stepText({ what, requests, refused, broken, primaryAfterMs, wholeAfterMs, longestMs }: Step): string {
  const primary = primaryAfterMs === null ? '' : `, another primary after ${secondsOf(primaryAfterMs)} s`;
  const counts = `${requests} requests, ${refused} refused, ${broken} broken${primary}`;
  return `${what}: ${counts}, whole after ${secondsOf(wholeAfterMs)} s, the longest ${secondsOf(longestMs)} s`;
}

/** Whether it continues an answer that was given while it could not be kept. */
export function isForgotten({ status, reason }: Seen): boolean {
  return status === 404 && reason !== null && reason.includes('"previous_response_not_found"');
}

function lastFailureMs(seen: readonly Seen[]): number {
  return Math.max(0, ...seen.filter((one) => !one.isWhole && !isForgotten(one)).map(({ toMs }) => toMs));
}

/** The example's HAProxy, before these instances and without TLS. */
async function startHaproxy(machine: Machine, addresses: readonly string[]): Promise<void> {
  const text = await exampleWith('haproxy', {
    'bind :443 ssl crt /etc/ssl/gateway.example.pem alpn h2,http/1.1': 'bind :80',
    'server one 10.0.0.11:8080': addresses.map((address, index) => `server i${index} ${address}:${PORT}`).join('\n  '),
    'server two 10.0.0.12:8080': '',
  });
  const file = join(machine.folder, 'haproxy.cfg');
  await writeFile(file, text);
  machine.spawn(['haproxy', '-db', '-f', file]);
}
