import { afterAll, beforeAll, expect, test } from 'vitest';
import { framesOf } from '../support/event-frames.ts';
import { eventually } from '../support/eventually.ts';
import type { Tenant } from '../support/tenant.ts';
import { openShop, receiptOf, type Shop } from './shop.ts';

// Each answer names its charge, as its receipt has it; and operators find a workspace's requests.

let shop: Shop;
let tenant: Tenant;
let keys = 0;

beforeAll(async () => {
  shop = await openShop();
  tenant = await shop.program.createTenant();
});

afterAll(() => shop.program.dispose());

const CHAT = { model: 'chat', messages: [{ role: 'user', content: 'hi' }], max_tokens: 100 };
const STREAM = { ...CHAT, stream: true };
const END = /\n\n: faregate-charge (\S+)\ndata: \[DONE\]\n\n$/;

/** A decimal of USD in nano-USD. */
function nano(usd: string | null | undefined): bigint {
  const [whole = '', fraction = ''] = (usd ?? '').split('.');
  return BigInt(`${whole}${fraction.padEnd(9, '0')}`);
}

function freshKey(): Record<string, string> {
  keys += 1;
  return { 'idempotency-key': `charge-${keys}` };
}

test.each([
  ['a chat', 'chat/completions', CHAT],
  ['embeddings', 'embeddings', { model: 'embed', input: 'hello' }],
])('the answer to %s has the charge of its receipt in a header', async (_what, path, body) => {
  const answered = await shop.post(path, tenant.key, body);
  await answered.text();

  const { charge } = await receiptOf(shop, tenant.key, answered);
  expect(charge).toBeGreaterThan(0n);
  expect(nano(answered.headers.get('x-faregate-charge'))).toBe(charge);
});

test('a stream has the charge of its receipt in a comment before its end', async () => {
  const answered = await shop.post('chat/completions', tenant.key, STREAM);
  const text = await answered.text();

  const { charge } = await receiptOf(shop, tenant.key, answered);
  expect(charge).toBeGreaterThan(0n);
  expect(nano(END.exec(text)?.[1])).toBe(charge);
  expect(answered.headers.get('x-faregate-charge')).toBeNull();
});

test('an answer that costs nothing has a charge of zero', async () => {
  const answered = await shop.post('chat/completions', tenant.key, { ...CHAT, model: 'free' });
  await answered.text();

  expect(answered.headers.get('x-faregate-charge')).toBe('0.00');
});

test('a refusal has no charge', async () => {
  const refused = await shop.post('chat/completions', tenant.key, { ...CHAT, model: 'none' });

  expect(refused.status).toBe(404);
  expect(refused.headers.get('x-faregate-charge')).toBeNull();
});

test('a replayed answer has the charge of the request that ran, though it is charged nothing itself', async () => {
  for (const body of [CHAT, STREAM]) {
    const key = freshKey();
    const first = await shop.post('chat/completions', tenant.key, body, key);
    const text = await first.text();
    const repeat = await shop.post('chat/completions', tenant.key, body, key);

    expect(await repeat.text()).toBe(text);
    expect(repeat.headers.get('x-faregate-replayed')).toBe(first.headers.get('x-request-id'));
    expect(repeat.headers.get('x-faregate-charge')).toBe(first.headers.get('x-faregate-charge'));
    expect(first.headers.has('x-faregate-charge')).toBe(body === CHAT);
    expect(END.test(text)).toBe(body === STREAM);
  }
});

const WITH_USAGE = { ...STREAM, stream_options: { include_usage: true } };
const MESSAGE = { ...CHAT };
const RESPONSE = { model: 'chat', input: 'hi', max_output_tokens: 100 };
const COST_WANTED = { 'x-faregate-report-cost': 'true' };

/** Each `usage` with a cost of an answer or of the events of a stream. */
function costsIn(text: string): readonly unknown[] {
  const payloads = text.startsWith('{') ? [text] : framesOf(text).map(({ data }) => data);
  return payloads
    .filter((payload) => payload !== '[DONE]')
    .map((payload) => JSON.parse(payload) as { usage?: { cost?: unknown }; response?: { usage?: { cost?: unknown } } })
    .flatMap(({ usage, response }) => usage?.cost ?? response?.usage?.cost ?? []);
}

/** An answer without its cost, without the usage that was made for it, and without what differs from call to call. */
function comparable(text: string): string {
  return text
    .replace(/,"cost":"[\d.]+"/, '')
    .replace(/,"usage":\{"prompt_tokens":\d+,"completion_tokens":\d+,"total_tokens":\d+\}(?=\}\n\n: faregate)/, '')
    .replaceAll(/"(id|item_id|call_id)":"[^"]*"/g, '"id"')
    .replaceAll(/"(created|created_at|completed_at)":\d+/g, '"at"');
}

