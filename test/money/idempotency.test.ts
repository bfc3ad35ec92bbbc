import { afterAll, beforeAll, expect, test } from 'vitest';
import { type MockUpstream, startMockUpstream } from '../support/aimock.ts';
import { type Program, startProgram } from '../support/program.ts';
import type { Tenant } from '../support/tenant.ts';

// A request that is sent again under the same Idempotency-Key runs once, is charged once, and is answered each time.

let upstream: MockUpstream;
let program: Program;
let tenant: Tenant;
let keys = 0;

const config = (baseUrl: string): string => `
providers:
  mock: { kind: openai, base_url: "${baseUrl}" }
models:
  - { id: small-chat, routes: [{ provider: mock, model: gpt }], price: { input: "0.25", output: "2.00" }, context_window: 128000, max_output: 16384 }
  - { id: failing, routes: [{ provider: mock, model: error-500 }], price: { input: "0.25", output: "2.00" }, context_window: 128000, max_output: 16384 }
  - { id: embed, kind: embedding, routes: [{ provider: mock, model: embed }], price: { input: "0.02" }, context_window: 8192 }
`;

beforeAll(async () => {
  upstream = await startMockUpstream({ answerDelayMs: 50, chunkDelayMs: 20, chunkCharacters: 5 });
  program = await startProgram({ config: config(upstream.baseUrl), beside: [upstream] });
  tenant = await program.createTenant({ credit: '10' });
});

afterAll(() => program.dispose());

function freshKey(): string {
  keys += 1;
  return `idempotency-${keys}`;
}

function headers(idempotencyKey: string, key = tenant.key): Record<string, string> {
  return { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': idempotencyKey };
}

function ask(idempotencyKey: string, body: object = {}, init: RequestInit = {}): Promise<Response> {
  const request = { model: 'small-chat', messages: [{ role: 'user', content: 'tell me once' }], ...body };
  return program.chat(tenant.key, request, { headers: headers(idempotencyKey), ...init });
}

async function balance(): Promise<bigint> {
  const shown = await program.admin.showWorkspace(tenant.workspaceId);
  return BigInt(shown.balance_nano_usd);
}

for (const stream of [false, true]) {
  test(`a repeated ${stream ? 'stream' : 'call'} gets the same bytes, reaches no upstream and costs nothing`, async () => {
    const key = freshKey();
    const first = await ask(key, { stream });
    const text = await first.text();
    const before = { served: upstream.served(), balance: await balance() };

    const repeat = await ask(key, { stream });

    expect(repeat.status).toBe(200);
    expect(await repeat.text()).toBe(text);
    expect(repeat.headers.get('content-type')).toBe(first.headers.get('content-type'));
    expect(repeat.headers.get('x-faregate-replayed')).toBe(first.headers.get('x-request-id'));
    expect(repeat.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    expect({ served: upstream.served(), balance: await balance() }).toEqual(before);
    expect(first.headers.get('x-faregate-replayed')).toBeNull();
  });
}

test('embeddings are repeated by their Idempotency-Key too', async () => {
  const key = freshKey();
  const body = JSON.stringify({ model: 'embed', input: 'hello' });
  const send = (): Promise<Response> =>
    fetch(`${program.url}/v1/embeddings`, { method: 'POST', headers: headers(key), body });
  const text = await (await send()).text();
  const served = upstream.served();
  expect(await (await send()).text()).toBe(text);
  expect(upstream.served()).toBe(served);
});

test('another body under the same key is a mismatch, and another API key is another matter', async () => {
  const key = freshKey();
  await (await ask(key)).text();
  const mismatch = await ask(key, { temperature: 0 });
  expect(mismatch.status).toBe(422);
  expect(await mismatch.json()).toMatchObject({ error: { code: 'IDEMPOTENCY_MISMATCH', param: 'Idempotency-Key' } });
  const other = await program.createTenant({ credit: '1' });
  const elsewhere = await ask(key, { temperature: 0 }, { headers: headers(key, other.key) });
  expect(elsewhere.status).toBe(200);
  expect(elsewhere.headers.get('x-faregate-replayed')).toBeNull();
  await elsewhere.text();
});

test('one of many requests with a key at the same time runs, and all get its answer', async () => {
  const key = freshKey();
  const served = upstream.served();
  const texts = await Promise.all(
    Array.from({ length: 12 }, async () => {
      const response = await ask(key, { stream: true });
      expect(response.status).toBe(200);
      return await response.text();
    }),
  );
  expect(new Set(texts).size).toBe(1);
  expect(texts[0]?.endsWith('data: [DONE]\n\n')).toBe(true);
  expect(upstream.served()).toBe(served + 1);
});

test('a stream whose caller leaves is read to its end, so that a repeat gets all of it', async () => {
  const key = freshKey();
  const served = upstream.served();
  const leaving = new AbortController();
  const response = await ask(key, { stream: true }, { signal: leaving.signal });
  await response.body?.getReader().read();
  leaving.abort();
  const repeat = await ask(key, { stream: true });
  expect((await repeat.text()).endsWith('data: [DONE]\n\n')).toBe(true);
  expect(repeat.headers.get('x-faregate-replayed')).toMatch(/^[0-9a-f-]{36}$/);
  expect(upstream.served()).toBe(served + 1);
});

test('what was refused or failed is not kept: the repeat runs', async () => {
  const key = freshKey();
  expect((await ask(key, { model: 'failing' })).status).toBe(503);
  const served = upstream.served();
  expect((await ask(key, { model: 'failing' })).status).toBe(503);
  expect(upstream.served()).toBe(served + 1);

  const poor = await program.createTenant({ credit: null });
  const poorKey = freshKey();
  const refused = await ask(poorKey, {}, { headers: headers(poorKey, poor.key) });
  expect(refused.status).toBe(402);
  await program.admin.postCredit(poor.workspaceId, { kind: 'grant', amount_usd: '1', reason: 'a test' });
  const paid = await ask(poorKey, {}, { headers: headers(poorKey, poor.key) });
  expect(paid.status).toBe(200);
  await paid.text();
});

test('a malformed key is refused', async () => {
  for (const key of ['', 'with space', 'x'.repeat(256)]) {
    const response = await ask(freshKey(), {}, { headers: headers(key) });
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ error: { code: 'INVALID_REQUEST', param: 'Idempotency-Key' } });
  }
});

test('the claim of a process that was killed blocks nobody', async () => {
  const key = freshKey();
  const served = upstream.served();
  // It is cut off whenever the kill comes; whoever awaits it later than that must not be the first to hear.
  const running = ask(key, { stream: true }).then(
    (response) => response.text().catch(() => 'cut off'),
    () => 'cut off',
  );
  await expect.poll(() => upstream.served()).toBeGreaterThan(served);
  await program.signal('SIGKILL');
  await running;
  program = await program.restart();
  const repeat = await ask(key, { stream: true });
  expect(repeat.status).toBe(200);
  expect((await repeat.text()).endsWith('data: [DONE]\n\n')).toBe(true);
  expect(await program.admin.verifyLedger()).toMatchObject({ ok: true });
});
