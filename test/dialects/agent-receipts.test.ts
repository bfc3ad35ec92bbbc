import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Gateway } from '../wire/gateway.ts';
import { answering, completion, finish, streaming, text, usageChunk } from '../wire/upstream-scripts.ts';
import { startMessagesGateway } from './messages-stage.ts';

// What a receipt says about an agent's request: its session, what of it the provider was not sent, and whether it repeats one
// that had failed. The agents' requests are sent with the headers and the body that were recorded of them.

interface Recorded {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

let gateway: Gateway;

beforeAll(async () => {
  gateway = await startMessagesGateway();
});

afterAll(() => gateway.stop());

function recorded(name: string): Recorded {
  return JSON.parse(readFileSync(new URL(`../fixtures/agents/${name}.json`, import.meta.url), 'utf8')) as Recorded;
}

const OWN_HEADERS = new Set(['authorization', 'connection', 'content-length', 'host', 'accept-encoding']);

function headersOf({ headers }: Recorded): Record<string, string> {
  const sent = Object.entries(headers).filter(([name, value]) => !OWN_HEADERS.has(name) && typeof value === 'string');
  return Object.fromEntries(sent);
}

const AGENTS = {
  codex: { path: '/v1/responses', ...recorded('codex-turn1-unknown-model') },
  'a sub-agent of Codex': { path: '/v1/responses', ...recorded('codex-subagent') },
  'Claude Code': { path: '/v1/messages?beta=true', ...recorded('claude-turn1-opus') },
  'a sub-agent of Claude Code': { path: '/v1/messages?beta=true', ...recorded('claude-subagent') },
  opencode: { path: '/v1/chat/completions', ...recorded('opencode-claude-turn2') },
};

type Agent = keyof typeof AGENTS;

interface Group {
  readonly group: string;
  readonly total: { readonly net_charge_nano_usd: string };
}

interface Sending {
  /** By a body in chunks, which node:http reads instead of the reader of plain requests. */
  readonly inChunks?: boolean;
  readonly fields?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

async function send(agent: Agent, { inChunks = false, fields = {}, headers = {} }: Sending = {}): Promise<Response> {
  const { path, ...request } = AGENTS[agent];
  const body = Buffer.from(JSON.stringify({ ...request.body, model: 'gpt', ...fields }));
  const all = { ...headersOf(request), ...headers };
  if (!inChunks) return await gateway.post(path, body, { headers: all });
  const stream = new Blob([body]).stream();
  return await gateway.post(path, stream as unknown as Buffer<ArrayBuffer>, { headers: all, duplex: 'half' } as object);
}

function answer(): void {
  gateway.script(streaming(text('hi'), finish(), usageChunk()));
}

async function receiptOf(response: Response) {
  await response.text();
  return await gateway.program.admin.showReceipt(response.headers.get('x-request-id') ?? '');
}

test.each([
  ['codex', 'session-id'],
  ['a sub-agent of Codex', 'session-id'],
  ['Claude Code', 'x-claude-code-session-id'],
  ['a sub-agent of Claude Code', 'x-claude-code-session-id'],
  ['opencode', 'x-session-id'],
] as const)('the receipt of a request of %s names its session, sent plainly or in chunks', async (agent, header) => {
  answer();
  const session = AGENTS[agent].headers[header];
  for (const inChunks of [false, true]) {
    const response = await send(agent, { inChunks });
    expect(response.status).toBe(200);
    expect(await receiptOf(response)).toMatchObject({ session, retry: false });
  }
});

test('what of a request was left out is on the receipt as in the header, and nothing of one that was sent as it is', async () => {
  answer();
  const response = await send('codex');
  const named = response.headers.get('x-faregate-left-out');
  expect(named).toBe('web_search');
  expect(await receiptOf(response)).toMatchObject({ left_out: ['web_search'] });
  const claude = await send('Claude Code');
  const names = claude.headers.get('x-faregate-left-out')?.split(', ');
  expect(names).toContain('cache_control');
  expect(await receiptOf(claude)).toMatchObject({ left_out: names });
  const chat = await gateway.chat({ stream: true });
  expect(await receiptOf(chat)).toMatchObject({ session: null, left_out: [], retry: false });
});

test('a session is named by any of four headers, the first valid one, and an invalid one is no session', async () => {
  gateway.script(answering(200, completion()));
  const named = async (headers: Record<string, string>): Promise<string | null> =>
    (await receiptOf(await gateway.chat({}, { headers }))).session;
  const longest = 'x'.repeat(128);
  expect(await named({ session_id: 'mine' })).toBe('mine');
  expect(await named({ 'session-id': longest, session_id: 'mine' })).toBe(longest);
  expect(await named({ 'session-id': `${longest}x`, 'x-claude-code-session-id': 'theirs' })).toBe('theirs');
  expect(await named({ 'x-claude-code-session-id': 'theirs', 'x-session-id': 'another' })).toBe('theirs');
  expect(await named({ 'session-id': '' })).toBeNull();
  expect(await named({ 'session-id': 'é' })).toBeNull();
  expect(await named({ 'thread-id': 'a', 'x-client-request-id': 'b' })).toBeNull();
});

test('a request with the body of one that failed counts as a retry; a copy without a stream is another request', async () => {
  const codex = { fields: { prompt_cache_key: 'a retried one' } };
  const claude = { fields: { metadata: { user_id: 'a retried one' } } };
  gateway.script(answering(500, { error: { message: 'no' } }));
  const failed = [await send('codex', codex), await send('Claude Code', claude)];
  expect(failed.map(({ status }) => status)).toEqual([503, 503]);
  answer();
  expect(await receiptOf(await send('codex', { inChunks: true, ...codex }))).toMatchObject({ retry: true });
  expect(await receiptOf(await send('codex', codex))).toMatchObject({ retry: false });
  gateway.script(answering(200, completion()));
  const copy = { fields: { ...claude.fields, stream: false, max_tokens: 64_000 } };
  expect(await receiptOf(await send('Claude Code', copy))).toMatchObject({ retry: false });
  answer();
  expect(await receiptOf(await send('Claude Code', claude))).toMatchObject({ retry: true });
  expect(await gateway.metric('faregate_retries_total{dialect="responses",after="failed"}')).toBe(1);
  expect(await gateway.metric('faregate_retries_total{dialect="messages",after="failed"}')).toBe(1);
});

test('the key that made a request reads the same on its receipt', async () => {
  answer();
  const response = await send('codex');
  const shown = await receiptOf(response);
  const own = await fetch(`${gateway.url}/v1/receipts/${shown.request_id}`, {
    headers: { authorization: `Bearer ${gateway.key}` },
  });
  expect(await own.json()).toMatchObject({ session: shown.session, left_out: ['web_search'], retry: false });
});

test('the commands find and add up the requests of a session', async () => {
  answer();
  const session = 'a session of its own';
  const headers = { 'session-id': session };
  const sent = [await send('codex', { headers }), await send('codex', { headers, inChunks: true })];
  const charges = await Promise.all(sent.map(async (each) => BigInt((await receiptOf(each)).charge_nano_usd)));
  const { program } = gateway;
  const { id: workspace } = gateway.account.workspace;
  const listed = await program.json<{ data: readonly { session: string }[] }>(
    'requests',
    workspace,
    '--session',
    session,
  );
  expect(listed.data.map((each) => each.session)).toEqual([session, session]);
  const usage = await program.json<{ groups: readonly Group[] }>('usage', workspace, '--by', 'session');
  const group = usage.groups.find((each) => each.group === session);
  expect(BigInt(group?.total.net_charge_nano_usd ?? 0)).toBe(charges.reduce((sum, charge) => sum + charge, 0n));
});
