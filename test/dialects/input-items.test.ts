import OpenAI from 'openai';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Gateway } from '../wire/gateway.ts';
import { answering } from '../wire/upstream-scripts.ts';

// The items that a kept response was made from, listed by OpenAI's own SDK and by requests as they stand.

let gateway: Gateway;
let client: OpenAI;
let made = 0;

beforeAll(async () => {
  gateway = await Gateway.start({
    more: (origin) => ({
      providers: `
  openai: { kind: openai, profile: openai, base_url: "${origin}/openai/v1" }`,
      models: `
  - id: gpt
    routes: [{ provider: openai, model: theirs }]
    price: { input: "1", output: "10" }
    context_window: 100000
    max_output: 400`,
    }),
  });
  client = new OpenAI({ apiKey: gateway.key, baseURL: `${gateway.url}/v1`, maxRetries: 0 });
});

afterAll(() => gateway?.stop());

const USAGE = { input_tokens: 7, output_tokens: 5, total_tokens: 12 };

/** Has the model answer with these items, or one message; the id of the response. */
async function respond(fields: object, output?: readonly object[]): Promise<string> {
  const id = `resp_${(made += 1)}`;
  const said = { type: 'message', id: `msg_of_${id}`, role: 'assistant', status: 'completed', content: [] };
  const answer = { id, object: 'response', status: 'completed', error: null, output: output ?? [said], usage: USAGE };
  gateway.script(answering(200, answer));
  const response = await gateway.post('/v1/responses', JSON.stringify({ model: 'gpt', ...fields }));
  expect(response.status).toBe(200);
  return id;
}

function get(path: string, key = gateway.key, method = 'GET'): Promise<Response> {
  return fetch(`${gateway.url}/v1/responses/${path}`, { method, headers: { authorization: `Bearer ${key}` } });
}

const textOf = (item: object): string => (item as { content: [{ text: string }] }).content[0].text;
const idsOf = (items: readonly { id?: string }[]): readonly (string | undefined)[] => items.map(({ id }) => id);

test("OpenAI's SDK lists all items page by page, the latest first or the earliest, each once", async () => {
  const input = Array.from({ length: 45 }, (_, n) => ({ role: 'user' as const, content: `number ${n}` }));
  const id = await respond({ input });
  const texts = async (query: object): Promise<readonly string[]> => {
    const items = await Array.fromAsync(client.responses.inputItems.list(id, query));
    return items.map(textOf);
  };
  const inOrder = input.map(({ content }) => content);
  expect(await texts({})).toEqual(inOrder.toReversed());
  for (const limit of [1, 7, 44, 45, 100]) expect(await texts({ limit, order: 'asc' })).toEqual(inOrder);
  const page = await client.responses.inputItems.list(id);
  expect([page.data.length, page.has_more]).toEqual([20, true]);
});

test('a text and a message without a type are listed in full, and every item has an id that stays the same', async () => {
  const call = { type: 'function_call', id: 'fc_1', call_id: 'c', name: 'f', arguments: '{"n":12345678901234567890}' };
  const output = { type: 'function_call_output', call_id: 'c', output: '12345678901234567890', status: 'completed' };
  const input = [{ role: 'user', content: 'hi' }, { role: 'assistant', content: 'yes?' }, call, output];
  const id = await respond({ input });
  const query: OpenAI.Responses.InputItemListParams = { order: 'asc', include: ['reasoning.encrypted_content'] };
  const { data } = await client.responses.inputItems.list(id, query);
  expect(data).toEqual([
    {
      type: 'message',
      id: expect.any(String),
      status: 'completed',
      role: 'user',
      content: [{ type: 'input_text', text: 'hi' }],
    },
    {
      type: 'message',
      id: expect.any(String),
      status: 'completed',
      role: 'assistant',
      content: [{ type: 'output_text', text: 'yes?', annotations: [], logprobs: [] }],
    },
    call,
    { ...output, id: expect.any(String) },
  ]);
  expect(new Set(idsOf(data as { id?: string }[])).size).toBe(4);
  expect((await client.responses.inputItems.list(id, query)).data).toEqual(data);
  const list = (await (await get(`${id}/input_items?order=asc&limit=2`)).json()) as Record<string, unknown>;
  const [first, second] = idsOf(data);
  expect(list).toMatchObject({ object: 'list', first_id: first, last_id: second, has_more: true });
  const last = await (await get(`${id}/input_items?after=${first}`)).json();
  expect(last).toEqual({ object: 'list', data: [], first_id: null, last_id: null, has_more: false });
});

