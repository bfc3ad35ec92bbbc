import { createServer as createHttpServer, type IncomingMessage, type RequestListener } from 'node:http';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { changeRemains } from '../../src/control/audit/remains.ts';
import type { Database } from '../../src/program/database/pool.ts';
import { addCell, announce, moveBySql, pointCell, startCells } from '../support/cells.ts';
import type { Program } from '../support/program.ts';
import { describedOperations } from '../support/described-api.ts';
import { type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';
import type { Tenant } from '../support/tenant.ts';

// Requests of a workspace of cell 00 that lives in cell 01, sent to cell 00. The provider of both is a script.

const USAGE = { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 };
const BASICS = { id: 'c', created: 1, model: 'gpt' };
const STREAM = [
  event({ choices: [{ index: 0, delta: { role: 'assistant', content: 'hé' }, finish_reason: null }] }),
  event({ choices: [{ index: 0, delta: { content: 'llo' }, finish_reason: 'stop' }] }),
  event({ choices: [], usage: USAGE }),
  'data: [DONE]\n\n',
];
const WHOLE = JSON.stringify({
  ...BASICS,
  object: 'chat.completion',
  choices: [{ index: 0, message: { role: 'assistant', content: 'hello' }, finish_reason: 'stop' }],
  usage: USAGE,
});
/** A prompt whose answer waits until the test lets it go on; of a stream, behind its first event. */
const HELD = 'held';

let zero: Program;
let one: Program;
let upstream: ScriptedUpstream;
let moved: Tenant;
let at: Database;
let there: Database;
const held: (() => void)[] = [];
const running = new AsyncDisposableStack();

function event(more: object): string {
  return `data: ${JSON.stringify({ ...BASICS, object: 'chat.completion.chunk', ...more })}\n\n`;
}

function configFor(origin: string): string {
  return `
server: { trusted_proxies: [127.0.0.1], body_max: 1MiB }
providers: { scripted: { kind: openai, base_url: "${origin}/v1" } }
models:
  - id: scripted
    routes: [{ provider: scripted, model: gpt }]
    price: { input: "1.00", output: "2.00" }
    context_window: 1000000
    max_output: 1000
    media: { image_tokens: 1000 }
`;
}

beforeAll(async () => {
  upstream = await startScriptedUpstream((response, { body }) => {
    const text = body.toString();
    const isHeld = text.includes(`"${HELD}"`);
    if (!text.includes('"stream":true')) {
      const answer = (): void => void response.writeHead(200, { 'content-type': 'application/json' }).end(WHOLE);
      if (isHeld) held.push(answer);
      else answer();
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(STREAM[0]);
    const end = (): void => void response.end(STREAM.slice(1).join(''));
    if (isHeld) held.push(end);
    else setTimeout(end, 5);
  });
  running.defer(() => upstream.stop());
  [zero, one] = await startCells(running, configFor(upstream.origin));
  await addCell(zero, '01', one);
  await addCell(one, '00', zero);
  [at, there] = [await zero.openDatabase(), await one.openDatabase()];
  moved = await zero.createTenant();
  await moveBySql({ from: zero, to: one, shard: '01' }, moved);
});
afterAll(() => running.disposeAsync());
beforeEach(() => {
  for (const release of held.splice(0)) release();
});

const chat = (more: object = {}): object => ({
  model: 'scripted',
  max_tokens: 5,
  messages: [{ role: 'user', content: 'hi' }],
  ...more,
});
const heldChat = (more: object = {}): object => chat({ messages: [{ role: 'user', content: HELD }], ...more });

function send(
  path: string,
  body: object | null,
  headers: Record<string, string> = {},
  method = 'POST',
): Promise<Response> {
  return fetch(`${zero.url}${path}`, {
    method: body === null && method === 'POST' ? 'GET' : method,
    headers: { authorization: `Bearer ${moved.key}`, 'content-type': 'application/json', ...headers },
    ...(body !== null && { body: JSON.stringify(body) }),
  });
}

/** With the key in the header of Anthropic's clients alone. */
function sendByApiKey(path: string, body: object, headers: Record<string, string>): Promise<Response> {
  const known = { 'x-api-key': moved.key, 'content-type': 'application/json' };
  return fetch(`${zero.url}${path}`, { method: 'POST', headers: { ...known, ...headers }, body: JSON.stringify(body) });
}

async function receiptsIn(sql: Database): Promise<number> {
  const [row] = await sql.query<{ count: number }>('select count(*)::int4 as count from receipts');
  return row?.count ?? 0;
}

/** What a metric of a cell says now. */
async function gauge(cell: Program, name: string): Promise<number> {
  return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(await cell.metrics())?.[1]);
}

/** The requests that a cell is answering, besides the one that asks. */
async function answering(cell: Program): Promise<number> {
  return (await gauge(cell, 'faregate_running_requests')) - 1;
}

async function listening(server: Server): Promise<string> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Has cell 00 find cell 01 at another address, until the end of the test. */
async function withCellAt(url: string): Promise<void> {
  await pointCell(zero, '01', url);
  onTestFinished(() => pointCell(zero, '01', one.url));
}

/** Sets the column of a table's row for the moved key's workspace or key, as the feed of that cell learns it. */
async function change(cell: Program, kind: 'workspace' | 'key', set: string): Promise<void> {
  const sql = cell === zero ? at : there;
  const [row] = await sql.transaction(async (tx) => {
    await changeRemains(tx);
    return await tx.query<{ id: string }>(
      `update ${kind}s set ${set} where id = (select ${kind === 'key' ? 'id' : 'workspace_id'} from keys where id = $1) returning id`,
      [moved.keyId],
    );
  });
  await announce(cell, kind, row?.id ?? '');
}

/** What is answered to these bytes, behind which the caller closes its side. */
async function exchange(port: number, request: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  socket.setEncoding('utf8').on('data', (more: string) => (text += more));
  socket.end(request);
  await new Promise((resolve) => socket.on('close', resolve));
  return text;
}

async function errorOf(
  answer: Response,
): Promise<{ readonly status: number; readonly retry: string | null; readonly body: unknown }> {
  return { status: answer.status, retry: answer.headers.get('retry-after'), body: await answer.json() };
}

test('a whole answer is that of the other cell: its status, request id, headers and receipt', async () => {
  const before = await receiptsIn(at);
  const answer = await send('/v1/chat/completions', chat(), { 'x-faregate-report-cost': 'true' });
  expect(answer.status).toBe(200);
  expect(await answer.json()).toMatchObject({
    choices: [{ message: { content: 'hello' } }],
    usage: { cost: expect.anything() },
  });
  expect(answer.headers.get('x-faregate-charge')).not.toBeNull();
  const id = answer.headers.get('x-request-id') ?? '';
  const receipt = (await (await send(`/v1/receipts/${id}`, null)).json()) as object;
  expect(receipt).toMatchObject({ object: 'receipt', request_id: id });
  expect(await there.query('select from receipts where request_id = $1', [id])).toHaveLength(1);
  expect(await receiptsIn(at)).toBe(before);
});

test('a stream is that of the other cell byte for byte, as it comes', async () => {
  const asked = heldChat({ stream: true });
  const [forwarded, direct] = await Promise.all([send('/v1/chat/completions', asked), one.chat(moved.key, asked)]);
  const reader = forwarded.body?.getReader();
  const first = new TextDecoder().decode((await reader?.read())?.value);
  expect(first).toContain('hé');
  expect(forwarded.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  await vi.waitUntil(() => held.length === 2);
  for (const release of held.splice(0)) release();
  let text = first;
  for (let part = await reader?.read(); part?.done === false; part = await reader?.read())
    text += new TextDecoder().decode(part.value);
  expect(text).toBe(await direct.text());
  expect(text).toContain('[DONE]');
});

test('every path of the API is forwarded, with its query, in the form of its caller', async () => {
  const version = { 'anthropic-version': '2023-06-01' };
  const messages = { model: 'scripted', max_tokens: 5, messages: [{ role: 'user', content: 'hi' }] };
  const kept = await send('/v1/responses', { model: 'scripted', input: 'hi', max_output_tokens: 16 });
  expect(kept.status).toBe(200);
  const { id } = (await kept.json()) as { id: string };
  const answers: readonly (readonly [string, Response])[] = [
    ['messages', await sendByApiKey('/v1/messages', messages, version)],
    ['count', await send('/v1/messages/count_tokens', messages, version)],
    ['quote', await send('/v1/quote', chat())],
    ['models', await send('/v1/models', null)],
    ['model', await send('/v1/models/scripted', null)],
    ['key', await send('/v1/key', null)],
    ['response', await send(`/v1/responses/${id}`, null)],
    ['input', await send(`/v1/responses/${id}/input_items?limit=1&order=asc`, null)],
    ['delete', await send(`/v1/responses/${id}`, null, {}, 'DELETE')],
  ];
  expect(answers.map(([name, { status }]) => [name, status])).toEqual(answers.map(([name]) => [name, 200]));
  expect(await (await send('/v1/key', null)).json()).toMatchObject({ object: 'key', models: ['scripted'] });
  const refused = await send('/v1/messages', { ...messages, model: 'none' }, version);
  expect(await errorOf(refused)).toMatchObject({
    status: 404,
    body: { type: 'error', error: { type: 'not_found_error' } },
  });
});

test('what a caller sends along reaches the cell: idempotency, cost bound, its own id, session and address', async () => {
  const headers = { 'idempotency-key': 'once-1', 'x-request-id': 'mine-1', 'x-session-id': 'talk-1' };
  const first = await send('/v1/chat/completions', chat(), headers);
  const sent = upstream.requests.length;
  const repeated = await send('/v1/chat/completions', chat(), headers);
  expect(repeated.headers.get('x-faregate-replayed')).toBe(first.headers.get('x-request-id'));
  expect(await repeated.text()).toBe(await first.text());
  expect(upstream.requests.length).toBe(sent);
  const [row] = await there.query<{ row: string }>('select r::text as row from receipts r where request_id = $1', [
    first.headers.get('x-request-id'),
  ]);
  expect(row?.row).toContain('mine-1');
  expect(row?.row).toContain('talk-1');
  const dear = await send('/v1/chat/completions', chat(), { 'x-faregate-max-cost': '0.000000001' });
  expect(await errorOf(dear)).toMatchObject({ status: 402, body: { error: { code: 'MAX_COST_EXCEEDED' } } });
  await change(one, 'key', `allowed_networks = '{10.7.0.0/16}'`);
  expect((await send('/v1/models', null, { 'x-forwarded-for': '10.7.1.1' })).status).toBe(200);
  expect((await send('/v1/models', null, { 'x-forwarded-for': '10.8.1.1' })).status).toBe(403);
  await change(one, 'key', 'allowed_networks = null');
});

test('nothing is drawn, held or charged in the cell that forwards, and both ledgers hold', async () => {
  await send('/v1/chat/completions', chat());
  expect(
    await at.query('select from leases l join purses p on p.id = l.purse_id where p.workspace_id = $1', [
      moved.workspaceId,
    ]),
  ).toEqual([]);
  for (const cell of [zero, one]) {
    await expect.poll(async () => (await cell.admin.verifyLedger()).differences, { timeout: 30_000 }).toEqual([]);
  }
});

test('each of many requests, whose callers wait or leave at any moment, is sent once or not at all', async () => {
  const [sentBefore, receiptsBefore] = [upstream.requests.length, await receiptsIn(there)];
  const outcomes = await Promise.all(
    Array.from({ length: 200 }, async (_, index) => {
      const leaving = new AbortController();
      const timer = index % 4 === 0 ? setTimeout(() => leaving.abort(), index % 40) : null;
      const body = JSON.stringify(chat({ stream: index % 2 === 0, user: `caller ${index}` }));
      const headers = { authorization: `Bearer ${moved.key}`, 'content-type': 'application/json' };
      const asked = { method: 'POST', headers, body, signal: leaving.signal };
      try {
        const answer = await fetch(`${zero.url}/v1/chat/completions`, asked);
        const text = await answer.text();
        if (timer !== null) clearTimeout(timer);
        return { status: answer.status, isWhole: index % 2 === 0 ? text.endsWith('[DONE]\n\n') : text.endsWith('}') };
      } catch {
        return null;
      }
    }),
  );
  const waited = outcomes.filter((_, index) => index % 4 !== 0);
  expect(waited).toEqual(waited.map(() => ({ status: 200, isWhole: true })));
  await expect.poll(() => gauge(one, 'faregate_open_holds'), { timeout: 30_000 }).toBe(0);
  const users = upstream.requests
    .slice(sentBefore)
    .map(({ body }) => (JSON.parse(body.toString()) as { user: string }).user);
  expect(new Set(users).size).toBe(users.length);
  await expect.poll(async () => (await receiptsIn(there)) - receiptsBefore, { timeout: 30_000 }).toBe(users.length);
  await expect.poll(() => answering(zero), { timeout: 30_000 }).toBe(0);
  expect(await gauge(zero, 'faregate_buffered_bytes')).toBe(0);
});

test('a caller that leaves a stream is gone for the provider, too', async () => {
  const leaving = new AbortController();
  const answer = await fetch(`${zero.url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${moved.key}`, 'content-type': 'application/json' },
    body: JSON.stringify(heldChat({ stream: true })),
    signal: leaving.signal,
  });
  await answer.body?.getReader().read();
  expect(await gauge(one, 'faregate_open_holds')).toBe(1);
  leaving.abort();
  await expect.poll(() => gauge(one, 'faregate_open_holds'), { timeout: 30_000 }).toBe(0);
  await expect.poll(() => answering(zero), { timeout: 30_000 }).toBe(0);
});