test.each<[string, string, object]>([
  ['a chat', 'chat/completions', CHAT],
  ['a streamed chat', 'chat/completions', STREAM],
  ['a streamed chat with usage', 'chat/completions', WITH_USAGE],
  ['a message', 'messages', MESSAGE],
  ['a streamed message', 'messages', { ...MESSAGE, stream: true }],
  ['a response', 'responses', RESPONSE],
  ['a streamed response', 'responses', { ...RESPONSE, stream: true }],
  ['embeddings', 'embeddings', { model: 'embed', input: 'hello' }],
])(
  'a caller that wants it gets the charge of the receipt as usage.cost, and every other byte as without: %s',
  async (_what, path, body) => {
    const plain = await shop.post(path, tenant.key, body);
    const answered = await shop.post(path, tenant.key, body, COST_WANTED);
    const text = await answered.text();
    const { charge } = await receiptOf(shop, tenant.key, answered);
    expect(charge).toBeGreaterThan(0n);
    const costs = costsIn(text);
    expect(costs).toEqual([expect.stringMatching(/^\d+\.\d+$/)]);
    expect(nano(String(costs[0]))).toBe(charge);
    const without = await plain.text();
    expect(costsIn(without)).toEqual([]);
    expect(comparable(text)).toBe(comparable(without));
  },
);

test('a project’s setting puts the cost into answers, unless a request says otherwise; a repeat has the first’s', async () => {
  const { key, projectId } = await shop.program.createTenant({ project: { report_cost: true } });
  const refused = { 'x-faregate-report-cost': 'false' };
  for (const body of [CHAT, STREAM]) {
    const repeatable = freshKey();
    const first = await (await shop.post('chat/completions', key, body, repeatable)).text();
    expect(costsIn(first)).toHaveLength(1);
    const repeat = await shop.post('chat/completions', key, body, { ...repeatable, ...refused });
    expect(await repeat.text()).toBe(first);
    expect(costsIn(await (await shop.post('chat/completions', key, body, refused)).text())).toEqual([]);
  }
  await shop.program.admin.updateProject(projectId, { report_cost: false });
  await eventually(async () => {
    expect(costsIn(await (await shop.post('chat/completions', key, CHAT)).text())).toEqual([]);
  });
});

test('a header that neither wants the cost nor refuses it is refused', async () => {
  const answered = await shop.post('chat/completions', tenant.key, CHAT, { 'x-faregate-report-cost': 'yes' });
  expect(answered.status).toBe(400);
  expect(await answered.json()).toMatchObject({ error: { code: 'INVALID_REQUEST', param: 'x-faregate-report-cost' } });
});

async function pay(key: string, body: object = {}): Promise<string> {
  const response = await shop.post('chat/completions', key, { ...CHAT, ...body });
  await response.text();
  expect(response.status).toBe(200);
  return response.headers.get('x-request-id') ?? '';
}

test('the requests of a workspace are listed newest first, and found by key, project, model and charge', async () => {
  const { key, keyId, projectId, workspaceId } = await shop.program.createTenant();
  const sibling = await shop.program.admin.createKey(projectId, {});
  const ids = [await pay(key), await pay(key, { model: 'free' }), await pay(sibling.key)];
  const { admin } = shop.program;
  const found = async (query: Parameters<typeof admin.listReceipts>[1]): Promise<readonly string[]> =>
    (await admin.listReceipts(workspaceId, query)).data.map((each) => each.request_id);

  expect(await found({})).toEqual(ids.toReversed());
  expect(await found({ key: keyId })).toEqual([ids[1], ids[0]]);
  expect(await found({ project: 'project', model: 'free' })).toEqual([ids[1]]);
  expect(await found({ min_charge_usd: '0.00001' })).toEqual([ids[2], ids[0]]);
  const page = await admin.listReceipts(workspaceId, { limit: 1 });
  expect(await found({ limit: 1, cursor: page.next_cursor ?? '' })).toEqual([ids[1]]);
  expect(await admin.listReceipts(workspaceId)).toMatchObject({ next_cursor: null, searched_until: null });
  const { charge_usd: charge } = await admin.showReceipt(ids[0] ?? '');
  expect(page.data[0]).toMatchObject({ charge_usd: charge, outcome: 'completed', streamed: false, usage: {} });
  await expect(found({ key: 'none' })).rejects.toThrow('There is no');
});

test('the command lists requests, and with -f prints each new one until Ctrl-C', async () => {
  const { key, workspaceId } = await shop.program.createTenant();
  const first = await pay(key);

  const listed = await shop.program.cli('requests', workspaceId, '--model', 'chat');
  expect(listed.stdout).toMatch(new RegExp(`ADMITTED.*\\n.*  chat  .*0\\.0000225.*${first}`));
  expect((await shop.program.json<{ data: unknown[] }>('requests', workspaceId, '--model', 'free')).data).toEqual([]);

  const following = await shop.program.startCli('requests', workspaceId, '-f');
  try {
    await expect.poll(following.stdout, { timeout: 60_000 }).toContain(first);
    const second = await pay(key, { model: 'free' });
    await expect.poll(following.stdout, { timeout: 60_000 }).toContain(second);
    expect(following.stdout().split(first)).toHaveLength(2);
    expect(await following.interrupt()).toBe(0);
    expect(following.stdout()).toMatch(/\n$/);
  } finally {
    await following.stop();
  }
});
