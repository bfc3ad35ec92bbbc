import { expect, test } from 'vitest';
import { DatabaseUnavailable } from '../lib/sql.ts';
import { StageCaller } from '../../test/support/gate-stage.ts';
import type { Principal } from '../domain/principal.ts';
import { isRefusal } from '../domain/refusals.ts';
import type { Gate } from './gate.ts';
import { interpret } from './read.ts';
import { recall } from './recall.ts';
import type { ResponseStore } from './response-store.ts';

const PRINCIPAL = { workspaceId: 'w' } as Principal;

/** What becomes of a request's body with such a store. */
async function recalled(body: object, store: Partial<ResponseStore>, canReserve = true) {
  const caller = new StageCaller({});
  caller.reserve = () => canReserve;
  const asked = interpret(caller, Buffer.from(JSON.stringify({ model: 'm', ...body })), 'responses');
  if (isRefusal(asked)) throw new Error(asked.message);
  const result = await recall(
    { responses: { keepMs: 1_000, keepsFor: () => store.keepMs !== 0, ...store } } as Gate,
    caller,
    PRINCIPAL,
    asked,
  );
  if (isRefusal(result)) return { refusal: result };
  return { input: (JSON.parse(String(result.request.body)) as { input: unknown }).input, keeping: result.keeping };
}

const NEXT = { previous_response_id: 'resp_1', input: 'more' };
const CHAIN = { items: [Buffer.from('{"role":"us'), Buffer.from('er"}')], requestIds: ['first', 'second'] };

test('a request is what it goes on from, and then its own', async () => {
  const result = await recalled(NEXT, { findChain: () => Promise.resolve(CHAIN) });
  expect(result.input).toEqual([{ role: 'user' }, { role: 'user', content: 'more' }]);
  expect(result.keeping).toEqual({ previousRequestId: 'second', goesOnFrom: ['first', 'second'] });
});

test('a request’s answer is kept as long as those whose items it refers to, and all are gone on from', async () => {
  const items = new Map([['msg_1', Buffer.from('{"role":"assistant"}')]]);
  const findItems = () => Promise.resolve({ items, requestIds: ['third', 'fourth'] });
  const referring = { input: [{ type: 'item_reference', id: 'msg_1' }] };
  const both = await recalled({ ...NEXT, ...referring }, { findChain: () => Promise.resolve(CHAIN), findItems });
  const goesOnFrom = ['first', 'second', 'third', 'fourth'];
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
  expect(refusal).toMatchObject({ code: 'INVALID_REQUEST', param });
  expect(refusal?.message).toContain('whole conversation');
});

test('while the database is away, a request that goes on from a response is refused, and worth sending again', async () => {
  const { refusal } = await recalled(NEXT, { findChain: () => Promise.reject(new DatabaseUnavailable('away')) });
  expect(refusal).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterMs: expect.any(Number) });
});

test('a conversation for which there is no memory is refused, and worth sending again', async () => {
  const { refusal } = await recalled(NEXT, { findChain: () => Promise.resolve(CHAIN) }, false);
  expect(refusal).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterMs: expect.any(Number) });
});