test('what a response goes on from is listed before its own items, with the same ids, and its own answer is not', async () => {
  const first = await respond({ input: 'one' });
  const second = await respond({ input: 'two', previous_response_id: first });
  const third = await respond({
    input: [{ type: 'item_reference', id: `msg_of_${first}` }],
    previous_response_id: second,
  });
  const list = async (id: string) =>
    (await client.responses.inputItems.list(id, { order: 'asc' })).data as { id: string; role: string }[];
  const items = await list(third);
  expect(items.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant', 'assistant']);
  expect(idsOf(items).filter((each) => each?.startsWith('msg_of_'))).toEqual(
    [first, second, first].map((each) => `msg_of_${each}`),
  );
  expect(await list(second)).toEqual(items.slice(0, 3));
  expect(await list(first)).toEqual(items.slice(0, 1));
  expect((await get(first, gateway.key, 'DELETE')).status).toBe(200);
  expect(await list(second)).toEqual(items.slice(2, 3));
});

test('a response of another workspace, a deleted one and one that never was have no items to list', async () => {
  const id = await respond({ input: 'a secret' });
  const stranger = await gateway.openAccount({ credit: 1_000_000n });
  for (const [path, key] of [
    [`${id}/input_items`, stranger],
    ['resp_never/input_items', gateway.key],
    ['%00/input_items', gateway.key],
  ] as const) {
    const response = await get(path, key);
    expect(response.status).toBe(404);
    expect(await response.text()).not.toContain('secret');
  }
  const kept = await respond({ input: 'x', store: false });
  expect((await get(`${kept}/input_items`)).status).toBe(404);
  expect((await get(`${id}/input_items`)).status).toBe(200);
  await get(id, gateway.key, 'DELETE');
  await expect(client.responses.inputItems.list(id)).rejects.toBeInstanceOf(OpenAI.NotFoundError);
  expect((await get(`${id}/input_items`, 'fg_live_nobody')).status).toBe(401);
});

test.each([
  ['limit', 'limit=0'],
  ['limit', 'limit=101'],
  ['limit', 'limit=ten'],
  ['limit', 'limit='],
  ['order', 'order=up'],
  ['after', 'after=msg_elsewhere'],
])('a list of items with a wrong %s is refused by its name: %s', async (param, query) => {
  const id = await respond({ input: 'hi' });
  const response = await get(`${id}/input_items?${query}`);
  expect(response.status).toBe(400);
  expect(await response.json()).toMatchObject({ error: { code: 'INVALID_REQUEST', param } });
});

test('items are only read, and the id that a list gives an item names it nowhere else', async () => {
  const id = await respond({ input: 'hi' });
  const deleted = await get(`${id}/input_items`, gateway.key, 'DELETE');
  expect([deleted.status, deleted.headers.get('allow')]).toEqual([405, 'GET']);
  const [item] = (await client.responses.inputItems.list(id)).data as { id: string }[];
  const body = { model: 'gpt', input: [{ type: 'item_reference', id: item?.id }] };
  const response = await gateway.post('/v1/responses', JSON.stringify(body));
  expect(response.status).toBe(404);
  expect(await response.json()).toMatchObject({ error: { param: 'input[0]' } });
});
