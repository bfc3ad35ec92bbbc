import { expect, test } from 'vitest';
import { LARGE_BYTES } from '../../lib/own-turn.ts';
import { DatabaseUnavailable } from '../../lib/sql.ts';
import { StageCaller } from '../../../test/support/gate-stage.ts';
import type { Principal } from '../../domain/principal.ts';
import { isRefusal } from '../../domain/refusals.ts';
import { turnsOf } from '../../../test/support/turns-of.ts';
import type { GatewayDeps } from './gateway-deps.ts';
import { interpret } from './read.ts';
import { recall, resolveReferences } from './recall.ts';
import type { ResponseStore } from './response-store.ts';

const PRINCIPAL = { workspaceId: 'w' } as Principal;

/** The result of `recall` for a body with such a store. */
async function recalled(body: object, store: Partial<ResponseStore>, { canReserve = true, bytesMax = 1_000_000 } = {}) {
  const reserved: number[] = [];
  const caller = Object.assign(new StageCaller({}), {
    bodyBytesMax: bytesMax,
    reserve: (bytes: number) => {
      reserved.push(bytes);
      return canReserve;
    },
  });
  const parsed = interpret(caller, Buffer.from(JSON.stringify({ model: 'm', ...body })), 'responses');
  if (isRefusal(parsed)) throw new Error(parsed.message);
  const result = await recall(
    { responses: { keepMs: 1_000, keepsFor: () => store.keepMs !== 0, ...store } } as GatewayDeps,
    caller,
    PRINCIPAL,
    parsed,
  );
  if (isRefusal(result)) return { refusal: result, reserved };
  return {
    reserved,
    input: (JSON.parse(String(result.request.body)) as { input: unknown }).input,
    keeping: result.keeping,
  };
}

const NEXT = { previous_response_id: 'resp_1', input: 'more' };
const CHAIN = { items: [Buffer.from('{"role":"us'), Buffer.from('er"}')], requestIds: ['zeroth', 'first', 'second'] };

test('a request is what it goes on from, and then its own', async () => {
  const result = await recalled(NEXT, { findChain: () => Promise.resolve(CHAIN) });
  expect(result.input).toEqual([{ role: 'user' }, { role: 'user', content: 'more' }]);
  expect(result.keeping).toEqual({ previousRequestId: 'second', goesOnFrom: ['zeroth', 'first', 'second'] });
});

test('a request’s answer is kept as long as those whose items it refers to, and all are gone on from', async () => {
  const items = new Map([['msg_1', Buffer.from('{"role":"assistant"}')]]);
  const findItems = () => Promise.resolve({ items, requestIds: ['third', 'fourth'] });
  const referring = { input: [{ type: 'item_reference', id: 'msg_1' }] };
  const both = await recalled({ ...NEXT, ...referring }, { findChain: () => Promise.resolve(CHAIN), findItems });
  const goesOnFrom = ['zeroth', 'first', 'second', 'third', 'fourth'];
  expect(both.keeping).toEqual({ previousRequestId: 'second', goesOnFrom });
  expect(both.input).toEqual([{ role: 'user' }, { role: 'assistant' }]);
  const alone = await recalled(referring, { findItems });
  expect(alone.keeping).toEqual({ previousRequestId: null, goesOnFrom: ['third', 'fourth'] });
});

test('a request of a workspace that has as much as it may goes on from what is kept, and is not', async () => {
  const full = { findChain: () => Promise.resolve(CHAIN), keepsFor: (workspaceId: string) => workspaceId !== 'w' };
  const result = await recalled(NEXT, full);
  expect([result.input, result.keeping]).toEqual([[{ role: 'user' }, { role: 'user', content: 'more' }], null]);
});

test('a request that refers to nothing asks no store, and is kept only if its caller and the operator wish it', async () => {
  expect((await recalled({ input: 'hi' }, {})).keeping).toEqual({ previousRequestId: null, goesOnFrom: [] });
  expect((await recalled({ input: 'hi', store: false }, {})).keeping).toBeNull();
  expect((await recalled({ input: 'hi' }, { keepMs: 0 })).keeping).toBeNull();
});

test.each([
  [NEXT, 'previous_response_id'],
  [
    {
      input: [
        { role: 'user', content: 'hi' },
        { type: 'item_reference', id: 'msg_1' },
      ],
    },
    'input[1]',
  ],
])('if nothing is kept, a reference is refused with what to send instead: %j', async (body, param) => {
  const { refusal } = await recalled(body, { keepMs: 0 });
  const what = param === 'previous_response_id' ? 'a response' : 'an earlier answer';
  const message = `'${param}' refers to ${what}, and none are kept here; send the whole conversation in 'input'.`;
  expect(refusal).toEqual({ kind: 'refusal', code: 'INVALID_REQUEST', message, param });
});

test('while the database is away, a request that goes on from a response is refused, and worth sending again', async () => {
  const { refusal } = await recalled(NEXT, { findChain: () => Promise.reject(new DatabaseUnavailable('away')) });
  const message = 'Responses could not be read. Nothing was charged; try again in a moment.';
  expect(refusal).toEqual({ kind: 'refusal', code: 'SERVICE_UNAVAILABLE', message, param: null, retryAfterMs: 1_000 });
  const bug = new Error('a bug');
  await expect(recalled(NEXT, { findChain: () => Promise.reject(bug) })).rejects.toBe(bug);
});

