import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { StageCaller } from '../../../test/support/gate-stage.ts';
import type { GatewayDeps } from '../../gate/gateway/gateway-deps.ts';
import { NO_CONTENT } from '../../gate/gateway/content-recorder.ts';
import { NO_TRACES } from '../../gate/gateway/request-trace.ts';
import { apiLines, route, type RouterParts } from './api-routes.ts';

// A bug before the money of a request is held, or in a handler that holds none, is answered like any other failure.

const bug = new Error('a bug');
const faults: unknown[] = [];

const gate = {
  principals: {
    find: () => {
      throw bug;
    },
  },
  clock: { monotonicMs: () => 0, nowMs: () => 0 },
  tracer: NO_TRACES,
  content: NO_CONTENT,
  observer: { refused: () => undefined, failed: (_requestId: string, fault: unknown) => void faults.push(fault) },
} as unknown as GatewayDeps;

const parts = {
  gate,
  limits: { bodyBytesMax: 1_000, budget: { take: () => true, giveBack: () => undefined } },
  isDraining: () => false,
  mounts: { pages: () => false },
} as unknown as RouterParts;

const server = createServer((message, response) => {
  Promise.try(route, parts, 'the-id', message, response).catch(() => response.destroy());
});
let url = '';

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

beforeEach(() => void faults.splice(0));

afterAll(() => void server.close());

const headers = { authorization: 'Bearer fg_live_key', 'content-type': 'application/json' };

test.each([
  ['POST', '/v1/chat/completions'],
  ['POST', '/v1/completions'],
  ['POST', '/v1/embeddings'],
  ['POST', '/v1/rerank'],
  ['POST', '/v1/moderations'],
  ['POST', '/v1/messages'],
  ['POST', '/v1/messages/count_tokens'],
  ['POST', '/v1/responses'],
  ['POST', '/v1/responses/compact'],
  ['POST', '/v1/responses/input_tokens'],
  ['POST', '/v1/quote'],
  ['GET', '/v1/key'],
  ['GET', '/v1/models'],
  ['GET', '/v1/responses/resp_1'],
  ['DELETE', '/v1/responses/resp_1'],
  ['GET', '/v1/receipts/1'],
])('a bug in %s %s is a 500 in the form of its API, and reported once', async (method, path) => {
  const response = await fetch(url + path, { method, headers, ...(method === 'POST' ? { body: '{}' } : {}) });
  expect(response.status).toBe(500);
  const body = (await response.json()) as { error: { message: string; type: string } };
  expect(body.error.message).toContain('Nothing was charged');
  expect(body.error.type).toBe(path.startsWith('/v1/messages') ? 'api_error' : 'server_error');
  expect(faults).toEqual([bug]);
});

const VERSION = { 'anthropic-version': '2023-06-01' };

test.each<[string, string, Readonly<Record<string, string>>, number, boolean]>([
  ['GET', '/v1/messages', {}, 405, true],
  ['POST', '/v1/messages/batches', {}, 404, true],
  ['GET', '/v1/messages/batches/msgbatch_1', {}, 404, true],
  ['PUT', '/v1/messages/count_tokens', {}, 405, true],
  ['GET', '/v1/messages/', {}, 404, true],
  ['POST', '/v1/files', VERSION, 404, true],
  ['POST', '/v1/files', {}, 404, false],
  ['GET', '/v1/files/file_1/content', VERSION, 404, true],
  ['GET', '/v1/skills', VERSION, 404, true],
  ['POST', '/v1/models', VERSION, 405, true],
  ['POST', '/v1/models', {}, 405, false],
  ['GET', '/v1/messagesx', {}, 404, false],
  ['GET', '/v1/chat/completions', VERSION, 405, false],
  ['GET', '/v1/embeddings', VERSION, 405, false],
  ['POST', '/v1/responses/resp_1/cancel', VERSION, 405, false],
  ['GET', '/v1/responses/', VERSION, 404, false],
])(
  'a refusal where no model answers has the form of its API: %s %s %o',
  async (method, path, own, status, isMessages) => {
    const response = await fetch(url + path, { method, headers: { ...headers, ...own } });
    expect(response.status).toBe(status);
    expect(response.headers.has('request-id')).toBe(isMessages);
    const { type, error } = (await response.json()) as { type?: string; error: { type: string } };
    expect(type).toBe(isMessages ? 'error' : undefined);
    if (isMessages) expect(error.type).toBe(status === 404 ? 'not_found_error' : 'invalid_request_error');
  },
);

test('a bug in the handler of a plain request is a 500 too', async () => {
  const caller = new StageCaller({});
  await apiLines(parts).get('POST /v1/messages HTTP/1.1')?.(caller);
  expect(caller.refusal).toMatchObject({ code: 'INTERNAL_ERROR' });
  expect(faults).toEqual([bug]);
});

test('a bug in a stream that has begun is not made to look like its end', async () => {
  const caller = new StageCaller({});
  caller.hasStarted = true;
  await expect(apiLines(parts).get('POST /v1/messages HTTP/1.1')?.(caller)).rejects.toBe(bug);
  expect(caller.isOver).toBe(false);
});
