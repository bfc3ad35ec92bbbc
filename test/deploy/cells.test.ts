import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { composeKey } from '../../src/domain/key.ts';
import { type MockUpstream, startMockUpstream } from '../support/aimock.ts';
import { databaseUrl, type ExternalPostgres, freePort, startExternalPostgres } from '../support/external-postgres.ts';
import { printFigure } from '../support/figures.ts';
import { outputPricedConfig } from '../support/output-priced.ts';
import { type Program, startProgram } from '../support/program.ts';
import type { Tenant } from '../support/tenant.ts';
import { type Answer, Caller } from './proxied-instances.ts';
import { installedCellProxies, startProxy } from './reverse-proxies.ts';

// Two cells behind the examples of deploy/proxies: each a database server of its own with an instance, and one address for callers.

const PROXIES = await installedCellProxies();
/** Of each cell's load, a request. */
const INTERVAL_MS = 20;
/** Without an answer yet: at a machine that is too busy, requests are left out. */
const OPEN_MAX = 50;
/** Answers of the cell that stays, before the other's database ends and while it is away. */
const ANSWERS = 600;
const PATIENT = 300_000;
const CREDIT = 1_000_000_000_000n;

type AmountsOfReport = Readonly<Record<`${'credit' | 'charges' | 'balance' | 'owed'}_nano_usd`, string>>;

interface Cell {
  readonly postgres: ExternalPostgres;
  readonly program: Program;
  readonly tenant: Tenant;
}

let upstream: MockUpstream;
let zero: Cell;
let one: Cell;
/** By the name of the proxy. */
const ports = new Map<string, number>();
const running = new AsyncDisposableStack();

beforeAll(async () => {
  if (PROXIES.length === 0) return;
  upstream = await startMockUpstream({ answerDelayMs: 5 });
  running.defer(() => upstream.stop());
  [zero, one] = await Promise.all([startCell('00'), startCell('01')]);
  const instances = [zero, one].map(({ program }) => Number(new URL(program.url).port));
  for (const name of PROXIES) {
    const proxy = await startProxy(name, instances);
    running.defer(() => proxy.stop());
    ports.set(name, proxy.port);
  }
}, PATIENT);
afterAll(() => running.disposeAsync());

async function startCell(shard: string): Promise<Cell> {
  const postgres = await startExternalPostgres();
  running.defer(() => postgres.stop());
  const env = { DATABASE_URL: databaseUrl(postgres, await postgres.createDatabase(), postgres.port) };
  const args = ['--bootstrap', '--port', String(await freePort())];
  const config = outputPricedConfig(upstream, `database: { shard: "${shard}" }`);
  const program = await startProgram({ config, env, args });
  running.defer(() => program.dispose());
  return { postgres, program, tenant: await program.createTenant({ credit: '1000' }) };
}

const QUESTION = { model: 'output-priced', max_tokens: 5, messages: [{ role: 'user', content: 'hi' }] };

/** One answer through a proxy to a caller with this key or these headers. */
async function answer(
  name: string,
  key: ConstructorParameters<typeof Caller>[1],
  path = '/v1/chat/completions',
): Promise<Answer> {
  const caller = new Caller(ports.get(name) ?? 0, key);
  try {
    return await caller.send(path, path.startsWith('/v1/') ? QUESTION : null);
  } finally {
    caller.leave();
  }
}

interface TimedAnswer extends Answer {
  readonly ms: number;
}

const isAway = ({ status, retryAfter, text }: Answer): boolean =>
  status === 503 && Number(retryAfter) > 0 && text.includes('"SERVICE_UNAVAILABLE"');

/** Requests with one key through all proxies in turn, at a fixed rate whatever their answers take. */
class Load {
  readonly answers: TimedAnswer[] = [];
  readonly #callers: readonly Caller[];
  readonly #sent: Promise<void>[] = [];
  readonly #sending: Promise<void>;
  #open = 0;
  #isOver = false;

