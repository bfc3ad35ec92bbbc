import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Contender,
  type ContenderLoad,
  type ContenderName,
  type Contest,
  FORMER_COMMIT,
  type Usage,
  withContest,
} from '../contenders.ts';
import { cpuUs } from '../process-cost.ts';
import type { BenchSettings, Profile, Round } from '../profile.ts';
import { transactionsSoFar } from '../transactions.ts';

// Faregate beside what it was at a former commit, and beside bare code for the same money path and for none. In each round
// every contender has two windows, in this order and then in the other one, so that a machine whose pace changes does it to all.

const REQUESTS_FIRST = 100_000;
const WARM_UP_SECONDS = 0.4;
const IDLE_SECONDS = 10;
const COUNTED_REQUESTS = 10_000;
/** Connections of a load by its rate. */
const CONNECTIONS_AT_RATE = 32;

const SHOWN: Readonly<Record<ContenderName, string>> = {
  Faregate: 'Faregate',
  former: FORMER_COMMIT,
  spike: 'the spike',
  bare: 'bare pass-through',
};

/** What a contender has used in both of its windows, and its latency. */
interface Windows {
  readonly gatewayUs: number;
  readonly postgresUs: number;
  readonly perSecond: number;
  readonly walBytes: number;
  readonly p50: number;
  readonly p99: number;
}

type Measures = ReadonlyMap<ContenderName, Windows>;

async function measureAll(contest: Contest, load: ContenderLoad): Promise<Measures> {
  const { contenders } = contest;
  const windows = new Map<ContenderName, Usage[]>(contenders.map(({ name }) => [name, []]));
  for (const contender of [...contenders, ...contenders.toReversed()]) {
    windows.get(contender.name)?.push(await contest.measure(contender, load));
  }
  return new Map([...windows].map(([name, usages]) => [name, together(usages)]));
}

function together(usages: readonly Usage[]): Windows {
  const sum = (of: (usage: Usage) => number): number => usages.reduce((all, usage) => all + of(usage), 0);
  const requests = sum((usage) => usage.requests);
  return {
    gatewayUs: sum(({ gatewayUs }) => gatewayUs) / requests,
    postgresUs: sum(({ postgresUs }) => postgresUs) / requests,
    perSecond: requests / sum(({ seconds }) => seconds),
    walBytes: sum(({ walBytes }) => walBytes) / requests,
    p50: sum(({ latency }) => latency.p50) / usages.length,
    p99: sum(({ latency }) => latency.p99) / usages.length,
  };
}

/** What each contender takes, and Faregate's as a multiple of the others'. */
function compare(
  at: string,
  of: string,
  measures: Measures,
  figure: (windows: Windows) => number,
  names: readonly ContenderName[],
): Round {
  const values = names.flatMap((name) => {
    const windows = measures.get(name);
    return windows === undefined ? [] : [[name, figure(windows)] as const];
  });
  const own = values.find(([name]) => name === 'Faregate')?.[1] ?? 0;
  const others = values.filter(([name, value]) => name !== 'Faregate' && value > 0);
  return {
    ...Object.fromEntries(values.map(([name, value]) => [`${at}: ${of}, ${SHOWN[name]}`, value])),
    ...Object.fromEntries(others.map(([name, value]) => [`${at}: ${of}, × ${SHOWN[name]}`, own / value])),
  };
}

const ALL = ['Faregate', 'former', 'spike', 'bare'] as const;
const WITH_STORE = ['Faregate', 'former', 'spike'] as const;
const INSTANCES = ['Faregate', 'former'] as const;

async function atSaturation(contest: Contest, seconds: number, connections: number): Promise<Round> {
  const load = { connections, perSecond: null, warmUpSeconds: WARM_UP_SECONDS, seconds };
  const measures = await measureAll(contest, load);
  const at = `${connections} connections`;
  return {
    ...compare(at, 'gateway CPU µs/request', measures, ({ gatewayUs }) => gatewayUs, ALL),
    ...compare(at, 'PostgreSQL CPU µs/request', measures, ({ postgresUs }) => postgresUs, WITH_STORE),
    ...compare(at, 'requests/s', measures, ({ perSecond }) => perSecond, ALL),
    ...compare(at, 'WAL bytes/request', measures, ({ walBytes }) => walBytes, WITH_STORE),
  };
}

