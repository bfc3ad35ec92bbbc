import { EventEmitter } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CallerAddresses } from '../../lib/caller-addresses.ts';
import { ByteBudget } from '../../lib/byte-budget.ts';
import { BodyReads } from './body-reads.ts';

beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => vi.useRealTimers());

/** A request whose body comes as it is written. */
function request() {
  const body = new PassThrough();
  const socket = Object.assign(new EventEmitter(), { remoteAddress: '203.0.113.9' });
  const message = Object.assign(body, { headers: {}, socket, complete: false });
  return { body, message: message as unknown as IncomingMessage };
}

const BUSY = {
  code: 'SERVICE_UNAVAILABLE',
  message: 'Too many requests are being received: try again in a moment.',
  retryAfterMs: 1_000,
};

test('a body that has not come within ten seconds is given up', async () => {
  const reads = new BodyReads({ addresses: new CallerAddresses([]), budget: new ByteBudget(100) });
  const { message } = request();
  const read = reads.read(message, 10);
  await vi.advanceTimersByTimeAsync(9_999);
  expect(reads.reading).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  expect(await read).toMatchObject({ code: 'REQUEST_TIMEOUT', message: 'The body did not arrive within 10 s.' });
  expect(reads.reading).toBe(0);
});

test('a body for which there is no memory is worth sending a second later', async () => {
  const reads = new BodyReads({ addresses: new CallerAddresses([]), budget: new ByteBudget(0) });
  const { body, message } = request();
  const read = reads.read(message, 10);
  body.end('hello');
  expect(await read).toMatchObject(BUSY);
});

test('of one network’s bodies sixteen are read at a time, and the first of them gives way to another', async () => {
  const reads = new BodyReads({ addresses: new CallerAddresses([]), budget: new ByteBudget(100) });
  const under = Array.from({ length: 17 }, () => reads.read(request().message, 10));
  expect(await under[0]).toMatchObject(BUSY);
  expect(reads.reading).toBe(16);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(reads.reading).toBe(0);
});

test('a body that is larger than it may be is refused with its bound', async () => {
  const reads = new BodyReads({ addresses: new CallerAddresses([]), budget: new ByteBudget(100) });
  const { body, message } = request();
  const read = reads.read(message, 4);
  body.end('hello');
  expect(await read).toMatchObject({ code: 'REQUEST_TOO_LARGE', message: 'The body may have 4 bytes at most.' });
});
