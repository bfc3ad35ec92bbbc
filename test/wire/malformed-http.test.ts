import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RefusalCode } from '../../src/domain/refusals.ts';
import { chatBody, Gateway, MARKER } from './gateway.ts';
import { exchange, head, RawConnection } from './raw-http.ts';
import { expectRefusal } from './refusal.ts';
import { answering, completion } from './upstream-scripts.ts';

// Broken HTTP is answered with a clear 4xx and an id, costs nothing, and takes nothing down with it.

const HEADERS_MS = 700;
const REQUEST_MS = 1_500;
const CHAT = 'POST /v1/chat/completions HTTP/1.1';

let gateway: Gateway;

beforeAll(async () => {
  gateway = await Gateway.start({ timeouts: `{ headers: "${HEADERS_MS}ms", request: "${REQUEST_MS}ms" }` });
  gateway.script(answering(200, completion()));
});

afterAll(() => gateway.stop());

function authorized(more: Record<string, string> = {}): Record<string, string> {
  return { host: 'x', authorization: `Bearer ${gateway.key}`, 'content-type': 'application/json', ...more };
}

function goodRequest(): string {
  const body = chatBody();
  return head(CHAT, authorized({ 'content-length': String(body.length) })) + body;
}

test.each([
  ['words', 'hello there\r\n\r\n'],
  ['a TLS handshake', Buffer.from('16030100a5010000a10303', 'hex')],
  ['zeros', Buffer.alloc(64)],
  ['an unknown method', head('GRAB /v1/models HTTP/1.1', { host: 'x' })],
  ['a null byte in the path', head('GET /v1/mod\0els HTTP/1.1', { host: 'x' })],
  ['a space in the path', head('GET /v1/mod els HTTP/1.1', { host: 'x' })],
  ['a null byte in a header', head('GET /v1/models HTTP/1.1', { host: 'x', 'x-a': `b\0${MARKER}` })],
  ['a header without a name', head('GET /v1/models HTTP/1.1', { host: 'x', '': 'b' })],
  ['a header name with a space', head('GET /v1/models HTTP/1.1', { host: 'x', 'x a': 'b' })],
  ['a folded header', head('GET /v1/models HTTP/1.1', { host: 'x', 'x-a': 'b\r\n c' })],
  ['no Host', head('GET /v1/models HTTP/1.1')],
  ['two Hosts', 'GET /v1/models HTTP/1.1\r\nhost: x\r\nhost: y\r\n\r\n'],
  ['CONNECT', head('CONNECT example.com:443 HTTP/1.1', { host: 'example.com:443' })],
])('what is not HTTP/1.1 is told so, with an id, and the connection is closed: %s', async (_what, bytes) => {
  const connection = new RawConnection(gateway.url);
  await expectRefusal(await connection.send(bytes).response(), 'INVALID_REQUEST');
  await connection.closed;
});

test.each([
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['a request of HTTP/2.0', head('GET /v1/models HTTP/2.0', { host: 'x' })],
  ['a version that does not exist', head('GET /v1/models HTTP/9.9', { host: 'x' })],
])('a caller of another HTTP is told which versions are spoken: %s', async (_what, bytes) => {
  const connection = new RawConnection(gateway.url);
  await expectRefusal(await connection.send(bytes).response(), 'HTTP_VERSION_NOT_SUPPORTED');
  await connection.closed;
});

