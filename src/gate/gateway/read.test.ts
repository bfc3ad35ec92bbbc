import { expect, test } from 'vitest';
import { StageCaller } from '../../../test/support/gate-stage.ts';
import { isRefusal } from '../../domain/refusals.ts';
import type { Caller, ReadFailure } from './caller.ts';
import { isUnreadable, read } from './read.ts';

const BODY = { model: 'm', messages: [{ role: 'user', content: 'hi' }] };

type Mutable = { -readonly [Name in keyof Caller]?: Caller[Name] | undefined };

const callerWith = (fields: Mutable, body: object = BODY): Caller => Object.assign(new StageCaller(body), fields);
const bodyOf = (body: Buffer | ReadFailure): Mutable => ({ readBody: () => body });

const TYPE = {
  code: 'UNSUPPORTED_MEDIA_TYPE',
  message: 'The body must be sent as "content-type: application/json".',
  closeConnection: true,
};
const ENCODING = {
  code: 'UNSUPPORTED_MEDIA_TYPE',
  message: 'Compressed request bodies are not accepted; send it without content-encoding.',
  closeConnection: true,
};
const maxCostOf = (maxCost: string): Mutable => ({ maxCost });
const WRONG_MAX_COST = {
  code: 'INVALID_REQUEST',
  message: 'The header x-faregate-max-cost must be an amount of USD with at most nine decimals, such as 0.05.',
  param: 'x-faregate-max-cost',
};

test.each<[Mutable, object]>([
  [{ contentType: undefined }, TYPE],
  [{ contentType: 'text/plain' }, TYPE],
  [{ contentType: 'text/plain; application/json' }, TYPE],
  [{ contentEncoding: 'gzip' }, ENCODING],
  [bodyOf(Buffer.alloc(0)), { code: 'INVALID_REQUEST', message: 'The body is empty; it must be a JSON object.' }],
  [
    { ...bodyOf('too_large'), bodyBytesMax: 77 },
    { code: 'REQUEST_TOO_LARGE', message: 'The body is larger than the limit of 77 bytes.', closeConnection: true },
  ],
  [
    bodyOf('fragmented'),
    {
      code: 'INVALID_REQUEST',
      message: 'The body comes in too many small pieces; send it whole, or in pieces of a kilobyte or more.',
      closeConnection: true,
    },
  ],
  [
    bodyOf('overloaded'),
    {
      code: 'SERVICE_UNAVAILABLE',
      message: 'Too many large requests are being read. Try again in a moment.',
      closeConnection: true,
      retryAfterMs: 1_000,
    },
  ],
  [maxCostOf('-1'), WRONG_MAX_COST],
  [maxCostOf('-0'), WRONG_MAX_COST],
  [maxCostOf('a cent'), WRONG_MAX_COST],
  [maxCostOf('0.0000000001'), WRONG_MAX_COST],
  [
    { reportCost: 'yes' },
    {
      code: 'INVALID_REQUEST',
      message: 'The header x-faregate-report-cost must be true or false.',
      param: 'x-faregate-report-cost',
    },
  ],
])('a request that can’t be read is refused with the reason: %j', async (fields, refusal) => {
  expect(await read(callerWith(fields), 'chat')).toEqual({ kind: 'refusal', param: null, ...refusal });
});

test.each<[Mutable, object]>([
  [{}, { maxCost: null, reportsCost: null }],
  [{ contentType: ' Application/JSON ; charset=utf-8', contentEncoding: 'Identity' }, { maxCost: null }],
  [maxCostOf('0.05'), { maxCost: 50_000_000n }],
  [maxCostOf('0'), { maxCost: 0n }],
  [{ reportCost: 'true' }, { reportsCost: true }],
  [{ reportCost: 'false' }, { reportsCost: false }],
])('a request is read with what its headers say: %j', (fields, expected) => {
  const result = read(callerWith(fields), 'chat');
  expect(result).toMatchObject({ request: { model: 'm', dialect: { endpoint: 'chat' } }, keeping: null, ...expected });
});

test('a request whose caller has left is none, and one that comes later is read then', async () => {
  expect(read(callerWith(bodyOf('gone')), 'chat')).toBeNull();
  const later = callerWith({ readBody: () => Promise.resolve(Buffer.from(JSON.stringify(BODY))) });
  expect(await read(later, 'chat')).toMatchObject({ request: { model: 'm' } });
});

test('a body of more than a megabyte is read in a turn of its own, any other without a promise', async () => {
  const frame = JSON.stringify({ model: 'm', input: '' }).length;
  const sized = (bytes: number) => callerWith({}, { model: 'm', input: 'x'.repeat(bytes - frame) });
  const whole = read(sized(2 ** 20), 'embeddings');
  expect(whole).not.toBeInstanceOf(Promise);
  expect(isRefusal(whole)).toBe(false);
  const larger = read(sized(2 ** 20 + 1), 'embeddings');
  expect(larger).toBeInstanceOf(Promise);
  expect(await larger).toMatchObject({ request: { dialect: { endpoint: 'embeddings' } } });
});

test.each<[Mutable, boolean]>([
  [{ bodyBytesMax: 9 }, true],
  [{ bodyBytesMax: JSON.stringify(BODY).length }, false],
  [{ bodyBytesMax: JSON.stringify(BODY).length - 1 }, true],
  [{ contentType: 'text/plain' }, true],
  [{ contentEncoding: 'br' }, true],
])('a head shows whether its body will be refused: %j', (fields, isRefused) => {
  expect(isUnreadable(callerWith(fields))).toBe(isRefused);
});

test('a head without the length of its body shows nothing of that', () => {
  const unannounced = callerWith({});
  Object.defineProperty(unannounced, 'bodyBytes', { value: null });
  expect(isUnreadable(unannounced)).toBe(false);
});
