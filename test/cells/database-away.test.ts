import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { addCell, moveBySql, startCell } from '../support/cells.ts';
import { type MockUpstream, startMockUpstream } from '../support/aimock.ts';
import { printFigure } from '../support/figures.ts';
import { outputPricedConfig } from '../support/output-priced.ts';
import type { Program } from '../support/program.ts';

// Three cells that know each other, each with an embedded database. One database is killed under load.

const INTERVAL_MS = 25;
/** Answers of each load before, and while the database is away. */
const ANSWERS = 200;
/** Without an answer yet: on a machine that is too busy, requests are left out. */
const OPEN_MAX = 40;
const PATIENT = 240_000;
/** How much longer the slowest of a hundred may take, on a machine that other work slows down as well. */
const SLOWER = { times: 5, ms: 500 };
const QUESTION = { model: 'output-priced', max_tokens: 5, messages: [{ role: 'user', content: 'hi' }] };

let cells: readonly [Program, Program, Program];
let upstream: MockUpstream;
const running = new AsyncDisposableStack();

beforeAll(async () => {
  upstream = await startMockUpstream({ answerDelayMs: 5 });
  running.defer(() => upstream.stop());
  const started: Program[] = [];
  for (const shard of ['00', '01', '02']) {
    const cell = await startCell(shard, outputPricedConfig(upstream));
    running.defer(() => cell.dispose());
    started.push(cell);
  }
  cells = started as unknown as typeof cells;
  for (const [index, cell] of cells.entries()) {
    for (const [other, { url, operatorToken }] of cells.entries()) {
      if (index !== other) await addCell(cell, `0${other}`, { url, operatorToken });
    }
  }
}, PATIENT);
afterAll(() => running.disposeAsync());

interface TimedAnswer {
  readonly status: number;
  readonly text: string;
  readonly ms: number;
}

/** Status 0: there was no connection, or it broke. */
async function answerOf(cell: Program, key: string): Promise<Omit<TimedAnswer, 'ms'>> {
  try {
    const answer = await cell.chat(key, QUESTION);
    return { status: answer.status, text: await answer.text() };
  } catch (fault) {
    return { status: 0, text: String(fault) };
  }
}

/** Requests with one key to one cell at a fixed rate, whatever their answers take. */
class Load {
  readonly answers: TimedAnswer[] = [];
  readonly #sent: Promise<void>[] = [];
  readonly #sending: Promise<void>;
  #open = 0;
  #isOver = false;

  constructor(cell: Program, key: string) {
    this.#sending = this.#send(cell, key);
  }

  async #send(cell: Program, key: string): Promise<void> {
    const startMs = performance.now();
    for (let count = 0; !this.#isOver; count += 1) {
      await delay(Math.max(0, startMs + count * INTERVAL_MS - performance.now()));
      if (this.#open < OPEN_MAX) this.#sent.push(this.#ask(cell, key));
    }
  }

  async #ask(cell: Program, key: string): Promise<void> {
    this.#open += 1;
    const sentMs = performance.now();
    const { status, text } = await answerOf(cell, key);
    this.#open -= 1;
    this.answers.push({ status, text, ms: performance.now() - sentMs });
  }

  /** So many answers from now on. */
  async next(count: number): Promise<readonly TimedAnswer[]> {
    const from = this.answers.length;
    await vi.waitUntil(() => this.answers.length - from >= count, { timeout: PATIENT, interval: 20 });
    return this.answers.slice(from, from + count);
  }

  async end(): Promise<readonly TimedAnswer[]> {
    this.#isOver = true;
    await this.#sending;
    await Promise.all(this.#sent);
    return this.answers;
  }
}

function slowest(answers: readonly TimedAnswer[]): number {
  return answers.map(({ ms }) => ms).toSorted((a, b) => a - b)[Math.floor(answers.length * 0.99)] ?? 0;
}

test(
  'a cell whose database is killed costs the others nothing, nor requests that are forwarded between them',
  { timeout: PATIENT },
  async () => {
    const [zero, one, two] = cells;
    const [stays, moved, gone, dying, there] = [
      await zero.createTenant(),
      await zero.createTenant(),
      await zero.createTenant(),
      await one.createTenant(),
      await two.createTenant(),
    ];
    await moveBySql({ from: zero, to: two, shard: '02' }, moved);
    await moveBySql({ from: zero, to: one, shard: '01' }, gone);
    const others = {
      'a key of cell 00': new Load(zero, stays.key),
      'a key of cell 00 whose workspace lives in cell 02': new Load(zero, moved.key),
      'a key of cell 02': new Load(two, there.key),
    };
    const lost = { own: new Load(one, dying.key), forwarded: new Load(zero, gone.key) };
    const loads = Object.entries(others);
    await Promise.all(loads.map(([, load]) => load.next(ANSWERS)));
    const before = await Promise.all(loads.map(([, load]) => load.next(ANSWERS)));
    // Its instance ends with it, as nobody starts them again here.
    process.kill(await one.postmasterPid(), 'SIGKILL');
    const during = await Promise.all(loads.map(([, load]) => load.next(ANSWERS)));
    for (const [index, [name, load]] of loads.entries()) {
      const [both, alone] = [slowest(before[index] ?? []), slowest(during[index] ?? [])];
      printFigure(`p99 of ${name}, all databases there`, both, 'ms');
      printFigure(`p99 of ${name}, one away`, alone, 'ms');
      const answers = await load.end();
      expect(answers.filter(({ status }) => status !== 200).map(({ status, text }) => `${status}: ${text}`)).toEqual(
        [],
      );
      expect(alone).toBeLessThan(both * SLOWER.times + SLOWER.ms);
    }
    const own = await lost.own.end();
    expect(own.some(({ status }) => status === 0 || status === 503)).toBe(true);
    const forwarded = (await lost.forwarded.end()).filter(({ status }) => status !== 200);
    expect(forwarded.length).toBeGreaterThan(0);
    // At the moment of the end an answer may have begun, which breaks off.
    const refused = forwarded.filter(({ status }) => status === 503);
    expect(forwarded.length - refused.length).toBeLessThanOrEqual(OPEN_MAX);
    expect(refused.filter(({ text }) => !/"(SERVICE|MODEL)_UNAVAILABLE"/.test(text))).toEqual([]);
    for (const cell of [zero, two]) {
      await expect
        .poll(async () => (await cell.admin.verifyLedger()).differences, { timeout: 60_000, interval: 500 })
        .toEqual([]);
    }
  },
);