test.each<[string, Record<string, string>, string]>([
  ['two lengths', { 'content-length': '5\r\nContent-Length: 6' }, '{"a":1}'],
  ['the same length twice', { 'content-length': '7\r\nContent-Length: 7' }, '{"a":1}'],
  ['a list of lengths', { 'content-length': '7, 7' }, '{"a":1}'],
  ['a negative length', { 'content-length': '-1' }, ''],
  ['a length with a sign', { 'content-length': '+7' }, '{"a":1}'],
  ['a length in hex', { 'content-length': '0x7' }, '{"a":1}'],
  ['a length beyond 64 bits', { 'content-length': '99999999999999999999999' }, ''],
  ['a space before the colon', { 'content-length ': '7' }, '{"a":1}'],
  ['a length and chunks', { 'content-length': '7', 'transfer-encoding': 'chunked' }, '0\r\n\r\n'],
  ['chunks and a length', { 'transfer-encoding': 'chunked', 'content-length': '7' }, '0\r\n\r\n'],
  ['chunks that are not last', { 'transfer-encoding': 'chunked, identity' }, '0\r\n\r\n'],
  ['an unknown coding', { 'transfer-encoding': 'xchunked' }, '0\r\n\r\n'],
  ['a disguised coding', { 'transfer-encoding': '\x0bchunked' }, '0\r\n\r\n'],
  ['a chunk of no size', { 'transfer-encoding': 'chunked' }, '\r\n{"a":1}\r\n0\r\n\r\n'],
  ['a chunk with a wrong size', { 'transfer-encoding': 'chunked' }, 'zz\r\n{"a":1}\r\n0\r\n\r\n'],
  ['a chunk longer than its size', { 'transfer-encoding': 'chunked' }, '2\r\n{"a":1}\r\n0\r\n\r\n'],
  ['a chunk size beyond 64 bits', { 'transfer-encoding': 'chunked' }, 'fffffffffffffffff\r\n'],
])('a body whose length can be read in two ways is never run: %s', async (_what, headers, body) => {
  const asked = gateway.upstream.requests.length;
  const connection = new RawConnection(gateway.url);
  connection.send(head(CHAT, authorized(headers)), body);
  await expectRefusal(await connection.response(), 'INVALID_REQUEST');
  await connection.closed;
  expect(gateway.upstream.requests).toHaveLength(asked);
});

test.each<[string, () => string]>([
  ['headers', () => `${CHAT}\r\nauthorization: Bearer ${gateway.key}\r\ncontent-`],
  ['a body', () => head(CHAT, authorized({ 'content-length': '1000' })) + chatBody()],
  ['a chunked body', () => head(CHAT, authorized({ 'transfer-encoding': 'chunked' })) + '5\r\n{"mod'],
])('what ends before it is whole is refused: %s', async (_what, bytes) => {
  const connection = new RawConnection(gateway.url);
  connection.send(bytes());
  connection.socket.end();
  await expectRefusal(await connection.response(), 'INVALID_REQUEST');
  await connection.closed;
});

test('a request whose caller is gone before it is whole never runs', async () => {
  const asked = gateway.upstream.requests.length;
  const connection = new RawConnection(gateway.url);
  connection.send(head(CHAT, authorized({ 'content-length': '1000' })), chatBody());
  await once(connection.socket, 'connect');
  connection.socket.resetAndDestroy();
  await connection.closed;
  expect((await gateway.chat()).status).toBe(200);
  expect(gateway.upstream.requests).toHaveLength(asked + 1);
});

describe.concurrent('slow senders are told that their time is up', () => {
  test.each<[string, () => string]>([
    ['nothing at all', () => ''],
    ['half a line', () => 'POST /v1/ch'],
    ['headers without an end', () => head(CHAT, authorized()).slice(0, -2)],
    ['a body without an end', () => head(CHAT, authorized({ 'content-length': '1000' })) + '{"model":'],
    ['a chunked body without an end', () => head(CHAT, authorized({ 'transfer-encoding': 'chunked' })) + '2\r\n{"\r\n'],
  ])('a slow sender is told that its time is up: %s', async (_what, bytes) => {
    const connection = new RawConnection(gateway.url);
    const response = await connection.send(bytes()).response();
    await expectRefusal(response, 'REQUEST_TIMEOUT');
    expect(response?.headers).toMatchObject({ connection: 'close', 'x-should-retry': 'false' });
    await connection.closed;
  });

  test('a byte now and then does not help a slow sender', async () => {
    const connection = new RawConnection(gateway.url);
    connection.send(head(CHAT, authorized({ 'content-length': '1000' })));
    const drip = setInterval(() => connection.send(' '), 50);
    await expectRefusal(await connection.response(), 'REQUEST_TIMEOUT').finally(() => clearInterval(drip));
    await connection.closed;
  });
});

const fill = (count: number, length: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`x-${index}`, MARKER.repeat(length)]));

