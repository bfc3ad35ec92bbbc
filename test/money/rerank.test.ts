import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { type Program, startProgram } from '../support/program.ts';
import { type Script, type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';
import type { Tenant } from '../support/tenant.ts';

// Documents are ranked by Cohere, Jina and vLLM, each as it answers: what is held for its tokens or its search units, what is
// charged to the nano-USD, and that nobody pays for what is no answer.

/** Nano-USD: what a search unit costs callers, and the operator; and a token at the other two. */
const [UNIT, UNIT_COST, JINA, VLLM] = [2_000_000n, 1_500_000n, 50n, 20n];

let program: Program;
let upstream: ScriptedUpstream;
let script: Script;
let tenant: Tenant;

beforeAll(async () => {
  upstream = await startScriptedUpstream((response, request) => script(response, request));
  const config = `
routing: { results_min: 1000 }
providers:
  cohere: { kind: openai, base_url: "${upstream.origin}/cohere/v2", api_key: sk-cohere-0123456789 }
  jina: { kind: openai, base_url: "${upstream.origin}/jina/v1", api_key: sk-jina-0123456789 }
  vllm: { kind: openai, profile: vllm, base_url: "${upstream.origin}/vllm/v1" }
  claude: { kind: anthropic, base_url: "${upstream.origin}", api_key: sk-ant-0123456789 }
  sandbox: { kind: sandbox }
models:
  - { id: units, kind: rerank, routes: [{ provider: cohere, model: rerank-v3.5, cost: { input: "0", fees: { request: "0.0015" } } }], price: { input: "0", fees: { request: "0.002" } }, context_window: 4096 }
  - { id: tokens, kind: rerank, routes: [{ provider: jina, model: jina-reranker }], price: { input: "0.05" }, context_window: 131072 }
  - { id: own, kind: rerank, routes: [{ provider: vllm, model: bge-reranker }], price: { input: "0.02" }, context_window: 8192 }
  - { id: either, kind: rerank, routes: [{ provider: jina, model: jina-reranker }, { provider: vllm, model: bge-reranker }], price: { input: "0.02" }, context_window: 8192 }
  - { id: silent, kind: rerank, routes: [{ provider: claude, model: claude }], price: { input: "0.02" }, context_window: 8192 }
  - { id: local, kind: rerank, routes: [{ provider: sandbox, model: rerank }], price: { input: "0.02" }, context_window: 8192 }
  - { id: chat, routes: [{ provider: sandbox, model: echo }], price: { input: "1", output: "1" }, context_window: 8192, max_output: 100 }
`;
  program = await startProgram({ config, beside: [upstream] });
  tenant = await program.createTenant();
});
beforeEach(() => {
  script = (response) => response.writeHead(500).end();
});
afterAll(() => program.dispose());

function post(path: string, body: unknown, headers: Record<string, string> = {}, key = tenant.key): Promise<Response> {
  return fetch(`${program.url}/v1/${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

const answers =
  (text: string): Script =>
  (response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end(text);

const receiptOf = (response: Response) => program.admin.showReceipt(response.headers.get('x-request-id') ?? '');
const SOON = { timeout: 20_000, interval: 50 };

const QUERY = 'Which one?';
const DOCUMENTS = ['the first', { text: 'the second' }, 'the third'];
const BODY = { query: QUERY, documents: DOCUMENTS };
/** What three documents of 9, 10 and 9 bytes hold with a query of 10, at a token a byte and room for templates. */
const TOKENS_MAX = BigInt(3 * 10 + 28 + 3 * 128 + 1_024);

const cohere = (units: number) =>
  `{"id":"c1","results":[{"index":1,"relevance_score":0.9}, {"index":0,"relevance_score":0.1}],"meta":{"api_version":{"version":"2"},"billed_units":{"search_units":${units}}}}`;
const JINA_ANSWER =
  '{"model":"jina-reranker","object":"list","usage":{"total_tokens":815,"prompt_tokens":815},"results":[{"index":2,"relevance_score":0.71,"document":{"text":"the third"}}]}';
const VLLM_ANSWER =
  '{"id":"rerank-1","model":"bge-reranker","usage":{"total_tokens":56},"results":[{"index":0,"document":{"text":"the first"},"relevance_score":0.5}]}';

test.each([
  {
    model: 'units',
    answer: cohere(1),
    sent: ['/cohere/v2/rerank', 'rerank-v3.5', 'Bearer sk-cohere-0123456789'],
    expected: { charge: UNIT, hold: UNIT, fees: UNIT, certainty: 'estimated', uses: { request: 1 } },
  },
  {
    model: 'tokens',
    answer: JINA_ANSWER,
    sent: ['/jina/v1/rerank', 'jina-reranker', 'Bearer sk-jina-0123456789'],
    expected: { charge: 815n * JINA, hold: TOKENS_MAX * JINA, fees: 0n, certainty: 'exact', uses: {} },
  },
  {
    model: 'own',
    answer: VLLM_ANSWER,
    sent: ['/vllm/v1/rerank', 'bge-reranker', undefined],
    expected: { charge: 56n * VLLM, hold: TOKENS_MAX * VLLM, fees: 0n, certainty: 'exact', uses: {} },
  },
])('body and answer pass as they are, and the charge is exact: $model', async ({ model, answer, sent, expected }) => {
  script = answers(answer);
  const body = { model, ...BODY, top_n: 2, return_documents: true, max_tokens_per_doc: 512, priority: 1 };
  const response = await post('rerank', body);
  expect([response.status, await response.text()]).toEqual([200, answer]);
  const { path, body: received, headers } = upstream.requests.at(-1)!;
  const [sentPath, sentModel, authorization] = sent;
  expect([path, headers.authorization]).toEqual([sentPath, authorization]);
  expect(received.toString()).toBe(JSON.stringify({ ...body, model: sentModel }));
  expect(await receiptOf(response)).toMatchObject({
    dialect: 'rerank',
    outcome: 'completed',
    charge_nano_usd: String(expected.charge),
    hold_nano_usd: String(expected.hold),
    fees_nano_usd: String(expected.fees),
    write_off_nano_usd: '0',
    usage: { certainty: expected.certainty },
    uses: expected.uses,
  });
});

test('each search unit pays the fee of a request, and costs the operator its own', async () => {
  const own = await program.createTenant();
  script = answers(cohere(3));
  const documents = Array.from({ length: 250 }, (_, index) => `document ${index}`);
  const quoted = await (await post('quote', { model: 'units', query: QUERY, documents }, {}, own.key)).json();
  expect(quoted).toMatchObject({
    hold_nano_usd: String(3n * UNIT),
    fees: [{ use: 'request', uses_max: 3, fee_nano_usd: String(UNIT) }],
  });
  const response = await post('rerank', { model: 'units', query: QUERY, documents }, {}, own.key);
  expect(response.headers.get('x-faregate-charge')).toBe('0.006');
  expect(await receiptOf(response)).toMatchObject({
    charge_nano_usd: String(3n * UNIT),
    hold_nano_usd: String(3n * UNIT),
    uses: { request: 3 },
    cost: { fee_lines: [{ use: 'request', uses: 3, fee_usd: '0.002', amount_usd: '0.006' }] },
  });
  const usage = await program.admin.showUsage(own.workspaceId, { group_by: 'dialect' });
  expect(usage).toMatchObject({
    total: { charge_nano_usd: String(3n * UNIT), cost_nano_usd: String(3n * UNIT_COST) },
    groups: [{ group: 'rerank' }],
  });
});

test.each([
  ['units', cohere(4), UNIT, 3n * UNIT],
  ['own', VLLM_ANSWER.replace('56', '5000'), TOKENS_MAX * VLLM, (5_000n - TOKENS_MAX) * VLLM],
])('what a provider bills beyond the hold is the operator’s: %s', async (model, answer, hold, writeOff) => {
  script = answers(answer);
  expect(await receiptOf(await post('rerank', { model, ...BODY }))).toMatchObject({
    charge_nano_usd: String(hold),
    hold_nano_usd: String(hold),
    write_off_nano_usd: String(writeOff),
  });
});

test('tokens that nobody counts are a quarter of the bytes of each document with the query', async () => {
  script = answers('{"results":[{"index":0,"relevance_score":0.5}]}');
  expect(await receiptOf(await post('rerank', { model: 'tokens', ...BODY }))).toMatchObject({
    charge_nano_usd: String(15n * JINA),
    usage: { certainty: 'estimated', tokens: { input: 15 } },
  });
});

test('the charge is in the usage of an answer whose caller wants it there, and a repeat by its key is free', async () => {
  script = answers(cohere(1));
  const headers = { 'x-faregate-report-cost': 'true', 'idempotency-key': 'rank-once' };
  const first = await (await post('rerank', { model: 'units', ...BODY }, headers)).text();
  expect(JSON.parse(first)).toMatchObject({ results: [{ index: 1 }, { index: 0 }], usage: { cost: '0.002' } });
  const before = upstream.requests.length;
  expect(await (await post('rerank', { model: 'units', ...BODY }, headers)).text()).toBe(first);
  expect(upstream.requests).toHaveLength(before);
});

test('a request that the money doesn’t cover is refused by what it lacks, and nothing is sent', async () => {
  const poor = await program.createTenant({ credit: '0.003' });
  script = answers(cohere(1));
  const before = upstream.requests.length;
  const many = Array.from({ length: 101 }, () => 'short');
  const refused = await post('rerank', { model: 'units', query: QUERY, documents: many }, {}, poor.key);
  expect(refused.status).toBe(402);
  expect(await refused.json()).toMatchObject({ error: { details: { needed_nano_usd: String(2n * UNIT) } } });
  expect(upstream.requests).toHaveLength(before);
  const fewer = await post('rerank', { model: 'units', query: QUERY, documents: many.slice(1) }, {}, poor.key);
  expect(fewer.status).toBe(200);
});

test.each([
  ['query', { documents: DOCUMENTS }],
  ['documents', { query: QUERY }],
  ['documents[1]', { query: QUERY, documents: ['a', 7] }],
  ['documents[0].image', { query: QUERY, documents: [{ image: 'https://x/y.png' }] }],
  ['documents[0].title', { query: QUERY, documents: [{ title: 'a', text: 'b' }] }],
  ['top_n', { ...BODY, top_n: 'all' }],
  ['stream', { ...BODY, stream: true }],
])('a malformed request is refused by the name of its field (%s), and nothing is sent', async (param, body) => {
  const before = upstream.requests.length;
  const response = await post('rerank', { model: 'tokens', ...body });
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { code: 'INVALID_REQUEST', param } });
  expect(upstream.requests).toHaveLength(before);
});

test('a model is called by the API of its kind alone, and where its providers rerank', async () => {
  const chat = { messages: [{ role: 'user', content: 'hi' }] };
  const wrong = await post('chat/completions', { model: 'tokens', ...chat });
  expect(await wrong.json()).toMatchObject({
    error: { param: 'model', message: '"tokens" is a rerank model; call it at /v1/rerank.' },
  });
  expect((await post('rerank', { model: 'chat', ...BODY })).status).toBe(400);
  const silent = await post('rerank', { model: 'silent', ...BODY });
  expect([silent.status, await silent.json()]).toMatchObject([404, { error: { param: 'model' } }]);
  const narrow = await program.createTenant({ key: { models: ['own'] } });
  expect((await post('rerank', { model: 'tokens', ...BODY }, {}, narrow.key)).status).toBe(403);
});

test.each([
  '{}',
  '{"results":[]}',
  '{"results":[{"index":0}]}',
  '{"results":"none","usage":{"total_tokens":9}}',
  '{"detail":"Not Found"}',
  '[{"index":0,"score":0.5}]',
  '<html></html>',
])('nonsense (%s) is no answer: the next route is tried, and where there is none, nobody pays', async (text) => {
  script = (response, request) => answers(request.path.startsWith('/vllm') ? VLLM_ANSWER : text)(response, request);
  const saved = await post('rerank', { model: 'either', ...BODY });
  expect([saved.status, await saved.text()]).toEqual([200, VLLM_ANSWER]);
  expect(await receiptOf(saved)).toMatchObject({
    charge_nano_usd: String(56n * VLLM),
    attempts: [
      { provider: 'jina', fault: 'malformed' },
      { provider: 'vllm', fault: null },
    ],
  });
  const failed = await post('rerank', { model: 'tokens', ...BODY });
  expect(failed.status).toBe(503);
  const receipt = await vi.waitFor(() => receiptOf(failed), SOON);
  expect(receipt).toMatchObject({ outcome: 'failed', charge_nano_usd: '0', uses: {} });
});

test('a provider that breaks off, or says what is wrong with a request, is treated as in any API', async () => {
  script = (response) => response.socket?.resetAndDestroy();
  expect((await post('rerank', { model: 'tokens', ...BODY })).status).toBe(503);
  script = (response) =>
    response.writeHead(400, { 'content-type': 'application/json' }).end('{"message":"too many documents"}');
  const rejected = await post('rerank', { model: 'units', ...BODY });
  expect([rejected.status, await rejected.text()]).toEqual([400, expect.stringContaining('too many documents')]);
});

test('a caller that leaves pays for the answer that its provider gave', async () => {
  const own = await program.createTenant();
  const asked = Promise.withResolvers<() => void>();
  script = (response, request) => asked.resolve(() => answers(JINA_ANSWER)(response, request));
  const leave = new AbortController();
  const left = fetch(`${program.url}/v1/rerank`, {
    method: 'POST',
    headers: { authorization: `Bearer ${own.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: 'tokens', ...BODY }),
    signal: leave.signal,
  });
  const answer = await asked.promise;
  leave.abort();
  await expect(left).rejects.toThrow('abort');
  answer();
  const charged = async (): Promise<unknown> =>
    (await program.admin.listReceipts(own.workspaceId, { dialect: 'rerank' })).data;
  await expect.poll(charged, SOON).toMatchObject([{ charge_nano_usd: String(815n * JINA) }]);
});

