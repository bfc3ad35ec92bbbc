import type { Socket } from 'node:net';
import { type Duplex, duplexPair } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import { head } from '../../../../test/wire/raw-http.ts';
import { ByteBudget } from '../../../lib/byte-budget.ts';
import { KEEP_ALIVE_MS } from '../server-limits.ts';
import { Lingering } from '../unread-requests.ts';
import type { PlainCaller } from './plain-caller.ts';
import { PlainConnection } from './plain-connection.ts';

// How long a connection waits for its caller, to the millisecond, and what becomes of it then: on a clock that a test sets.

const TIMEOUTS = { idleMs: 60_000, headersMs: 1_000, requestMs: 3_000 };
const GET = head('GET /v1/models HTTP/1.1', { host: 'x' });
const BEGUN = head('POST /v1/embeddings HTTP/1.1', { host: 'x', 'content-length': '10' }) + '12345';

/** A connection without a network, opened at 0 ms. */
class Stage {
  nowMs = 0;
  readonly callers: PlainCaller[] = [];
  readonly connection: PlainConnection;
  readonly #ours: Duplex;
  readonly #theirs: Duplex;
  /** What it has been sent. */
  received = '';
  /** Whether what comes waits for another turn. */
  isBusy = false;

  constructor() {
    vi.spyOn(performance, 'now').mockImplementation(() => this.nowMs);
    [this.#ours, this.#theirs] = duplexPair();
    this.#theirs.on('data', (bytes: Buffer) => (this.received += bytes.toString('latin1')));
    const nothing = (): void => undefined;
    const lingering = new Lingering(1_000);
    onTestFinished(() => {
      lingering.destroy();
      this.#ours.destroy();
    });
    const socket = Object.assign(this.#ours, { setTimeout: nothing }) as unknown as Socket;
    this.connection = new PlainConnection(socket, {
      headerBytesMax: 1_000,
      bodyBytesMax: 1_000,
      budget: new ByteBudget(1_000),
      lingering,
      timeouts: TIMEOUTS,
      isEnding: false,
      find: () => (caller) => void this.callers.push(caller),
      nextId: () => 'an-id',
      began: nothing,
      ended: nothing,
      leave: nothing,
      goOnSoon: (connection) => {
        if (!this.isBusy) connection.goOn();
      },
      closed: nothing,
    });
  }

  get isClosed(): boolean {
    return this.#ours.destroyed;
  }

  /** Whether nothing more is read of it. */
  get isPaused(): boolean {
    return this.#ours.isPaused();
  }

  /** Sends this, at that time, and waits until it is there. */
  async send(bytes: string, nowMs: number): Promise<void> {
    this.nowMs = nowMs;
    this.#theirs.write(bytes);
    await this.pass();
  }

  /** The caller says no more. */
  async halfClose(): Promise<void> {
    this.#theirs.end();
    await this.pass();
  }

  async pass(): Promise<void> {
    for (let turn = 0; turn < 5; turn++) await setImmediate();
  }

  /** Sends a request, and answers it at that time. */
  async served(nowMs: number): Promise<void> {
    await this.send(GET, nowMs);
    this.callers.shift()?.answer(Buffer.from('{}'), []);
    await this.pass();
  }
}

test('a connection by which no request comes is refused when the time of a head is over, and not before', async () => {
  const stage = new Stage();
  stage.connection.watch(TIMEOUTS.headersMs - 1);
  await stage.pass();
  expect(stage.received).toBe('');
  stage.connection.watch(TIMEOUTS.headersMs);
  await stage.pass();
  expect(stage.received).toContain('HTTP/1.1 408');
  // From then on it is for its answer's end to close it.
  stage.connection.watch(Number.MAX_SAFE_INTEGER);
  expect(stage.isClosed).toBe(false);
});

test('a connection that is kept is closed without a word when its time is over, and not before', async () => {
  const stage = new Stage();
  await stage.served(500);
  stage.connection.watch(500 + KEEP_ALIVE_MS - 1);
  expect(stage.isClosed).toBe(false);
  const { received } = stage;
  expect(received).toContain('200 OK');
  stage.connection.watch(500 + KEEP_ALIVE_MS);
  await stage.pass();
  expect([stage.isClosed, stage.received]).toEqual([true, received]);
});

test('a body that takes too long is refused, unless its answer has begun: then that breaks off', async () => {
  for (const begins of [false, true]) {
    const stage = new Stage();
    await stage.send(BEGUN, 100);
    if (begins) stage.callers[0]?.startStream([]);
    stage.connection.watch(100 + TIMEOUTS.requestMs - 1);
    await stage.pass();
    expect([stage.received.includes('408'), stage.callers[0]?.isGone]).toEqual([false, false]);
    stage.connection.watch(100 + TIMEOUTS.requestMs);
    await stage.pass();
    expect(stage.received.includes('HTTP/1.1 408')).toBe(!begins);
    expect(stage.isClosed).toBe(begins);
    expect(stage.callers[0]?.isGone).toBe(true);
  }
});

test('a request that has come whole has all the time that its answer takes', async () => {
  const stage = new Stage();
  await stage.send(BEGUN, 0);
  const body = stage.callers[0]?.readBody();
  await stage.send('67890', 2_000);
  stage.connection.watch(Number.MAX_SAFE_INTEGER);
  expect(String(await body)).toBe('1234567890');
  expect(stage.isClosed).toBe(false);
});

test('a connection is idle since it was opened, or since its last answer', async () => {
  const fresh = new Stage();
  fresh.connection.closeIdleSince(-1);
  expect(fresh.isClosed).toBe(false);
  fresh.connection.closeIdleSince(0);
  expect(fresh.isClosed).toBe(true);
  const kept = new Stage();
  await kept.served(500);
  kept.connection.closeIdleSince(499);
  expect(kept.isClosed).toBe(false);
  kept.connection.closeIdleSince(500);
  expect(kept.isClosed).toBe(true);
});

test('a connection is not idle while a request is served, nor once the next one has come', async () => {
  const stage = new Stage();
  await stage.send(GET, 0);
  stage.connection.closeIdleSince(Infinity);
  expect(stage.isClosed).toBe(false);
  stage.callers[0]?.answer(Buffer.from('{}'), []);
  await stage.pass();
  stage.isBusy = true;
  await stage.send(GET, 1_000);
  stage.connection.closeIdleSince(Infinity);
  expect([stage.isClosed, stage.callers.length]).toEqual([false, 1]);
  stage.connection.goOn();
  expect(stage.callers).toHaveLength(2);
});

test('what has come on a connection that closes before its turn is not looked at', async () => {
  const stage = new Stage();
  stage.isBusy = true;
  await stage.send(GET, 0);
  stage.connection.destroy();
  await stage.pass();
  stage.connection.goOn();
  expect(stage.callers).toEqual([]);
});

test('a caller that is not answered to the end loses its connection, and one that is answered keeps it', async () => {
  const stage = new Stage();
  await stage.send(GET, 0);
  stage.callers[0]?.answer(Buffer.from('{}'), []);
  stage.callers[0]?.destroy();
  await stage.send(GET, 0);
  expect(stage.isClosed).toBe(false);
  stage.callers[1]?.startStream([]);
  stage.callers[1]?.destroy();
  await stage.pass();
  expect([stage.isClosed, stage.callers[1]?.isGone, stage.callers[0]?.isGone]).toEqual([true, true, false]);
});

test('an answer that has begun breaks off where its request does, and a refusal is sent where none has', async () => {
  for (const begins of [false, true]) {
    const stage = new Stage();
    await stage.send(BEGUN, 0);
    if (begins) stage.callers[0]?.startStream([]);
    await stage.halfClose();
    expect([stage.received.includes('HTTP/1.1 400'), stage.callers[0]?.isGone]).toEqual([!begins, true]);
    // A refusal is sent before its connection closes.
    if (begins) expect(stage.isClosed).toBe(true);
  }
});

test('a connection is not read on while a request waits behind the one that is served', async () => {
  const stage = new Stage();
  await stage.send(GET + GET, 0);
  expect([stage.callers.length, stage.isPaused]).toEqual([1, true]);
  stage.callers[0]?.answer(Buffer.from('{}'), []);
  await stage.pass();
  expect([stage.callers.length, stage.isPaused]).toEqual([2, false]);
});