test('a caller that closes its side behind its request gets its whole answer', async () => {
  for (const stream of [false, true]) {
    const body = JSON.stringify(chat({ stream }));
    const head = `POST /v1/chat/completions HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${moved.key}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
    const text = await exchange(Number(new URL(zero.url).port), head + body);
    expect(text).toMatch(/^HTTP\/1\.1 200 /);
    expect(text).toMatch(/\r\n0\r\n\r\n$/);
  }
});

test('a body that breaks off or is too large reaches no other cell, and leaves no memory taken', async () => {
  const before = upstream.requests.length;
  const large = await send('/v1/chat/completions', chat({ user: 'x'.repeat(2_000_000) })).catch(() => null);
  expect(large?.status ?? 413).toBe(413);
  const socket = connect(Number(new URL(zero.url).port), '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(
    `POST /v1/chat/completions HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${moved.key}\r\ncontent-type: application/json\r\ncontent-length: 500000\r\n\r\n${'{'.repeat(100_000)}`,
  );
  await expect.poll(() => gauge(zero, 'faregate_buffered_bytes')).toBeGreaterThan(0);
  socket.destroy();
  await expect.poll(() => gauge(zero, 'faregate_buffered_bytes')).toBe(0);
  expect(upstream.requests.length).toBe(before);
  await expect.poll(() => answering(one), { timeout: 30_000 }).toBe(0);
});

test('a cell that is away is a 503 with retry-after in the form of the caller, and a foreign server is no cell', async () => {
  const closed = createServer();
  const nobody = await listening(closed);
  await new Promise((resolve) => closed.close(resolve));
  const page: RequestListener = (_, response) => response.end('<html>hello</html>');
  const redirect: RequestListener = (_, response) => response.writeHead(302, { location: one.url }).end();
  for (const url of [nobody, await listening(createHttpServer(page)), await listening(createHttpServer(redirect))]) {
    await withCellAt(url);
    expect(await errorOf(await send('/v1/chat/completions', chat()))).toMatchObject({
      status: 503,
      retry: '1',
      body: { error: { code: 'MODEL_UNAVAILABLE', message: expect.stringContaining('lives in the cell 01') } },
    });
    const messages = await send('/v1/messages', chat(), { 'anthropic-version': '2023-06-01' });
    expect(await errorOf(messages)).toMatchObject({ status: 503, retry: '1', body: { type: 'error' } });
  }
});

test('an answer that breaks off in the middle breaks off for its caller', async () => {
  const breaking: RequestListener = (_, response) => {
    response.writeHead(200, { 'x-request-id': 'r', 'content-type': 'text/event-stream' }).write(STREAM[0]);
    setTimeout(() => response.destroy(), 50);
  };
  const short: RequestListener = (_, response) => {
    response.writeHead(200, { 'x-request-id': 'r', 'content-length': '1000' }).write('{"half":');
    setTimeout(() => response.destroy(), 50);
  };
  for (const listener of [breaking, short]) {
    await withCellAt(await listening(createHttpServer(listener)));
    const answer = await send('/v1/chat/completions', chat({ stream: true }));
    expect(answer.status).toBe(200);
    await expect(answer.text()).rejects.toThrow('terminated');
  }
});

test('an answer waits for a caller that reads slowly, and is whole', async () => {
  const piece = 'y'.repeat(65_536);
  let written = 0;
  const large: RequestListener = (_, response) => {
    response.writeHead(200, { 'x-request-id': 'r', 'content-type': 'text/plain' });
    const go = (): void => {
      while (written < 400) {
        written += 1;
        if (!response.write(piece)) return void response.once('drain', go);
      }
      response.end();
    };
    go();
  };
  await withCellAt(await listening(createHttpServer(large)));
  const answer = await send('/v1/chat/completions', chat());
  let seen: number;
  do {
    seen = written;
    await new Promise((resolve) => setTimeout(resolve, 300));
  } while (written > seen);
  expect(written).toBeLessThan(400);
  expect((await answer.text()).length).toBe(400 * piece.length);
});

test('other headers than those that cells know pass in neither direction', async () => {
  let received: IncomingMessage | null = null;
  const listener: RequestListener = (message, response) => {
    received = message;
    const known = { 'x-request-id': 'r', 'x-faregate-charge': '1' };
    response.writeHead(200, { ...known, 'set-cookie': 'a=b', 'x-powered-by': 'c', upgrade: 'h2c' }).end('{}');
  };
  await withCellAt(await listening(createHttpServer(listener)));
  const port = Number(new URL(zero.url).port);
  const text = await exchange(
    port,
    `GET /v1/models HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${moved.key}\r\ncookie: secret=1\r\nx-other: x\r\nte: trailers\r\nkeep-alive: timeout=5\r\nconnection: close\r\n\r\n`,
  );
  const [, ...lines] = text.slice(0, text.indexOf('\r\n\r\n')).split('\r\n');
  expect(lines.map((line) => line.split(':', 1)[0] ?? '').toSorted((a, b) => a.localeCompare(b))).toEqual([
    'connection',
    'date',
    'transfer-encoding',
    'x-faregate-charge',
    'x-request-id',
  ]);
  const names = Object.keys((received as IncomingMessage | null)?.headers ?? {}).toSorted();
  expect(names).toEqual(['authorization', 'connection', 'host', 'x-faregate-forwarded', 'x-forwarded-for']);
});

test('its former cell refuses each change to a moved workspace with the address of the other, and still shows it', async () => {
  const document = (await (await fetch(`${zero.url}/admin/openapi.json`)).json()) as object;
  const changes = describedOperations(document).filter(
    ({ 'x-permission': permission = '' }) => permission !== '' && !permission.endsWith(':read'),
  );
  expect(changes.length).toBeGreaterThan(40);
  for (const { method, path, operationId } of changes) {
    const filled = path.replace('{workspace}', moved.workspaceId).replaceAll(/\{\w+\}/g, moved.keyId);
    const answer = await fetch(`${zero.url}${filled}`, {
      method,
      headers: { authorization: `Bearer ${zero.operatorToken}`, 'content-type': 'application/json' },
      body: method === 'GET' ? null : '{}',
    });
    const error = { code: 'WORKSPACE_MOVED', message: expect.stringContaining(`the cell 01 now: ${one.url}`) };
    expect({ operationId, ...(await errorOf(answer)) }).toMatchObject({ operationId, status: 410, body: { error } });
  }
  expect(await zero.admin.showWorkspace(moved.workspaceId)).toMatchObject({ moved_to: '01', moved_to_url: one.url });
  expect((await zero.admin.listKeys(moved.workspaceId)).data).toHaveLength(1);
});

test('a request of a workspace that has moved on is forwarded on, and never to a cell that it comes from', async () => {
  let passed: IncomingMessage['headers'][string];
  const third = await listening(
    createHttpServer(({ headers }, response) => {
      passed = headers['x-faregate-forwarded'];
      response.writeHead(200, { 'x-request-id': 'a' }).end();
    }),
  );
  await there.query(`insert into cells (shard, url, encrypted_token) values ('02', $1, '')`, [third]);
  await there.query(`insert into changes (kind, subject_id) values ('cell', '02')`);
  await change(one, 'workspace', `moved_to = '02'`);
  expect((await send('/v1/chat/completions', chat())).status).toBe(200);
  expect(passed).toBe('00,01');
  await change(one, 'workspace', `moved_to = '00'`);
  expect(await errorOf(await send('/v1/chat/completions', chat()))).toMatchObject({
    status: 503,
    retry: '1',
    body: { error: { message: expect.stringContaining('is about to live in the cell 00') } },
  });
  await change(one, 'workspace', 'moved_to = null');
  expect((await send('/v1/chat/completions', chat())).status).toBe(200);
});

test('other keys are served here while the other cell stays silent, and a workspace that comes back is, too', async () => {
  const stays = await zero.createTenant();
  await withCellAt(await listening(createServer()));
  const hanging = Array.from({ length: 50 }, () => {
    const socket = connect(Number(new URL(zero.url).port), '127.0.0.1');
    socket.write(`GET /v1/models HTTP/1.1\r\nhost: a\r\nauthorization: Bearer ${moved.key}\r\n\r\n`);
    return socket;
  });
  await expect.poll(() => answering(zero)).toBeGreaterThanOrEqual(50);
  const answers = await Promise.all(Array.from({ length: 20 }, () => zero.chat(stays.key, chat())));
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  for (const socket of hanging) socket.resetAndDestroy();
  await expect.poll(() => answering(zero), { timeout: 30_000 }).toBe(0);
  await change(zero, 'workspace', 'moved_to = null');
  expect((await send('/v1/chat/completions', chat())).status).toBe(200);
  await change(zero, 'workspace', `moved_to = '01'`);
});

test('a key that is revoked here works, and one that is revoked where its workspace lives does not', async () => {
  await change(zero, 'key', 'revoked_at = now()');
  expect((await send('/v1/models', null)).status).toBe(200);
  await change(one, 'key', 'revoked_at = now()');
  expect(await errorOf(await send('/v1/models', null))).toMatchObject({
    status: 401,
    body: { error: { code: 'INVALID_API_KEY' } },
  });
});
