import { randomBytes } from 'node:crypto';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase } from '../../src/program/database/pool.ts';
import { databaseUrl, startExternalPostgres } from '../support/external-postgres.ts';
import { type Program, startProgram } from '../support/program.ts';
import { type Backend, startBalancer } from './balancer.ts';
import { Load } from './load.ts';
import { pricedConfig, startCountingProvider } from './provider.ts';
import { type Kill, proveRoll, type RollProof, secondsOf } from './roll-proof.ts';

// Two instances of the last release on one PostgreSQL, behind a balancer and under load, become instances of this tree one
// after the other, and then instances of the last release again. While versions are mixed, one of each is killed.

/** Two health checks of the balancer fit into it. */
const LAME_DUCK = '1s';
/** Low, so that what a killed process held is free again soon. */
const EPOCH = '5s';
const CLIENTS_OF_EACH = 2;
const SETTLED_MS_MAX = 30_000;

/** A place behind the balancer, with a data directory that stays. */
interface Place extends Backend {
  readonly name: string;
  program: Program | null;
  /** What its directory lies in. */
  root: string | null;
}

export interface RollOptions {
  /** The root of the last release's tree. */
  readonly former: string;
  readonly formerVersion: string;
  /** How long each state lasts. */
  readonly dwellMs: number;
  readonly say: (line: string) => void;
}

/** Rolls forward and back. Stops all that it has started. */
export async function roll(options: RollOptions): Promise<RollProof> {
  const closing = new AsyncDisposableStack();
  try {
    return await rollOn(closing, options);
  } finally {
    await closing.disposeAsync();
  }
}

async function rollOn(
  closing: AsyncDisposableStack,
  { former, formerVersion, dwellMs, say }: RollOptions,
): Promise<RollProof> {
  const [postgres, provider] = await Promise.all([startExternalPostgres(), startCountingProvider()]);
  closing.defer(() => postgres.stop());
  closing.defer(() => provider.stop());
  const url = databaseUrl(postgres, await postgres.createDatabase(), postgres.port);
  // Instances of one database share it.
  const secretsKey = randomBytes(32).toString('base64');
  const versions = {
    former: { name: formerVersion, launcher: join(former, 'bin/faregate') },
    newer: { name: 'this tree', launcher: join(import.meta.dirname, '../../bin/faregate') },
  } as const;
  const places: readonly Place[] = ['A', 'B'].map((name) => ({
    name,
    port: null,
    isReady: false,
    program: null,
    root: null,
  }));
  const [a, b] = places as [Place, Place];
  const balancer = await startBalancer(places);
  closing.defer(() => balancer.stop());
  closing.defer(async () => {
    for (const { program } of places) await program?.dispose();
  });
  const kills: Kill[] = [];
  const note = (line: string): void => say(`${secondsOf(performance.now())} s: ${line}`);
  const start = async (place: Place, version: keyof typeof versions): Promise<void> => {
    const fromMs = performance.now();
    place.program = await startProgram({
      config: pricedConfig(provider, `lame_duck: ${LAME_DUCK}, epoch: ${EPOCH}`),
      args: ['--bootstrap'],
      env: { DATABASE_URL: url, FAREGATE_SECRETS_KEY: secretsKey },
      launcher: versions[version].launcher,
      ...(place.root === null ? {} : { data: place.root }),
    });
    place.root = dirname(place.program.data);
    place.port = Number(new URL(place.program.url).port);
    while (!place.isReady) await delay(20);
    note(`${place.name} serves as ${versions[version].name} after ${Math.round(performance.now() - fromMs)} ms`);
  };
  const replace = async (place: Place, version: keyof typeof versions): Promise<void> => {
    note(`${place.name} gets SIGTERM`);
    const code = await place.program?.signal('SIGTERM');
    if (code !== 0) throw new Error(`${place.name} has stopped with ${code}: ${place.program?.stderr()}`);
    place.port = null;
    await start(place, version);
    await delay(dwellMs);
  };
  const kill = async (place: Place, version: keyof typeof versions, next: keyof typeof versions): Promise<void> => {
    place.isReady = false;
    const what = `${place.name} as ${versions[version].name}`;
    const [atMs, connections] = [performance.now(), balancer.connectionsOf(place)];
    await place.program?.signal('SIGKILL');
    kills.push({ what, atMs, goneMs: performance.now(), connections });
    place.port = null;
    note(`${place.name} is killed as ${versions[version].name}`);
    await start(place, next);
    await delay(dwellMs);
  };

  await start(a, 'former');
  await start(b, 'former');
  const { key } = (await a.program?.createTenant({ credit: '100000' })) ?? { key: '' };
  const load = new Load(balancer.url, key, { clientsOfEach: CLIENTS_OF_EACH });
  const fromMs = performance.now();
  await delay(dwellMs);
  await replace(a, 'newer');
  await kill(b, 'former', 'former');
  await kill(a, 'newer', 'newer');
  await replace(b, 'newer');
  await replace(b, 'former');
  await kill(b, 'former', 'former');
  // The way back begins with what a killed process of the newer version has left.
  await kill(a, 'newer', 'former');
  const toMs = performance.now();
  await load.stop();

  const database = openDatabase({ connection: { url }, connectionsMax: 3, applicationName: 'faregate-test' });
  closing.defer(() => database.close());
  return await proveRoll({
    database,
    seen: load.seen,
    answered: provider.answered,
    kills,
    durationMs: toMs - fromMs,
    settledMsMax: SETTLED_MS_MAX,
  });
}
