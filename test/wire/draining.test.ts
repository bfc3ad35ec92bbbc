import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { chatBody, Gateway, NANO_PER_INPUT, NANO_PER_OUTPUT } from './gateway.ts';
import { exchange, head, RawConnection } from './raw-http.ts';
import { expectRefusal } from './refusal.ts';
import { beginStream, DONE, event, finish, payloadsOf, text, usageChunk } from './upstream-scripts.ts';

// SIGTERM without a lame-duck phase lets what runs come to its end and turns away what comes; what does not end is cut
// off in time, and nothing that was charged is lost.

const DRAIN_MS = 4_000;
const STOP_MS = 10_000;

let gateway: Gateway;

beforeAll(async () => {
  gateway = await Gateway.start({ timeouts: `{ lame_duck: 0s, drain: "${DRAIN_MS}ms", usage: 300ms }` });
});

afterAll(() => gateway.stop());

function request(): { head: string; body: string } {
  const body = chatBody({ stream: true });
  const headers = {
    host: 'x',
    authorization: `Bearer ${gateway.key}`,
    'content-type': 'application/json',
    'content-length': String(body.length),
  };
  return { head: head('POST /v1/chat/completions HTTP/1.1', headers), body };
}

function askedUpstream(): Promise<ServerResponse> {
  const { promise, resolve } = Promise.withResolvers<ServerResponse>();
  gateway.script(resolve);
  return promise;
}

/** Whether nobody listens any more. */
async function isClosed(): Promise<boolean> {
  return (await exchange(gateway.url, head('GET /livez HTTP/1.1', { host: 'x' }))) === null;
}

test('a running stream is finished and settled, late requests are refused, and the program exits with 0', async () => {
  const asked = askedUpstream();
  const running = new RawConnection(gateway.url);
  running.send(request().head, request().body);
  const upstream = await asked;
  beginStream(upstream);
  upstream.write(event(text('hi')));
  await running.until((received) => received.includes('hi'));
  const requestId = /x-request-id: (\S+)/.exec(running.received.toString())?.[1] ?? '';

  // A kept-alive connection on which the next request has begun to arrive.
  const late = new RawConnection(gateway.url);
  late.send(head('GET /livez HTTP/1.1', { host: 'x' }));
  expect((await late.response())?.status).toBe(200);
  late.send(request().head.slice(0, 40));
  expect(await isClosed()).toBe(false);

  const exited = gateway.program.signal('SIGTERM');
  await vi.waitUntil(isClosed, { timeout: DRAIN_MS, interval: 20 });
  late.send(request().head.slice(40), request().body);
  const refused = await late.response();
  await expectRefusal(refused, 'SERVICE_UNAVAILABLE');
  expect(refused?.headers).toMatchObject({ connection: 'close', 'retry-after': '1' });
  await late.closed;

  upstream.end([text('more'), finish(), usageChunk()].map(event).join('') + DONE);
  const answer = await running.response();
  expect(payloadsOf(answer?.body.toString() ?? '')).toEqual([text('hi'), text('more'), finish(), '[DONE]']);
  await running.closed;
  expect(await exited).toBe(0);

  const restarted = await gateway.restarted();
  expect(await restarted.program.admin.showReceipt(requestId)).toMatchObject({
    outcome: 'completed',
    charge_nano_usd: String(7n * NANO_PER_INPUT + 5n * NANO_PER_OUTPUT),
  });
  expect(await restarted.program.admin.verifyLedger()).toMatchObject({ ok: true });
  gateway = restarted;
});

test('what does not end is cut off when its time is up, and costs nothing', { timeout: 60_000 }, async () => {
  const asked = askedUpstream();
  const call = gateway.program.chat(gateway.key, JSON.parse(chatBody()) as object).then(
    () => 'answered',
    () => 'cut off',
  );
  await asked;
  const startedMs = performance.now();
  expect(await gateway.program.signal('SIGTERM')).toBe(0);
  expect(await call).toBe('cut off');
  expect(performance.now() - startedMs).toBeGreaterThanOrEqual(DRAIN_MS);
  expect(performance.now() - startedMs).toBeLessThan(DRAIN_MS + STOP_MS);
  gateway = await gateway.restarted();
  expect(await gateway.program.admin.verifyLedger()).toMatchObject({ ok: true });
});