test.each<[string, () => string]>([
  ['one huge header', () => head(CHAT, authorized(fill(1, 2_000)))],
  ['a header without an end', () => head(CHAT, authorized()).slice(0, -2) + `x-a: ${'a'.repeat(20_000)}`],
  ['many headers', () => head(CHAT, authorized(fill(1_000, 2)))],
  ['more headers than are counted', () => head(CHAT, authorized()).slice(0, -2) + 'a:\r\n'.repeat(2_100) + '\r\n'],
  ['a huge path', () => head(`GET /${'a'.repeat(20_000)} HTTP/1.1`, { host: 'x' })],
  ['a huge method', () => 'A'.repeat(20_000)],
])('a flood of headers is refused: %s', async (what, bytes) => {
  const connection = new RawConnection(gateway.url);
  const expected: RefusalCode = what === 'a huge method' ? 'INVALID_REQUEST' : 'HEADERS_TOO_LARGE';
  await expectRefusal(await connection.send(bytes()).response(), expected);
  await connection.closed;
});

test('several requests on one connection are answered in their order, each with an id of its own', async () => {
  const connection = new RawConnection(gateway.url);
  connection.send(goodRequest() + head('GET /v1/nothing HTTP/1.1', { host: 'x' }) + goodRequest());
  const first = await connection.response();
  const second = await connection.response();
  const third = await connection.response();
  expect([first?.status, second?.status, third?.status]).toEqual([200, 404, 200]);
  expect(new Set([first, second, third].map((each) => each?.headers['x-request-id'])).size).toBe(3);
  connection.destroy();
});

test('garbage behind an answered request closes the connection with a 400', async () => {
  const connection = new RawConnection(gateway.url);
  expect((await connection.send(goodRequest()).response())?.status).toBe(200);
  await expectRefusal(await connection.send(`${MARKER}\r\n\r\n`).response(), 'INVALID_REQUEST');
  await connection.closed;
});

test('garbage behind a request that still runs never reads as its answer’s end', async () => {
  const connection = new RawConnection(gateway.url);
  connection.send(`${goodRequest()}${MARKER}\r\n\r\n`);
  expect((await connection.response())?.status).toBe(200);
  await expectRefusal(await connection.response(), 'INVALID_REQUEST');
  await connection.closed;
  expect(connection.received).toHaveLength(0);
});

test('HTTP/1.0 is answered, without a Host and without chunks', async () => {
  const body = chatBody();
  const line = 'POST /v1/chat/completions HTTP/1.0';
  const { host: _host, ...headers } = authorized({ 'content-length': String(body.length) });
  const connection = new RawConnection(gateway.url);
  const response = await connection.send(head(line, headers), body).response();
  expect(response?.status).toBe(200);
  await connection.closed;
});

test('an expectation that nobody can meet is passed over', async () => {
  const body = chatBody();
  const headers = authorized({ 'content-length': String(body.length), expect: 'a-miracle' });
  expect((await exchange(gateway.url, head(CHAT, headers), body))?.status).toBe(200);
});

test('a caller that waits for leave to send its body gets it', async () => {
  const body = chatBody();
  const headers = authorized({ 'content-length': String(body.length), expect: '100-continue' });
  const connection = new RawConnection(gateway.url).send(head(CHAT, headers));
  await connection.until((received) => received.includes('100 Continue'));
  expect((await connection.send(body).response())?.status).toBe(200);
  connection.destroy();
});

test('an upgrade is not taken up', async () => {
  const headers = authorized({ connection: 'upgrade', upgrade: 'websocket' });
  await expectRefusal(
    await exchange(gateway.url, head('GET /v1/chat/completions HTTP/1.1', headers)),
    'WEBSOCKET_NOT_SUPPORTED',
  );
});

test('a request target may name the whole URL', async () => {
  const response = await exchange(gateway.url, head(`GET ${gateway.url}/v1/models HTTP/1.1`, authorized()));
  expect(response?.status).toBe(200);
});

test('after all malformed HTTP the program serves, the ledger is whole, and no key and no text has been printed', async () => {
  expect((await gateway.chat()).status).toBe(200);
  expect(await gateway.books()).toEqual({ ok: true, difference: 0n });
  const log = await gateway.log();
  expect(log).not.toContain(MARKER);
  expect(log).not.toContain(gateway.key.slice(-20));
});