  constructor(key: string) {
    this.#callers = PROXIES.map((name) => new Caller(ports.get(name) ?? 0, key));
    this.#sending = this.#send();
  }

  async #send(): Promise<void> {
    const startMs = performance.now();
    for (let count = 0; !this.#isOver; count += 1) {
      await delay(Math.max(0, startMs + count * INTERVAL_MS - performance.now()));
      if (this.#open >= OPEN_MAX) continue;
      this.#open += 1;
      this.#sent.push(this.#ask(this.#callers[count % this.#callers.length] as Caller));
    }
  }

  async #ask(caller: Caller): Promise<void> {
    const sentMs = performance.now();
    const given = await caller.send('/v1/chat/completions', QUESTION);
    this.#open -= 1;
    this.answers.push({ ...given, ms: performance.now() - sentMs });
  }

  /** So many answers from now on. */
  async next(count: number): Promise<readonly TimedAnswer[]> {
    const from = this.answers.length;
    await vi.waitUntil(() => this.answers.length - from > count, { timeout: PATIENT, interval: 20 });
    return this.answers.slice(from, from + count);
  }

  async end(): Promise<readonly TimedAnswer[]> {
    this.#isOver = true;
    await this.#sending;
    await Promise.all(this.#sent);
    for (const caller of this.#callers) caller.leave();
    return this.answers;
  }
}

/** Those that are not as they should be, with all that they said. */
function unlike(isRight: (given: Answer) => boolean, answers: readonly Answer[]): readonly string[] {
  return answers
    .filter((given) => !isRight(given))
    .map(({ status, retryAfter, text }) => `${status}, again in ${retryAfter}: ${text}`);
}

function quantile(answers: readonly TimedAnswer[], share: number): number {
  return answers.map(({ ms }) => ms).toSorted((a, b) => a - b)[Math.floor(answers.length * share)] ?? 0;
}

describe.each(PROXIES)('cells behind one address by %s', (name) => {
  test('each key reaches its own cell, as a bearer or in x-api-key, which counts where there is no bearer', async () => {
    for (const { tenant } of [zero, one]) {
      for (const headers of [
        { authorization: `Bearer ${tenant.key}` },
        { authorization: `bearer  ${tenant.key}` },
        { 'x-api-key': tenant.key },
        { authorization: `Bearer ${tenant.key}`, 'x-api-key': zero.tenant.key },
        { authorization: `Bearer ${tenant.key}`, 'x-api-key': one.tenant.key },
      ]) {
        expect(await answer(name, headers)).toMatchObject({ status: 200 });
      }
      const messages = { 'x-api-key': tenant.key, 'anthropic-version': '2023-06-01' };
      expect(await answer(name, messages, '/v1/messages')).toMatchObject({ status: 200 });
    }
  });

  test('the first cell refuses a key of a shard that no cell has, a key without a shard, and what is no key', async () => {
    const secret = 'b'.repeat(33);
    const refusals = {
      [composeKey(`7z${'A'.repeat(12)}`, secret)]: 'it belongs to another Faregate',
      // Its id, not its shard, begins with the characters of the other cell, which would call it mistaken for its own.
      [composeKey(`01${'A'.repeat(10)}`, secret)]: 'it is unknown',
      [composeKey(`01${'A'.repeat(12)}`, secret)]: 'it is unknown',
      fg_live_01: 'it does not have the form of a key',
    };
    for (const [key, why] of Object.entries(refusals)) {
      const { status, text } = await answer(name, key);
      expect({ status, text }).toEqual({ status: 401, text: expect.stringContaining(why) });
    }
    for (const headers of [{}, { authorization: 'Basic fg_live_01' }]) {
      const { status, text } = await answer(name, headers);
      expect({ status, text }).toEqual({ status: 401, text: expect.stringContaining('INVALID_API_KEY') });
    }
  });

  test('the admin API of each cell is at its own name', async () => {
    const path = `/admin/v1/workspaces/${one.tenant.workspaceId}`;
    const authorization = `Bearer ${one.program.operatorToken}`;
    expect(await answer(name, { authorization, host: 'one.gateway.example' }, path)).toMatchObject({ status: 200 });
    expect(await answer(name, { authorization }, path)).toMatchObject({ status: 401 });
  });
});

describe.runIf(PROXIES.length > 0)('cells behind one address', () => {
  test('neither cell serves a key of the other', async () => {
    expect(zero.tenant.key.slice(8, 10)).toBe('00');
    expect(one.tenant.key.slice(8, 10)).toBe('01');
    for (const [key, { program }] of [[zero.tenant.key, one] as const, [one.tenant.key, zero] as const]) {
      const refused = await program.chat(key, QUESTION);
      expect(refused.status).toBe(401);
      expect(await refused.json()).toMatchObject({ error: { code: 'INVALID_API_KEY' } });
    }
  });

  test(
    'a cell whose database is killed under load refuses its own keys alone, and the money of both is true',
    { timeout: PATIENT },
    async () => {
      const loads = { dying: new Load(zero.tenant.key), staying: new Load(one.tenant.key) };
      await loads.staying.next(ANSWERS / 4);
      const before = await loads.staying.next(ANSWERS);
      await zero.postgres.end('SIGKILL');
      await expect.poll(() => loads.dying.answers.some(isAway), { timeout: 60_000, interval: 50 }).toBe(true);
      const during = await loads.staying.next(ANSWERS);
      for (const share of [0.5, 0.99]) {
        const [both, alone] = [quantile(before, share), quantile(during, share)];
        const what = `p${share * 100} of the other cell`;
        printFigure(`${what}, both there`, both, 'ms');
        printFigure(`${what}, one away`, alone, `ms, ${(alone / both).toFixed(2)} ×`);
      }
      await zero.postgres.start();
      const isBack = async (): Promise<boolean> => (await loads.dying.next(1))[0]?.status === 200;
      await expect.poll(isBack, { timeout: 120_000, interval: 200 }).toBe(true);
      const [dying, staying] = [await loads.dying.end(), await loads.staying.end()];
      expect(unlike(({ status }) => status === 200, staying)).toEqual([]);
      expect(unlike((given) => given.status === 200 || isAway(given), dying)).toEqual([]);
      printFigure('answers of the other cell, all 200', staying.length, 'requests');
      for (const { program, tenant } of [zero, one]) {
        await expect
          .poll(async () => (await program.admin.verifyLedger()).differences, { timeout: 60_000, interval: 500 })
          .toEqual([]);
        const { balance_nano_usd: balance } = await program.admin.showWorkspace(tenant.workspaceId);
        expect(BigInt(balance)).toBeLessThan(CREDIT);
      }
      // As docs/scaling.md adds cells up.
      const reports: AmountsOfReport[] = [];
      for (const { program } of [zero, one]) reports.push(await program.json<AmountsOfReport>('ledger', 'verify'));
      const sumOf = (amount: keyof AmountsOfReport): bigint =>
        reports.reduce((sum, report) => sum + BigInt(report[amount]), 0n);
      expect(sumOf('credit_nano_usd')).toBeGreaterThan(2n * CREDIT);
      expect(sumOf('credit_nano_usd') - sumOf('charges_nano_usd')).toBe(
        sumOf('balance_nano_usd') + sumOf('owed_nano_usd'),
      );
    },
  );

  test(
    'a cell none of whose instances runs is refused by the proxy as Faregate would, and the other is served',
    { timeout: PATIENT },
    async () => {
      await zero.program.signal('SIGKILL');
      for (const name of PROXIES) {
        await expect.poll(() => answer(name, zero.tenant.key), { timeout: 30_000, interval: 100 }).toSatisfy(isAway);
        expect(await answer(name, one.tenant.key)).toMatchObject({ status: 200 });
      }
    },
  );
});
