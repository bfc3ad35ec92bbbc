import { readFile, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Random } from '../simulation/random.ts';
import { type MockUpstream, startMockUpstream } from '../support/aimock.ts';
import { FAULT_NAMES, type FaultUpstream, startFaultUpstream } from './fault-upstream.ts';
import { type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';
import { Gateway, NANO_PER_INPUT, NANO_PER_OUTPUT } from '../wire/gateway.ts';
import { beginStream, DONE, event, finish, text, usageChunk } from '../wire/upstream-scripts.ts';
import { askUntil, type Seen } from './upstream-clients.ts';

// Upstreams that fail in every known way, one that another maker's mock plays, and one that nobody answers at: what
// callers get is documented, what they are charged is right, and nothing is left behind. For longer, or the same again:
// npm run chaos -- --seconds 60 --seed 7

const seconds = Number(process.env['CHAOS_SECONDS'] ?? 8);
const seed = Number(process.env['CHAOS_SEED'] ?? 1);
const random = new Random(seed);
const CLIENTS = 24;
const PATIENCE_MS = 60_000;
const FULL_CHARGE = 7n * NANO_PER_INPUT + 5n * NANO_PER_OUTPUT;
/** What a process keeps for a while of all that it has settled is less; what leaks on every request grows beyond it. */
const HEAP_GROWTH_MAX = 32 * 2 ** 20;

let faulty: FaultUpstream;
let mock: MockUpstream;
let pair: ScriptedUpstream[];
let gateway: Gateway;

function configure(): { providers: string; models: string } {
  const TERMS = 'price: { input: "1", output: "10" }, context_window: 128000, max_output: 16384';
  const providers = {
    faulty: `${faulty.origin}/v1`,
    other: `${faulty.origin}/other/v1`,
    mock: mock.baseUrl,
    dead: 'http://127.0.0.1:9/v1',
    left: `${pair[0]?.origin}/v1`,
    right: `${pair[1]?.origin}/v1`,
  };
  const routes = {
    'one-route': ['faulty'],
    'two-faulty': ['faulty', 'other'],
    'dead-first': ['dead', 'faulty', 'mock'],
    'mock-alone': ['mock'],
    'two-sound': ['left', 'right'],
  };
  const provider = ([name, url]: [string, string]): string =>
    `\n  ${name}: { kind: openai, base_url: "${url}", concurrency_max: 200 }`;
  const model = ([id, names]: [string, string[]]): string =>
    `\n  - { id: ${id}, routes: [${names.map((name) => `{ provider: ${name}, model: m }`).join(', ')}], ${TERMS} }`;
  return {
    providers: Object.entries(providers).map(provider).join(''),
    models: Object.entries(routes).map(model).join(''),
  };
}

beforeAll(async () => {
  faulty = await startFaultUpstream(random, 0.6);
  pair = await Promise.all([0, 1].map(() => startScriptedUpstream(slowly)));
  mock = await startMockUpstream({
    usage: () => ({ prompt_tokens: 7, completion_tokens: 5 }),
    chaos: { dropRate: 0.1, malformedRate: 0.1, rateLimitRate: 0.05, disconnectRate: 0.1 },
  });
  gateway = await Gateway.start({
    timeouts:
      '{ plain: 2s, stream: 2s, upstream_connect: 500ms, upstream_first_byte: 500ms, upstream_first_event: 600ms, upstream_idle: 500ms, usage: 300ms, ping: 200ms }',
    routing: '{ window: 1s, results_min: 20, failure_percent: 80, rest: 100ms, refused_key_rest: 20ms }',
    // So that what isn't needed is thrown away soon, and a leak is the end of it.
    env: { NODE_OPTIONS: '--max-old-space-size=96' },
    more: configure,
  });
});

afterAll(async () => {
  await gateway.stop();
  await mock.stop();
  await Promise.all([faulty, ...pair].map((upstream) => upstream.stop()));
});

/** A sound stream that takes a moment, before its first event and in its midst. */
function slowly(response: ServerResponse): void {
  const events = [text('seven'), text(' times'), text(' eight'), finish(), usageChunk()].map(event);
  setTimeout(() => {
    beginStream(response);
    const timer = setInterval(() => {
      const next = events.shift();
      if (next !== undefined) response.write(next);
      else response.end(DONE);
    }, 10);
    response.once('close', () => clearInterval(timer));
  }, 20);
}

/** Looks at the heap again and again while the work is done; answers by how much its low water has risen meanwhile. */
async function heapGrowth(work: Promise<unknown>): Promise<number> {
  const used: number[] = [];
  const over = work.then(() => true);
  do used.push(await gateway.metric('nodejs_heap_size_used_bytes'));
  while (!(await Promise.race([over, delay(seconds * 20, false)])));
  const half = used.length / 2;
  return Math.min(...used.slice(half)) - Math.min(...used.slice(0, half));
}

/** From now on upstreams have as long as they like: that one answers late is the machine's fault, not the test's. */
async function giveTime(): Promise<void> {
  const file = join(dirname(gateway.program.data), 'faregate.yaml');
  await writeFile(file, (await readFile(file, 'utf8')).replace(/^timeouts: .*$/m, 'timeouts: {}'));
  process.kill(gateway.program.pid, 'SIGHUP');
  await vi.waitFor(() => expect(gateway.program.stderr()).toContain('config reloaded'), {
    timeout: 15_000,
    interval: 20,
  });
}

/** Waits until nothing is under way, whoever has left. */
async function quiet(): Promise<void> {
  const providers = ['faulty', 'other', 'mock', 'dead', 'left', 'right'];
  const names = [
    ...providers.map((name) => `faregate_provider_attempts{provider="${name}"}`),
    'faregate_unsettled_receipts',
  ];
  await vi.waitFor(
    async () => {
      expect(await Promise.all(names.map((name) => gateway.metric(name)))).toEqual(names.map(() => 0));
    },
    { timeout: 15_000, interval: 100 },
  );
}

/** Holds what clients have seen against the receipts: each has the one that its end calls for. */
async function expectReceipts(seen: readonly Seen[]): Promise<void> {
  const receipts = await gateway.allReceipts();
  const byName = new Map(receipts.map((receipt) => [receipt.name, receipt]));
  expect(byName.size).toBe(receipts.length);
  const OUTCOMES = { whole: 'completed', 'broken off': 'interrupted', refused: 'failed' } as const;
  const differing = seen.filter(({ name, what }) => {
    if (what === 'left') return false;
    const receipt = byName.get(name);
    if (what === 'wrong' || receipt?.outcome !== OUTCOMES[what]) return true;
    if (what === 'whole') return receipt.certainty === 'exact' && receipt.charge !== FULL_CHARGE;
    return what === 'refused' && receipt.charge !== 0n;
  });
  expect(differing.slice(0, 5).map((one) => ({ ...one, receipt: byName.get(one.name) }))).toEqual([]);
}

test(
  `upstreams fail in every way for ${seconds} seconds, with seed ${seed}: all answers are documented, and paid as they were`,
  { timeout: seconds * 1_000 + 2 * PATIENCE_MS },
  async () => {
    const { pid } = gateway.program;
    const seen: Seen[] = [];
    const kinds = (): readonly string[] =>
      [...Map.groupBy(seen, ({ what }) => what)].filter(([, ones]) => ones.length > 10).map(([what]) => what);
    const notMet = (): readonly string[] => FAULT_NAMES.filter((name) => !faulty.met.has(name));
    // On a slow machine everything takes longer to be met.
    const untilMs = performance.now() + seconds * 1_000;
    const lastMs = untilMs + PATIENCE_MS;
    const isOver = (): boolean => {
      const nowMs = performance.now();
      return nowMs > lastMs || (nowMs > untilMs && notMet().length === 0 && kinds().length === 4);
    };
    const models = ['one-route', 'two-faulty', 'dead-first', 'mock-alone'];
    const load = { gateway, models, random, clients: CLIENTS, kinds: ['plain', 'stream'], leaving: 0.1 } as const;
    expect(await heapGrowth(askUntil(isOver, load, seen))).toBeLessThan(HEAP_GROWTH_MAX);
    await quiet();

    expect(seen.filter(({ what }) => what === 'wrong').slice(0, 5)).toEqual([]);
    // Everything was met that could be.
    expect(notMet()).toEqual([]);
    expect(kinds()).toHaveLength(4);
    await expectReceipts(seen);
    expect(await gateway.books()).toEqual({ ok: true, difference: 0n });
    expect(await gateway.metric('faregate_internal_errors_total')).toBe(0);
    expect(await gateway.metric('faregate_settlement_faults_total')).toBe(0);
    expect(process.kill(pid, 0)).toBe(true);
    expect(gateway.program.stderr()).not.toMatch(/unhandled|uncaught|Warning|must not/i);
  },
);

test('upstreams that fail in every way have no connection left after it', async () => {
  await vi.waitFor(() => expect(faulty.sockets.size).toBe(0), { timeout: 15_000, interval: 100 });
});

test(
  'one of two upstreams that is killed while streams run fails nobody whose answer has not begun',
  { timeout: 60_000 },
  async () => {
    await giveTime();
    const seen: Seen[] = [];
    const load = { gateway, models: ['two-sound'], random, clients: CLIENTS, kinds: ['stream'], leaving: 0 } as const;
    let enough = Number.POSITIVE_INFINITY;
    const over = askUntil(() => seen.length > enough, load, seen);
    await vi.waitUntil(() => seen.length > 200, { timeout: 20_000, interval: 10 });
    await pair[0]?.stop();
    const before = seen.length;
    enough = before + 400;
    await over;
    expect(seen.filter(({ what }) => what !== 'whole' && what !== 'broken off').slice(0, 5)).toEqual([]);
    // Only those break off whose first event the killed one had sent.
    const brokenOff = seen.filter(({ what }) => what === 'broken off').length;
    expect(brokenOff).toBeLessThanOrEqual(CLIENTS);
    expect(await gateway.metric('faregate_attempt_faults_total{provider="left",fault="unreachable"}')).toBeGreaterThan(
      0,
    );
    expect(pair[1]?.requests.length).toBeGreaterThanOrEqual(400);
    await expectReceipts(seen);
  },
);
