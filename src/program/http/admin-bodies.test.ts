import { once } from 'node:events';
import { createServer, request, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { until } from '../../../test/support/eventually.ts';
import { CallerAddresses } from '../../lib/caller-addresses.ts';
import { ByteBudget } from '../../lib/byte-budget.ts';
import { readsBodies } from './admin-bodies.ts';
import { BodyReads } from './body-reads.ts';

// The body of a request to the admin API is there before the API serves it, and its memory comes back with the answer.

const BODY_BYTES_MAX = 262_144;
const budget = new ByteBudget(1_000_000);
const reads = new BodyReads({ addresses: new CallerAddresses([]), budget });

/** What the API found of the last request: its body, and the memory that it held. */
let found: { body: string | null; taken: number } | null = null;

const serve = readsBodies((message, response) => {
  const { rawBody } = message as IncomingMessage & { rawBody?: Buffer };
  found = { body: rawBody === undefined ? null : rawBody.toString(), taken: budget.taken };
  response.end('served');
}, reads);
const server = createServer((message, response) => {
  response.setHeader('x-request-id', 'the-id');
  Promise.resolve(serve(message, response)).catch(() => response.destroy());
});

beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterAll(() => void server.close());

/** Sends a request, and answers with its status. */
async function send(path: string, body: string, headers: Record<string, string> = {}): Promise<number | undefined> {
  found = null;
  const { port } = server.address() as AddressInfo;
  const sent = request({ host: '127.0.0.1', port, path, method: 'POST', headers, agent: false });
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  await until(() => budget.taken === 0 && reads.reading === 0);
  return response.statusCode;
}

const PLAYGROUND = '/admin/v1/workspaces/01890000-0000-7000-8000-000000000001/playground/chat';

test.each<[string, string, string, Record<string, string>, string | null]>([
  ['of announced length', '/admin/v1/a', 'hello', { 'content-length': '5' }, 'hello'],
  ['in chunks', '/admin/v1/a', 'hello', { 'transfer-encoding': 'chunked' }, 'hello'],
  ['of one byte', '/admin/v1/a', 'h', { 'content-length': '1' }, 'h'],
  ['that is none', '/admin/v1/a', '', { 'content-length': '0' }, null],
  ['that is as large as it may be', '/admin/v1/a', 'x'.repeat(BODY_BYTES_MAX), {}, 'x'.repeat(BODY_BYTES_MAX)],
])('a body is read before the API serves its request: one %s', async (_which, path, body, headers, read) => {
  expect(await send(path, body, headers)).toBe(200);
  expect(found?.body).toBe(read);
  expect((found?.taken ?? 0) > 0).toBe(read !== null);
});

test('a body that is too large is refused before the API hears of it', async () => {
  const { port } = server.address() as AddressInfo;
  found = null;
  const headers = { 'content-length': String(BODY_BYTES_MAX + 1) };
  const sent = request({ host: '127.0.0.1', port, path: '/admin/v1/a', method: 'POST', headers, agent: false });
  sent.on('error', () => undefined);
  sent.flushHeaders();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  expect([response.statusCode, response.headers.connection, found]).toEqual([413, 'close', null]);
  sent.destroy();
});

test('the body of a request to a model is left for the gate', async () => {
  expect(await send(PLAYGROUND, 'hello')).toBe(200);
  expect(found?.body).toBeNull();
});
