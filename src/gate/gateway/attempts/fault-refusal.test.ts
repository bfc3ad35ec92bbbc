import { expect, test } from 'vitest';
import { StageCaller } from '../../../../test/support/gate-stage.ts';
import type { AttemptRecord } from '../../../domain/receipt.ts';
import { isRefusal } from '../../../domain/refusals.ts';
import type { UpstreamFault } from '../../upstreams/upstream.ts';
import type { Admission } from '../admit.ts';
import { interpret } from '../read.ts';
import { brokenOffRefusal, unansweredRefusal } from './fault-refusal.ts';

// Whole refusals to callers whose model has not answered: they lack the operator's details.

const message = 'for the operator alone';
const LATE: UpstreamFault = { kind: 'timeout', phase: 'first_byte', message };
const BUSY: UpstreamFault = { kind: 'overloaded', status: 429, retryAfterMs: 9, message };
const AWAY: UpstreamFault = { kind: 'unreachable', message };
const rejected = (callerMessage: string, param: string | null = null, code: string | null = null): UpstreamFault => ({
  kind: 'rejected_request',
  status: 400,
  callerMessage,
  code,
  param,
  message,
});

const BODIES = {
  chat: { messages: [{ role: 'user', content: 'hi' }] },
  responses: { input: 'hi' },
};

function admissionOf(endpoint: keyof typeof BODIES): Admission {
  const parsed = interpret(
    new StageCaller({}),
    Buffer.from(JSON.stringify({ model: 'm', ...BODIES[endpoint] })),
    endpoint,
  );
  if (isRefusal(parsed)) throw new Error(parsed.message);
  return { model: { id: 'm' }, parsed } as unknown as Admission;
}

interface Failure {
  readonly fault: UpstreamFault | null;
  /** The faults of all attempts, if they are not that one. */
  readonly faults?: readonly AttemptRecord['fault'][];
  readonly retryAfterMs?: number;
  readonly endpoint?: keyof typeof BODIES;
}

const refused = ({ fault, faults, retryAfterMs, endpoint = 'chat' }: Failure) =>
  unansweredRefusal(admissionOf(endpoint), {
    attempts: (faults ?? (fault === null ? [] : [fault.kind])).map((each) => ({ fault: each }) as AttemptRecord),
    fault,
    retryAfterMs: retryAfterMs ?? null,
  });

const invalid = (words: string, more: object = {}) => ({
  code: 'INVALID_REQUEST',
  message: words,
  param: null,
  ...more,
});
const timeout = { code: 'UPSTREAM_TIMEOUT', message: '"m" did not answer in time. Nothing was charged.', param: null };
const unavailable = (how: string, more: object = {}) => ({
  code: 'MODEL_UNAVAILABLE',
  message: `"m" ${how}. Nothing was charged. Try again later.`,
  param: null,
  retryAfterMs: 1_000,
  ...more,
});

test.each<[string, Failure, object]>([
  ['its provider rejects the request', { fault: rejected('no') }, invalid('no')],
  [
    'its provider rejects a field, with a code of its own',
    { fault: rejected('bad', 'seed', 'bad_seed') },
    invalid('bad', { param: 'seed', providerCode: 'bad_seed' }),
  ],
  [
    'its provider rejects a field that the caller knows by another name',
    { fault: rejected("'messages' is too long", 'messages'), endpoint: 'responses' },
    invalid("'input' is too long", { param: 'input' }),
  ],
  [
    'its provider rejects the request after another was late',
    { fault: rejected('no'), faults: ['timeout', 'rejected_request'] },
    invalid('no'),
  ],
  ['all its routes were late', { fault: LATE, faults: ['timeout', 'timeout'] }, timeout],
  [
    'one of its routes was late, and another away',
    { fault: LATE, faults: ['unreachable', 'timeout'] },
    unavailable("can't be reached"),
  ],
  ['no route could be tried', { fault: null }, unavailable("can't be reached")],
  ['its provider is away', { fault: AWAY }, unavailable("can't be reached")],
  ['its provider has too much to do', { fault: BUSY }, unavailable('is busy')],
  [
    'a route rests for a part of a millisecond more',
    { fault: BUSY, retryAfterMs: 1_500.2 },
    unavailable('is busy', { retryAfterMs: 1_501 }),
  ],
  [
    'a route is about to be back',
    { fault: AWAY, retryAfterMs: 0.2 },
    unavailable("can't be reached", { retryAfterMs: 1 }),
  ],
  [
    'a route is back in a minute',
    { fault: null, retryAfterMs: 60_000 },
    unavailable("can't be reached", { retryAfterMs: 60_000 }),
  ],
  [
    'a route is back in more than the minute that SDKs wait',
    { fault: null, retryAfterMs: 60_000.5 },
    unavailable("can't be reached", { retryAfterMs: 60_001, shouldRetry: false }),
  ],
])(
  'a model that has not answered is refused with the reason and the time to come again: %s',
  (_why, failure, refusal) => {
    expect(refused(failure)).toEqual({ kind: 'refusal', ...refusal });
  },
);

const brokenOff = { code: 'MODEL_UNAVAILABLE', message: '"m" broke off its answer.' };

test.each<[string, UpstreamFault | null, object]>([
  ['nothing but its bytes', null, brokenOff],
  ['a broken connection', { kind: 'broken', message }, brokenOff],
  ['silence', { kind: 'timeout', phase: 'idle', message }, brokenOff],
  [
    'the time of its request',
    { kind: 'timeout', phase: 'deadline', message },
    { code: 'UPSTREAM_TIMEOUT', message: 'The answer of "m" took longer than a request may.' },
  ],
])('a stream that breaks off is refused with the reason: %s', (_why, fault, refusal) => {
  expect(brokenOffRefusal('m', fault)).toEqual({ kind: 'refusal', ...refusal, param: null });
});
