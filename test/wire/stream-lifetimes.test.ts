import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Script } from '../support/scripted-upstream.ts';
import { Gateway, MARKER, NANO_PER_INPUT, NANO_PER_OUTPUT } from './gateway.ts';
import type { RawConnection } from './raw-http.ts';
import { expectRefusal } from './refusal.ts';
import {
  answering,
  beginStream,
  completion,
  DONE,
  event,
  finish,
  gradually,
  payloadsOf,
  streaming,
  text,
  usageChunk,
} from './upstream-scripts.ts';

// The caller's socket and the upstream's answer live apart: a caller that reads slowly slows the upstream down, one
// that leaves is charged for what was made for it, and nothing stays open behind either.

const USAGE_MS = 700;
const FULL_CHARGE = 7n * NANO_PER_INPUT + 5n * NANO_PER_OUTPUT;

let gateway: Gateway;
let named = 0;

beforeAll(async () => {
  gateway = await Gateway.start({ timeouts: `{ usage: "${USAGE_MS}ms" }` });
});

afterAll(() => gateway.stop());

/** A request of the caller's own name, so that its receipt is found where its response's headers never came. */
function begin(fields: object): { name: string; leave: AbortController; response: Promise<Response> } {
  const name = nextName();
  const leave = new AbortController();
  const response = gateway.chat(fields, { signal: leave.signal, headers: { 'x-request-id': name } });
  // It is awaited where it matters; where the caller leaves, it fails as it should.
  response.catch(() => undefined);
  return { name, leave, response };
}

/** The same on a socket of its own. */
function beginRaw(fields: object): { name: string; connection: RawConnection } {
  const name = nextName();
  return { name, connection: gateway.openRaw(fields, name) };
}

function nextName(): string {
  named += 1;
  return `${MARKER}-${named}`;
}

/** The upstream's side of one answer: resolves with the response once asked, and tells when its connection is cut. */
function hold(): { script: Script; asked: Promise<ServerResponse>; cut: Promise<void> } {
  const asked = Promise.withResolvers<ServerResponse>();
  const cut = Promise.withResolvers<void>();
  const script: Script = (response) => {
    response.once('close', cut.resolve);
    asked.resolve(response);
  };
  return { script, asked: asked.promise, cut: cut.promise };
}

