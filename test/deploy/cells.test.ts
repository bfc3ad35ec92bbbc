import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type MockUpstream, startMockUpstream } from '../support/aimock.ts';
import { databaseUrl, type ExternalPostgres, freePort, startExternalPostgres } from '../support/external-postgres.ts';
import { printFigure } from '../support/figures.ts';
import { outputPricedConfig } from '../support/output-priced.ts';
import { type Program, startProgram } from '../support/program.ts';
import type { Tenant } from '../support/tenant.ts';
import { type StartedProxy, startCellProxy } from './reverse-proxies.ts';

// Two cells behind the example of deploy/proxies: each a database server of its own with an instance, and one address for callers.

const IS_INSTALLED = await promisify(execFile)('haproxy', ['-v']).then(
  () => true,
  () => false,
);
const CLIENTS = 4;
/** Answers of the cell that stays, before the other's database ends and while it is away. */
const ANSWERS = 120;
const PATIENT = 300_000;
const CREDIT = 1_000_000_000_000n;

interface Cell {
  readonly postgres: ExternalPostgres;
  readonly program: Program;
  readonly tenant: Tenant;
}

let upstream: MockUpstream;
let proxy: Omit<StartedProxy, 'takeOut'>;
let cells: readonly Cell[];
const running = new AsyncDisposableStack();

beforeAll(async () => {
  if (!IS_INSTALLED) return;
  upstream = await startMockUpstream({ answerDelayMs: 5 });
  running.defer(() => upstream.stop());
  cells = await Promise.all([startCell('00'), startCell('01')]);
  proxy = await startCellProxy(cells.map(({ program }) => Number(new URL(program.url).port)));
  running.defer(() => proxy.stop());
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

interface Answer {
  readonly status: number;
  readonly ms: number;
  readonly body: { readonly error?: { readonly code: string } };
}

async function ask(key: string, origin = `http://127.0.0.1:${proxy.port}`): Promise<Answer> {
  const startedMs = performance.now();
  const response = await fetch(`${origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'output-priced', max_tokens: 5, messages: [{ role: 'user', content: 'hi' }] }),
  });
  const body = (await response.json()) as Answer['body'];
  return { status: response.status, ms: performance.now() - startedMs, body };
}

/** So many answers to clients that ask at the same time. */
async function answersOf(key: string, count: number): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  const client = async (): Promise<void> => {
    while (answers.length < count) answers.push(await ask(key));
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return answers;
}

const p99 = (answers: readonly Answer[]): number =>
  answers.map(({ ms }) => ms).toSorted((a, b) => a - b)[Math.floor(answers.length * 0.99)] ?? 0;

const statuses = (answers: readonly Answer[]): readonly number[] => [...new Set(answers.map(({ status }) => status))];

describe.runIf(IS_INSTALLED)('cells behind HAProxy', () => {
  test('each key reaches its own cell, and neither serves a key of the other', async () => {
    const [zero, one] = cells as [Cell, Cell];
    expect(zero.tenant.key.slice(8, 10)).toBe('00');
    expect(one.tenant.key.slice(8, 10)).toBe('01');
    for (const { tenant } of cells) expect(await ask(tenant.key)).toMatchObject({ status: 200 });
    for (const [key, { program }] of [[zero.tenant.key, one] as const, [one.tenant.key, zero] as const]) {
      expect(await ask(key, program.url)).toMatchObject({ status: 401, body: { error: { code: 'INVALID_API_KEY' } } });
    }
  });

  test(
    'a cell whose database is killed under load refuses its own keys alone, and the money of both is true',
    { timeout: PATIENT },
    async () => {
      const [dying, staying] = cells as [Cell, Cell];
      const load = { isOver: false };
      const asked: Answer[] = [];
      const loading = Array.from({ length: CLIENTS }, async () => {
        while (!load.isOver) asked.push(await ask(dying.tenant.key));
      });
      const before = await answersOf(staying.tenant.key, ANSWERS);
      await dying.postgres.end('SIGKILL');
      await expect.poll(() => asked.some(({ status }) => status === 503), { timeout: 60_000, interval: 50 }).toBe(true);
      const during = await answersOf(staying.tenant.key, ANSWERS);
      expect(statuses([...before, ...during])).toEqual([200]);
      printFigure('p99 of the other cell, both there', p99(before), 'ms');
      printFigure('p99 of the other cell, one away', p99(during), 'ms');

      await dying.postgres.start();
      const isBack = async (): Promise<boolean> => (await ask(dying.tenant.key)).status === 200;
      await expect.poll(isBack, { timeout: 120_000, interval: 200 }).toBe(true);
      load.isOver = true;
      await Promise.all(loading);
      expect(statuses(asked).filter((status) => status !== 200 && status !== 503)).toEqual([]);
      expect(
        asked.filter(({ status }) => status === 503).every(({ body }) => body.error?.code === 'SERVICE_UNAVAILABLE'),
      ).toBe(true);
      for (const { program, tenant } of cells) {
        await expect
          .poll(async () => (await program.admin.verifyLedger()).differences, { timeout: 60_000, interval: 500 })
          .toEqual([]);
        const { balance_nano_usd: balance } = await program.admin.showWorkspace(tenant.workspaceId);
        expect(BigInt(balance)).toBeLessThan(CREDIT);
      }
    },
  );
});
