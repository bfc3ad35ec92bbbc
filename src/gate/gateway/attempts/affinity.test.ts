import { expect, test } from 'vitest';
import type { CompletionEndpoint } from '../../dialects/dialect.ts';
import { DIALECTS } from '../../dialects/dialects.ts';
import type { Model, Route } from '../../../domain/model.ts';
import { affinityOf } from './affinity.ts';
import { routeOrder } from './route-order.ts';

const ROUTES: readonly Route[] = [
  { provider: 'a', upstreamModel: 'm', weight: 5 },
  { provider: 'b', upstreamModel: 'm', weight: 3 },
  { provider: 'c', upstreamModel: 'm', weight: 2 },
];

const rates = (cached: bigint) => ({ input: 100n, cached_input: cached });
const modelOf = (cached = 10n, routes = ROUTES): Model =>
  ({ routes, terms: { price: { rates: rates(cached), tiers: [] } } }) as unknown as Model;

interface Asked {
  readonly endpoint?: CompletionEndpoint;
  readonly body: object;
  readonly session?: string;
  readonly workspaceId?: string;
  readonly model?: Model;
}

/** The providers in the order in which they are tried; null if it is left to chance. */
function orderOf({ endpoint = 'chat', body, session, workspaceId = 'w', model = modelOf() }: Asked) {
  const read = DIALECTS[endpoint].read(Buffer.from(JSON.stringify({ model: 'm', ...body })), {});
  if (!read.ok) throw new Error(JSON.stringify(read.fault));
  const admission = { parsed: { request: read.request }, model, principal: { workspaceId } };
  const affinity = affinityOf({ session: session ?? null }, admission as never);
  return affinity === null ? null : routeOrder(model.routes, affinity.lotOf).map(({ provider }) => provider);
}

/** How many orders these requests are tried in. */
const ordersOf = (asked: readonly Asked[]): number => new Set(asked.map((each) => orderOf(each)?.join())).size;

const COUNT = 64;
const numbers = Array.from({ length: COUNT }, (_, index) => String(index));
const user = (content: string) => ({ role: 'user', content });
const said = (content: string) => ({ role: 'assistant', content });

test.each<[string, (name: string, text: string) => Asked]>([
  ['an agent’s session', (session, text) => ({ session, body: { messages: [user(text)] } })],
  ['the key of the cache', (key, text) => ({ body: { prompt_cache_key: key, messages: [user(text)] } })],
  [
    'the key of the cache of the Responses API',
    (key, text) => ({ endpoint: 'responses', body: { input: text, prompt_cache_key: key } }),
  ],
  [
    'the user of the metadata',
    (name, text) => ({ body: { messages: [user(text)], metadata: { a: 1, user_id: name } } }),
  ],
  [
    'the user of the metadata of the Messages API',
    (name, text) => ({
      endpoint: 'messages',
      body: { max_tokens: 9, metadata: { user_id: name }, messages: [user(text)] },
    }),
  ],
  [
    'the beginning of a conversation',
    (name, text) => ({
      body: { messages: [{ role: 'system', content: 'be kind' }, user(name), said(text), user(text)] },
    }),
  ],
  [
    'the beginning of a conversation in the Messages API',
    (name, text) => ({
      endpoint: 'messages',
      body: { max_tokens: 9, messages: [user('hi'), said(text), user(text)], system: name },
    }),
  ],
  [
    'the beginning of a conversation in the Responses API',
    (name, text) => ({
      endpoint: 'responses',
      body: { instructions: 'x', input: [user(name), said(text), user(text)] },
    }),
  ],
  [
    'the beginning of a conversation behind a long prompt',
    (name, text) => ({
      body: { messages: [{ role: 'system', content: 's'.repeat(100_000) }, user(name), said(text), user(text)] },
    }),
  ],
  [
    'the user of metadata that says more after it',
    (name, text) => ({ body: { messages: [user('hi')], metadata: { user_id: name, at: text } } }),
  ],
  ['the beginning of an old completion', (name) => ({ endpoint: 'completions', body: { prompt: name } })],
])('requests with %s in common are tried in one order, and others in others', (_what, ask) => {
  expect(ordersOf(numbers.map((text) => ask('one', text)))).toBe(1);
  expect(ordersOf(numbers.map((name) => ask(name, 'one')))).toBe(6);
});

test('a conversation stays where it began as it grows', () => {
  const turns = Array.from({ length: 40 }, (_, turn) => (turn % 2 === 0 ? user(`turn ${turn}`) : said(`turn ${turn}`)));
  const conversation = (length: number): Asked => ({ body: { messages: turns.slice(0, length) } });
  expect(ordersOf(Array.from({ length: 20 }, (_, turn) => conversation(2 * turn + 1)))).toBe(1);
});

test('conversations are spread by weight', () => {
  const shares = new Map<string, number>();
  for (let at = 0; at < 4_000; at++) {
    const first = orderOf({ body: { messages: [user(`conversation ${at}`)] } })?.[0] ?? '';
    shares.set(first, (shares.get(first) ?? 0) + 1 / 4_000);
  }
  for (const { provider, weight = 0 } of ROUTES) {
    expect(Math.abs((shares.get(provider) ?? 0) - weight / 10)).toBeLessThan(0.03);
  }
});

test('workspaces that send the same are spread on their own', () => {
  expect(
    ordersOf(numbers.map((workspaceId) => ({ workspaceId, session: 's', body: { messages: [user('hi')] } }))),
  ).toBe(6);
});

test('nothing binds where nothing is cheaper for being cached', () => {
  const body = { messages: [user('hi')] };
  expect(orderOf({ body, model: modelOf(100n) })).toBeNull();
  const cheaper = ROUTES.map((route) => ({ ...route, cost: { rates: rates(50n), tiers: [] } }) as unknown as Route);
  expect(orderOf({ body, model: modelOf(100n, cheaper) })).not.toBeNull();
  expect(orderOf({ endpoint: 'embeddings', body: { input: 'hi' } })).toBeNull();
});

test('what is no text, and what is very long, binds by its beginning', () => {
  const odd = [{ prompt_cache_key: null }, { metadata: null }, { metadata: { user_id: null } }];
  expect(ordersOf(odd.map((fields) => ({ body: { ...fields, messages: [user('hi')] } })))).toBe(1);
  for (const length of [20_000, 2_000_000]) {
    const long = (end: string): Asked => ({ body: { messages: [user('x'.repeat(length) + end)] } });
    expect(ordersOf(numbers.slice(0, 8).map(long))).toBe(1);
  }
  const begun = (start: string): Asked => ({ body: { messages: [user(start + 'x'.repeat(200_000))] } });
  expect(ordersOf(numbers.map(begun))).toBe(6);
});