async function residentBytes(): Promise<number> {
  const status = await readFile(`/proc/${gateway.program.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1_024;
}

test('the charge is durable before a client can see the end', async () => {
  gateway.script(streaming(text('hi'), finish(), usageChunk()));
  for (let round = 0; round < 20; round++) {
    const response = await gateway.chat({ stream: true });
    const requestId = response.headers.get('x-request-id') ?? '';
    let received = '';
    let receipts: Awaited<ReturnType<Gateway['receipts']>> | null = null;
    for await (const bytes of response.body ?? []) {
      received += Buffer.from(bytes as Uint8Array).toString();
      if (receipts === null && received.includes('"finish_reason":"stop"'))
        receipts = await gateway.receipts(requestId);
    }
    expect(received.endsWith(DONE)).toBe(true);
    expect(receipts).toMatchObject([{ outcome: 'completed', charge: FULL_CHARGE }]);
  }
});

test('the end of an answer waits for its usage', async () => {
  const { script, asked } = hold();
  gateway.script(script);
  const { response } = begin({ stream: true });
  const upstream = await asked;
  beginStream(upstream);
  upstream.write(event(text('hi')) + event(finish()));
  const reader = ((await response).body ?? new ReadableStream<Uint8Array>()).getReader();
  const first = Buffer.from((await reader.read()).value ?? []).toString();
  expect(payloadsOf(first)).toEqual([text('hi')]);
  upstream.end(event(usageChunk()) + DONE);
  let rest = '';
  for (let part = await reader.read(); !part.done; part = await reader.read())
    rest += Buffer.from(part.value).toString();
  expect(payloadsOf(rest)).toEqual([finish(), '[DONE]']);
});

const EVENT = event(text('hi', 0, { padding: 'x'.repeat(64 * 1_024) }));
const EVENTS = 2_000;
const BUFFERED_MAX = 48 * 2 ** 20;

test(
  'a slow reader stalls the upstream, costs little memory, and gets all of it once it goes on',
  { timeout: 60_000 },
  async () => {
    let written = 0;
    let stalled = false;
    const script = gradually(async (response) => {
      beginStream(response);
      for (; written < EVENTS; written++) {
        if (response.write(EVENT)) continue;
        stalled = true;
        await once(response, 'drain');
        stalled = false;
      }
      response.end(event(finish()) + event(usageChunk()) + DONE);
    });
    gateway.script(script);
    const before = await residentBytes();
    const {
      connection: { socket: connection },
    } = beginRaw({ stream: true });
    connection.removeAllListeners('data').pause();

    // The upstream's writes stop for good: what is in flight are buffers of sockets, not the whole answer.
    await vi.waitUntil(() => stalled, { timeout: 20_000, interval: 5 });
    let last = -1;
    await vi.waitUntil(
      () => {
        const isStill = stalled && written === last;
        last = written;
        return isStill;
      },
      { timeout: 20_000, interval: 300 },
    );
    expect(written).toBeLessThan(EVENTS / 2);
    expect((await residentBytes()) - before).toBeLessThan(BUFFERED_MAX);

    let length = 0;
    let end = Buffer.alloc(0);
    for await (const chunk of connection) {
      length += (chunk as Buffer).length;
      end = Buffer.concat([end, chunk as Buffer]).subarray(-200);
    }
    expect(written).toBe(EVENTS);
    expect(length).toBeGreaterThan(EVENTS * EVENT.length);
    expect(end.toString()).toContain('[DONE]');
  },
);

test('a caller that leaves a stream is charged by the usage that the upstream still reports, which is then let go', async () => {
  const { script, asked, cut } = hold();
  gateway.script(script);
  const { name, connection } = beginRaw({ stream: true });
  const upstream = await asked;
  beginStream(upstream);
  upstream.write(event(text('hi')));
  await connection.until((received) => received.includes('hi'));
  await gateway.leaveAtOnce(connection);
  upstream.write(event(text('more')) + event(finish()) + event(usageChunk()));
  const receipt = await gateway.receipt(await gateway.requestIdOf(name));
  expect(receipt).toMatchObject({ outcome: 'abandoned', certainty: 'exact', charge: FULL_CHARGE });
  await cut;
});

test('a caller that leaves a stream is charged for what came, where no usage comes in time; then it is cut off', async () => {
  const { script, asked, cut } = hold();
  gateway.script(script);
  const { name, leave, response } = begin({ stream: true });
  const upstream = await asked;
  beginStream(upstream);
  upstream.write(event(text('twelve bytes')));
  await (await response).body?.getReader().read();
  const leftMs = performance.now();
  leave.abort();
  await cut;
  expect(performance.now() - leftMs).toBeGreaterThanOrEqual(USAGE_MS - 50);
  const receipt = await gateway.receipt(await gateway.requestIdOf(name));
  expect(receipt).toMatchObject({ outcome: 'abandoned', certainty: 'estimated', output: 3 });
  expect(receipt.charge).toBe(BigInt(receipt.input) * NANO_PER_INPUT + 3n * NANO_PER_OUTPUT);
});

test('a caller that leaves a stream before its first event has the upstream cut off immediately, and pays nothing', async () => {
  const { script, asked, cut } = hold();
  gateway.script(script);
  const { name, leave } = begin({ stream: true });
  await asked;
  leave.abort();
  await cut;
  const receipt = await gateway.receipt(await gateway.requestIdOf(name));
  expect(receipt).toMatchObject({ outcome: 'failed', charge: 0n });
});

test('a caller that leaves a stream while it reads slowly is charged for what came', async () => {
  const { script, asked, cut } = hold();
  gateway.script(script);
  const { name, connection } = beginRaw({ stream: true });
  const upstream = await asked;
  beginStream(upstream);
  const flood = event(text('hi', 0, { padding: 'x'.repeat(64 * 1_024) }));
  upstream.write(flood);
  await connection.until((received) => received.includes('data: '));
  connection.socket.pause();
  while (upstream.write(flood)) await new Promise((resolve) => setImmediate(resolve));
  await gateway.leaveAtOnce(connection);
  upstream.end(event(finish()) + event(usageChunk()) + DONE);
  await cut;
  const receipt = await gateway.receipt(await gateway.requestIdOf(name));
  expect(receipt).toMatchObject({ outcome: 'abandoned', certainty: 'exact', charge: FULL_CHARGE });
});

test('a caller that closes its side behind its request gets the answer of a plain call', async () => {
  const { script, asked } = hold();
  gateway.script(script);
  const { name, connection } = beginRaw({});
  connection.socket.end();
  answering(200, completion())(await asked, { method: '', path: '', headers: {}, body: Buffer.alloc(0) });
  expect(await connection.response()).toMatchObject({ status: 200, headers: { connection: 'close' } });
  await connection.closed;
  const receipt = await gateway.receipt(await gateway.requestIdOf(name));
  expect(receipt).toMatchObject({ outcome: 'completed', charge: FULL_CHARGE });
});

test('a caller that closes its side behind its request gets a stream to its end, and pings while it waits', async () => {
  const { script, asked } = hold();
  gateway.script(script);
  const { name, connection } = beginRaw({ stream: true });
  connection.socket.end();
  const upstream = await asked;
  await connection.until((received) => received.includes(': ping'));
  streaming(text('hi'), finish(), usageChunk())(upstream, { method: '', path: '', headers: {}, body: Buffer.alloc(0) });
  expect((await connection.response())?.body.toString()).toContain(DONE);
  await connection.closed;
  const receipt = await gateway.receipt(await gateway.requestIdOf(name));
  expect(receipt).toMatchObject({ outcome: 'completed', charge: FULL_CHARGE });
});

test('a caller that leaves a plain call pays for it: it is finished', async () => {
  const { script, asked } = hold();
  gateway.script(script);
  const { name, connection } = beginRaw({});
  const upstream = await asked;
  await gateway.leaveAtOnce(connection);
  answering(200, completion())(upstream, { method: '', path: '', headers: {}, body: Buffer.alloc(0) });
  const receipt = await gateway.receipt(await gateway.requestIdOf(name));
  expect(receipt).toMatchObject({ outcome: 'abandoned', certainty: 'exact', charge: FULL_CHARGE });
});

test.each<[string, () => string]>([
  ['in bytes', () => text('x'.repeat(1_000))],
  ['by its own count', () => text('x', 0, { usage: { prompt_tokens: 7, completion_tokens: 1_000 } })],
])('an upstream that ignores its cap is cut off, and what exceeds the hold is written off: %s', async (_what, next) => {
  const { script, asked, cut } = hold();
  gateway.script(script);
  const { response } = begin({ stream: true, max_tokens: 10 });
  const upstream = await asked;
  beginStream(upstream);
  upstream.write(event(text('hi')));
  const answered = await response;
  const flood = setInterval(() => upstream.write(event(next())), 5);
  await cut.finally(() => clearInterval(flood));
  const payloads = payloadsOf(await answered.text());
  expect(payloads.at(-1)).toContain('"code":"MODEL_UNAVAILABLE"');
  const receipt = await gateway.receipt(answered.headers.get('x-request-id') ?? '');
  expect(receipt.outcome).toBe('interrupted');
  expect(receipt.charge).toBeLessThanOrEqual(receipt.hold);
  const cost = BigInt(receipt.input) * NANO_PER_INPUT + BigInt(receipt.output) * NANO_PER_OUTPUT;
  expect(receipt.charge + receipt.write_off).toBe(cost);
});

test('an upstream that ignores its cap in a plain call is charged the hold, and the rest is written off', async () => {
  gateway.script(answering(200, completion('hello', { prompt_tokens: 7, completion_tokens: 9_000 })));
  const response = await gateway.chat({ max_tokens: 10 });
  expect(response.status).toBe(200);
  const receipt = await gateway.receipt(response.headers.get('x-request-id') ?? '');
  expect(receipt).toMatchObject({ outcome: 'completed', charge: receipt.hold });
  expect(receipt.charge + receipt.write_off).toBe(7n * NANO_PER_INPUT + 9_000n * NANO_PER_OUTPUT);
});

test('an answer that cannot be accounted for is withheld, and stands in nobody’s way', async () => {
  const refused = { headers: { 'x-request-id': 'refused' } };
  await gateway.refuseReceiptsOf('refused');
  gateway.script(answering(200, completion()));
  const others = Array.from({ length: 5 }, () => gateway.chat());
  await expectRefusal(await gateway.chat({}, refused), 'INTERNAL_ERROR');
  for (const other of others) expect((await other).status).toBe(200);
  gateway.script(streaming(text('hi'), finish(), usageChunk()));
  const payloads = payloadsOf(await (await gateway.chat({ stream: true }, refused)).text());
  expect(payloads).toHaveLength(2);
  expect(payloads[0]).toBe(text('hi'));
  expect(payloads[1]).toContain('"code":"INTERNAL_ERROR"');
});

test('an upstream that talks on behind the end is let go', async () => {
  const { script, asked, cut } = hold();
  gateway.script(script);
  const { response } = begin({ stream: true });
  const upstream = await asked;
  beginStream(upstream);
  upstream.write([text('hi'), finish(), usageChunk()].map(event).join(''));
  const chatter = setInterval(() => upstream.write(': still here\n\n'), 20);
  expect(payloadsOf(await (await response).text())).toEqual([text('hi'), finish(), '[DONE]']);
  await cut.finally(() => clearInterval(chatter));
});

test('after all lifetimes of streams the ledger is whole, no connection is left, and no text has been printed', async () => {
  expect(await gateway.books()).toEqual({ ok: true, difference: 0n });
  await gateway.upstreamIdle();
  expect(await gateway.log()).not.toContain(`say ${MARKER}`);
});