test('a conversation for which there is no memory is refused, and worth sending again', async () => {
  const found = { findChain: () => Promise.resolve(CHAIN) };
  const { refusal, reserved } = await recalled(NEXT, found, { canReserve: false });
  const message = 'Too many large requests are being served. Try again in a moment.';
  expect(refusal).toEqual({ kind: 'refusal', code: 'SERVICE_UNAVAILABLE', message, param: null, retryAfterMs: 1_000 });
  expect(reserved).toEqual([bytesOf(NEXT) + 15]);
});

const bytesOf = (body: object): number => JSON.stringify({ model: 'm', ...body }).length;
const ITEM = Buffer.from('{"role":"user"}');
/** Refers to one item twice. */
const TWICE = { input: ['msg_1', 'msg_1'].map((id) => ({ type: 'item_reference', id })) };

test('a conversation may be as long as a request’s body, with all that it refers to as often as it does', async () => {
  const asked: unknown[] = [];
  const store = {
    findChain: (...which: unknown[]) => {
      asked.push(which);
      return Promise.resolve(CHAIN);
    },
    findItems: (...which: unknown[]) => {
      asked.push(which);
      return Promise.resolve({ items: new Map([['msg_1', ITEM]]), requestIds: ['third'] });
    },
  };
  const body = { ...NEXT, ...TWICE };
  const bytesMax = bytesOf(body) + 3 * ITEM.length;
  const { input, reserved } = await recalled(body, store, { bytesMax });
  expect(input).toEqual(Array.from({ length: 3 }, () => ({ role: 'user' })));
  expect(reserved).toEqual([bytesMax]);
  expect(asked).toEqual([
    ['w', 'resp_1', 3 * ITEM.length],
    ['w', ['msg_1', 'msg_1'], 3 * ITEM.length],
  ]);
  const longer = await recalled(body, store, { bytesMax: bytesMax - 1 });
  expect(longer).toEqual({ refusal: tooLong('previous_response_id', bytesMax - 1), reserved: [] });
});

const tooLong = (param: string, bytesMax: number) => ({
  kind: 'refusal',
  code: 'INVALID_REQUEST',
  message: `The conversation that '${param}' goes on from makes the request longer than ${bytesMax} bytes.`,
  param,
});

test('a conversation that its store finds too long is refused as one, by what of it was named', async () => {
  const chain = await recalled(NEXT, { findChain: () => Promise.resolve('too_large') });
  expect(chain).toEqual({ refusal: tooLong('previous_response_id', 1_000_000), reserved: [] });
  const items = await recalled(TWICE, { findItems: () => Promise.resolve('too_large') });
  expect(items).toEqual({ refusal: tooLong('input[0]', 1_000_000), reserved: [] });
});

test('what a request goes on from and is not there is named, as far as it is worth repeating', async () => {
  const long = `resp_\ud800${'x'.repeat(200)}`;
  const shown = `resp_\ufffd${'x'.repeat(94)}`;
  const missing = await recalled(
    { ...NEXT, previous_response_id: long },
    { findChain: () => Promise.resolve('missing') },
  );
  expect(missing.refusal).toEqual({
    kind: 'refusal',
    code: 'NOT_FOUND',
    message: `Previous response with id '${shown}' not found.`,
    param: 'previous_response_id',
  });
  const input = [{ role: 'user', content: 'hi' }, ...TWICE.input, { type: 'item_reference', id: 'msg_2' }];
  const items = new Map([['msg_1', ITEM]]);
  const item = await recalled({ input }, { findItems: () => Promise.resolve({ items, requestIds: [] }) });
  expect(item.refusal).toEqual({
    kind: 'refusal',
    code: 'NOT_FOUND',
    message: "Item with id 'msg_2' not found.",
    param: 'input[3]',
  });
});

test('a conversation of more than a mebibyte waits for a turn of its own to be put together', async () => {
  for (const [bytes, turns] of [
    [LARGE_BYTES, 0],
    [LARGE_BYTES + 1, 1],
  ] as const) {
    const content = 'x'.repeat(bytes - '{"role":"user","content":""}'.length);
    const items = [Buffer.from(JSON.stringify({ role: 'user', content }))];
    const found = { findChain: () => Promise.resolve({ items, requestIds: ['first'] }) };
    expect(await turnsOf(() => recalled(NEXT, found, { bytesMax: 2 * LARGE_BYTES }))).toBe(turns);
  }
});

test('a request that can’t be what it was with what it goes on from is refused for that', async () => {
  const fault = { message: 'too many items', param: 'input' };
  const resolve = () => ({ ok: false as const, fault });
  const answerOf = () => {
    throw new Error('it has no answer');
  };
  const kept = { mayBeKept: true, references: null, resolve, answerOf };
  const responses = { keepMs: 1, keepsFor: () => true, findChain: () => Promise.resolve(CHAIN) };
  const references = { previous: 'resp_1', items: [] };
  const body = { received: Buffer.alloc(9), kept, references };
  const gate = { responses } as unknown as GatewayDeps;
  expect(await resolveReferences(gate, new StageCaller({}), PRINCIPAL, body)).toEqual({
    kind: 'refusal',
    code: 'INVALID_REQUEST',
    ...fault,
  });
});