test('receipts are found by their dialect, in the API and by the command', async () => {
  const own = await program.createTenant();
  script = answers(JINA_ANSWER);
  await post('rerank', { model: 'tokens', ...BODY }, {}, own.key);
  await post('chat/completions', { model: 'chat', messages: [{ role: 'user', content: 'hi' }] }, {}, own.key);
  const found = await program.cli('requests', own.workspaceId, '--dialect', 'rerank');
  expect(found.stdout).toContain('tokens');
  expect(found.stdout).not.toContain('chat');
});

test('the sandbox ranks by the words that documents share with the query', async () => {
  const documents = ['nothing of it', 'a cat on a mat', { text: 'the cat sat on the mat' }];
  const body = { model: 'local', query: 'cat sat', documents, top_n: 2, return_documents: true };
  const response = await post('rerank', body);
  expect(await response.json()).toMatchObject({
    results: [{ index: 2, document: { text: 'the cat sat on the mat' } }, { index: 1 }],
    // 7 + 13, 7 + 14 and 7 + 22 bytes, four a token.
    usage: { total_tokens: 5 + 6 + 8 },
  });
  expect(await receiptOf(response)).toMatchObject({
    charge_nano_usd: String(19n * VLLM),
    usage: { certainty: 'exact' },
  });
});