/** Transactions for each 1,000 requests, those of its own work included. */
async function transactions(contest: Contest, scale: number): Promise<Round> {
  const requests = Math.ceil(COUNTED_REQUESTS * scale);
  const round: Record<string, number> = {};
  for (const contender of contest.contenders) {
    if (contender.store === null) continue;
    const before = await transactionsSoFar(contender.store.sql);
    await contest.warmUp(contender, CONNECTIONS_AT_RATE, requests);
    const after = await transactionsSoFar(contender.store.sql);
    round[`32 connections: transactions/1,000 requests, ${SHOWN[contender.name]}`] =
      ((after - before) / requests) * 1_000;
  }
  return round;
}

/** What instances use that nobody sends a request, in percent of a core. */
async function idle(contest: Contest, seconds: number): Promise<Round> {
  const instances = contest.contenders.filter(({ name }) => name === 'Faregate' || name === 'former');
  const used = (contender: Contender): readonly number[] => [
    cpuUs(contender.gateway),
    contender.store === null ? 0 : cpuUs(contender.store.postgres),
  ];
  const before = instances.map(used);
  const sinceMs = performance.now();
  await sleep(seconds * 1_000);
  const percent = (us: number): number => us / (performance.now() - sinceMs) / 10;
  const after = instances.map(used);
  return Object.fromEntries(
    instances.flatMap(({ name }, at) =>
      ['gateway', 'PostgreSQL'].map((part, which) => [
        `idle: ${part} % of a core, ${SHOWN[name]}`,
        percent((after[at]?.[which] ?? 0) - (before[at]?.[which] ?? 0)),
      ]),
    ),
  );
}

async function atRate(contest: Contest, seconds: number, perSecond: number): Promise<Round> {
  const load = { connections: CONNECTIONS_AT_RATE, perSecond, warmUpSeconds: WARM_UP_SECONDS, seconds };
  const measures = await measureAll(contest, load);
  const at = `${perSecond}/s`;
  return {
    ...compare(at, 'gateway CPU µs/request', measures, ({ gatewayUs }) => gatewayUs, ALL),
    ...compare(at, 'PostgreSQL CPU µs/request', measures, ({ postgresUs }) => postgresUs, WITH_STORE),
    ...compare(
      at,
      'gateway and PostgreSQL CPU µs/request',
      measures,
      ({ gatewayUs, postgresUs }) => gatewayUs + postgresUs,
      INSTANCES,
    ),
    ...compare(at, 'latency p50 ms', measures, ({ p50 }) => p50, ALL),
    ...compare(at, 'latency p99 ms', measures, ({ p99 }) => p99, ALL),
  };
}

function formerProfile(
  name: string,
  about: string,
  round: (contest: Contest, settings: BenchSettings) => Promise<Round>,
): Profile {
  return {
    name,
    about,
    run: (settings) =>
      withContest(settings.progress, async (contest) => {
        for (const contender of contest.contenders) {
          settings.progress(`${name}: warming up ${SHOWN[contender.name]}`);
          await contest.warmUp(contender, CONNECTIONS_AT_RATE, Math.ceil(REQUESTS_FIRST * settings.scale));
        }
        const rounds: Round[] = [];
        for (let number = 1; number <= settings.rounds; number += 1) {
          settings.progress(`${name}: round ${number} of ${settings.rounds}`);
          rounds.push(await round(contest, settings));
        }
        await contest.verify();
        return rounds;
      }),
  };
}

export const formers: readonly Profile[] = [
  formerProfile(
    'former-small',
    `short chat at 32 and 128 connections, and idle, beside ${FORMER_COMMIT} and bare code for the same money path`,
    async (contest, { seconds, scale }) => ({
      ...(await atSaturation(contest, seconds, 32)),
      ...(await atSaturation(contest, seconds, 128)),
      ...(await transactions(contest, scale)),
      ...(await idle(contest, IDLE_SECONDS * scale)),
    }),
  ),
  formerProfile(
    'former-rates',
    `short chat at 100/s and 500/s, at random moments, beside ${FORMER_COMMIT} and bare code`,
    async (contest, { seconds }) => ({
      ...(await atRate(contest, 2 * seconds, 100)),
      ...(await atRate(contest, seconds, 500)),
    }),
  ),
];
