import { expect, test } from 'vitest';
import { GateStage, plainAnswer, PRINCIPAL, TIMES } from '../../../test/support/gate-stage.ts';
import type { Loss } from '../../../test/support/memory-claims.ts';
import { turnsOf } from '../../../test/support/turns-of.ts';
import type { RefusedRequest } from '../../domain/refused-request.ts';
import { LARGE_BYTES } from '../../lib/own-turn.ts';
import { DatabaseUnavailable } from '../../lib/sql.ts';
import { Permit } from '../purses/permits/permit.ts';
import type { PermitOutcome } from '../purses/permits/rate-limiter.ts';
import { EpochFenced } from '../purses/ports/database.ts';
import type { GatewayDeps } from './gateway-deps.ts';
import { UNTRACED } from './request-trace.ts';

// Whatever happens between the claim of an Idempotency-Key and the end of its request, the next request with the key
// gets the answer or runs, and neither a permit nor a hold is left behind.

const KEY = { idempotencyKey: 'order-7' };
const bug = new Error('a bug');

/** Expects that a repeat of the stage's request runs by itself. */
async function expectRepeatRuns(stage: GateStage): Promise<void> {
  const settled = stage.closed.length;
  const { caller, done } = stage.send({}, KEY);
  await done;
  expect(caller.refusal).toBeNull();
  expect(caller.text).toBe(plainAnswer().toString());
  expect(stage.closed).toHaveLength(settled + 1);
  expect(stage.closed.at(-1)).toMatchObject({ idempotencyKey: KEY.idempotencyKey, isWhole: true });
}

interface Way {
  readonly name: string;
  readonly break: (stage: GateStage) => void;
  readonly refusal: string | null;
}

const WAYS: readonly Way[] = [
  {
    name: 'the rate limits refuse it (429)',
    refusal: 'RATE_LIMITED',
    break: (stage) => {
      const standing = { requests: null, tokens: null };
      stage.takePermit = () => ({ kind: 'exceeded', limit: 'requests', most: 1, retryAfterMs: 5, standing });
    },
  },
  {
    name: 'the rate limits refuse it after a draw',
    refusal: 'SERVICE_UNAVAILABLE',
    break: (stage) => void (stage.takePermit = () => Promise.resolve({ kind: 'unavailable' })),
  },
  {
    name: 'taking a permit throws',
    refusal: null,
    break: (stage) => {
      stage.takePermit = () => {
        throw bug;
      };
    },
  },
  {
    name: 'drawing a permit fails',
    refusal: null,
    break: (stage) => void (stage.takePermit = () => Promise.reject(bug)),
  },
  {
    name: 'the money refuses it',
    refusal: 'SERVICE_UNAVAILABLE',
    break: (stage) => void (stage.placeHold = () => Promise.resolve()),
  },
  {
    name: 'placing the hold throws',
    refusal: null,
    break: (stage) => {
      stage.placeHold = () => {
        throw bug;
      };
    },
  },
  {
    name: 'drawing the hold fails',
    refusal: null,
    break: (stage) => {
      let calls = 0;
      stage.placeHold = () => (++calls === 1 ? Promise.resolve() : Promise.reject(bug));
    },
  },
  {
    name: 'no route answers',
    refusal: 'MODEL_UNAVAILABLE',
    break: (stage) => void (stage.attempt = (sink) => sink.fault({ kind: 'failed', status: 500, message: '' })),
  },
  {
    name: 'its receipt is refused for good',
    refusal: 'INTERNAL_ERROR',
    break: (stage) => void (stage.settle = () => Promise.reject(bug)),
  },
];

/** Collects the refusals that the stage reports from now on. */
function refusedBy({ gate }: GateStage): RefusedRequest[] {
  const refused: RefusedRequest[] = [];
  gate.observer.refused = (request) => void refused.push(request);
  return refused;
}

test('a request without a key that counts, and a large one that its head refuses, are reported without being read', async () => {
  const [unknown, limited] = [new GateStage({ parts: { principals: { find: () => null } } }), new GateStage()];
  const standing = { requests: null, tokens: null };
  limited.takePermit = () => ({ kind: 'exceeded', limit: 'requests', most: 1, retryAfterMs: 5, standing });
  const large = { messages: [{ role: 'user', content: 'x'.repeat(70_000) }] };
  for (const [stage, fields, code, principal] of [
    [unknown, {}, 'INVALID_API_KEY', null],
    [limited, large, 'RATE_LIMITED', PRINCIPAL],
  ] as const) {
    const refused = refusedBy(stage);
    const { caller, done } = stage.send(fields);
    caller.readBody = () => expect.unreachable('nothing of it is read');
    await done;
    expect([caller.refusal?.code, stage.faults]).toEqual([code, []]);
    const { requestId } = caller;
    expect(refused).toMatchObject([{ requestId, principal, endpoint: 'chat_completions', model: null }]);
  }
});

const IN_RESPONSES = { messages: undefined, input: 'hi', store: false };
const BY_SCHEMA = { type: 'json_schema', json_schema: { name: 'n', schema: { type: 'none' } } };
const WRONG_SCHEMA = { validation: { check: () => ({ pointer: '/type', message: 'is wrong' }) } };
const HOSTED = { type: 'file_search', vector_store_ids: ['vs_1'] };

test.each<[string, object, 'chat' | 'responses', Partial<GatewayDeps>, string]>([
  [
    'goes on from what nobody keeps',
    { ...IN_RESPONSES, previous_response_id: 'resp_1' },
    'responses',
    { responses: { keepMs: 0, keepsFor: () => false } as unknown as GatewayDeps['responses'] },
    'previous_response_id',
  ],
  [
    'has a schema that is none',
    { response_format: BY_SCHEMA },
    'chat',
    { structured: WRONG_SCHEMA as unknown as GatewayDeps['structured'] },
    'response_format.json_schema.schema.type',
  ],
  [
    'needs a tool that is not sold',
    { ...IN_RESPONSES, tools: [HOSTED], tool_choice: { type: 'file_search' } },
    'responses',
    {},
    'tool_choice',
  ],
  ['has a field that no provider reads', { novel: 1 }, 'chat', {}, 'novel'],
])('a request that %s is refused, counts, and reaches no provider', async (_what, fields, dialect, parts, param) => {
  const stage = new GateStage({ parts });
  const { caller, done } = stage.send(fields, {}, dialect);
  await done;
  expect(caller.refusal).toMatchObject({ code: 'INVALID_REQUEST', param });
  expect(stage.faults).toEqual([]);
  expect(stage.permits).toMatchObject([{ ended: { used: 0 } }]);
  expect([stage.attempts, stage.holds]).toEqual([[], []]);
});

test('a trace says when its request begins to wait for permit and money, when it has both, and when it has ended', async () => {
  const said: string[] = [];
  const say = (what: string) => () => void said.push(what);
  const trace = { admitting: say('admitting'), admitted: say('admitted'), settling: say('settling'), end: say('end') };
  const stage = new GateStage({ parts: { tracer: { begin: () => ({ ...UNTRACED, ...trace }) } } });
  stage.takePermit = () => (say('permit')(), null);
  stage.placeHold = say('hold');
  await stage.send().done;
  expect(said).toEqual(['admitting', 'permit', 'hold', 'admitted', 'settling', 'end']);
});

test('a request with an Idempotency-Key gets the first one’s answer when it is repeated, and costs nothing', async () => {
  const stage = new GateStage();
  await stage.send({}, KEY).done;
  const { caller, done } = stage.send({}, KEY);
  await done;
  expect(caller.text).toBe(plainAnswer().toString());
  expect(stage.closed).toHaveLength(1);
  expect(stage.permits).toHaveLength(1);
});

test.each(WAYS.flatMap((way) => [false, true].map((stream) => ({ ...way, stream }))))(
  'a request with an Idempotency-Key leaves its key to the next one, and nothing open, if $name (stream: $stream)',
  async ({ break: breakIt, refusal, stream }) => {
    const stage = new GateStage();
    const { takePermit, placeHold, attempt, settle } = stage;
    breakIt(stage);
    const { caller, done } = stage.send({ stream }, KEY);
    await done;
    expect(caller.refusal?.code ?? null).toBe(refusal);
    expect(stage.claims.rows.size).toBe(0);
    expect(stage.claims.cancelled.size).toBe(0);
    expect(stage.open).toEqual({ permits: 0, holds: 0 });
    Object.assign(stage, { takePermit, placeHold, attempt, settle });
    await expectRepeatRuns(stage);
  },
);

test('a request with an Idempotency-Key of more than a mebibyte waits for one more turn, to be told from others', async () => {
  const frame = new GateStage().send().caller.bodyBytes;
  for (const [bytes, more] of [
    [LARGE_BYTES, 0],
    [LARGE_BYTES + 1, 1],
  ] as const) {
    const messages = [{ role: 'user', content: 'x'.repeat(bytes - frame + 'hello'.length) }];
    const turnsFor = (headers: object) => turnsOf(() => new GateStage().send({ messages }, headers).done);
    expect((await turnsFor(KEY)) - (await turnsFor({}))).toBe(more);
  }
});

test('a request that waits for another one’s Idempotency-Key, and whose caller leaves, leaves that claim alone', async () => {
  const stage = new GateStage();
  const { attempt } = stage;
  stage.attempt = () => undefined;
  const first = stage.send({}, KEY);
  await stage.clock.advance(0);
  const second = stage.send({}, KEY);
  await stage.clock.advance(100);
  second.caller.leave();
  await stage.clock.advance(500);
  await second.done;
  expect(stage.permits).toHaveLength(1);
  attempt(stage.attempts[0]!.sink, false);
  await first.done;
  expect(first.caller.text).toBe(plainAnswer().toString());
  expect(stage.claims.rows.get(KEY.idempotencyKey)).toMatchObject({ isCompleted: true });
});

test('a request whose caller leaves while its Idempotency-Key is claimed does not run, and leaves it to the next', async () => {
  const stage = new GateStage();
  const { caller, done } = stage.send({}, KEY);
  caller.leave();
  await done;
  expect(stage.attempts).toHaveLength(0);
  await expectRepeatRuns(stage);
});

test('a request that waits for another one’s Idempotency-Key gets its answer immediately, and a 503 in the end', async () => {
  const stage = new GateStage();
  const { attempt } = stage;
  stage.attempt = () => undefined;
  const first = stage.send({}, KEY);
  await stage.clock.advance(0);
  const late = stage.send({}, KEY);
  await stage.clock.advance(TIMES.plainMs - 700);
  const second = stage.send({}, KEY);
  attempt(stage.attempts[0]!.sink, false);
  await first.done;
  expect(second.caller.isOver).toBe(false);
  await stage.clock.advance(500);
  await Promise.all([second.done, late.done]);
  expect([second.caller.text, late.caller.text]).toEqual([first.caller.text, first.caller.text]);
  expect(stage.closed).toHaveLength(1);

  const other = new GateStage();
  other.claims.rows.set(KEY.idempotencyKey, {
    epochId: 9n,
    requestId: 'elsewhere',
    body: '',
    answer: null,
    charge: 0n,
    isCompleted: false,
  });
  let polls = 0;
  other.claims.claim = () => {
    polls += 1;
    return Promise.resolve({ state: 'running' });
  };
  const waiting = other.send({}, KEY);
  await other.clock.advance(TIMES.plainMs - 1);
  expect(waiting.caller.isOver).toBe(false);
  await other.clock.advance(501);
  await waiting.done;
  expect(waiting.caller.refusal).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterMs: 1_000 });
  expect(polls).toBeLessThan(30);
});

test('a request that waits for another one’s Idempotency-Key goes on through outages of which each is short', async () => {
  const stage = new GateStage();
  let polls = 0;
  stage.claims.claim = () => {
    polls += 1;
    const isAway = polls % 4 !== 0;
    return isAway ? Promise.reject(new DatabaseUnavailable('no answer came')) : Promise.resolve({ state: 'running' });
  };
  const { caller, done } = stage.send({}, KEY);
  await stage.clock.advance(4_000);
  expect(caller.isOver).toBe(false);
  await stage.clock.advance(TIMES.plainMs);
  await done;
  expect(caller.refusal?.message).toContain('is still running');
});

for (const loss of ['unsent', 'no effect', 'took effect', 'arrives late'] as const satisfies readonly Loss[]) {
  test(`a claim whose outcome is lost is repeated, and the request runs once, if the statement ${loss === 'unsent' ? 'was unsent' : loss}`, async () => {
    const stage = new GateStage();
    stage.claims.claimLosses = [loss];
    const { caller, done } = stage.send({}, KEY);
    await stage.clock.advance(100);
    await done;
    expect(caller.text).toBe(plainAnswer().toString());
    for (const arrive of stage.claims.late) arrive();
    expect(stage.claims.rows.get(KEY.idempotencyKey)).toMatchObject({
      requestId: caller.requestId,
      isCompleted: true,
    });
    expect(stage.closed).toHaveLength(1);
  });

  test(`a claim whose outcome is lost blocks nobody once its request has given up, if the statements ${loss === 'unsent' ? 'were unsent' : loss}`, async () => {
    const stage = new GateStage();
    stage.claims.claimLosses = Array.from({ length: 100 }, () => loss);
    const { caller, done } = stage.send({}, KEY);
    await stage.clock.advance(3_000);
    await done;
    expect(caller.refusal).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterMs: 1_000 });
    stage.claims.claimLosses = [];
    expect(stage.claims.cancelled.size).toBe(loss === 'unsent' ? 0 : 1);
    await expectRepeatRuns(stage);
    for (const arrive of stage.claims.late) expect(arrive).toThrow('released its claim');
  });
}

test('a claim whose outcome is lost is given up as often as it takes, if the release is lost too', async () => {
  const stage = new GateStage();
  stage.claims.claimLosses = Array.from({ length: 100 }, () => 'arrives late' as const);
  stage.claims.releaseLosses = ['no effect', 'unsent', 'took effect'];
  const { done } = stage.send({}, KEY);
  await stage.clock.advance(3_000);
  await done;
  await stage.clock.advance(5_000);
  expect(stage.claims.releaseLosses).toEqual([]);
  for (const arrive of stage.claims.late) expect(arrive).toThrow('released its claim');
});

test('a claim whose outcome is lost blocks nobody if its caller leaves, or another request turns out to have the key', async () => {
  const stage = new GateStage();
  stage.claims.claimLosses = Array.from({ length: 100 }, () => 'arrives late' as const);
  const leaving = stage.send({}, KEY);
  await stage.clock.advance(10);
  leaving.caller.leave();
  await stage.clock.advance(100);
  await leaving.done;
  expect(leaving.caller.isOver).toBe(false);

  stage.claims.claimLosses = ['arrives late'];
  const second = stage.send({ temperature: 1 }, KEY);
  await stage.clock.advance(0);
  await stage.send({}, KEY).done;
  await stage.clock.advance(100);
  await second.done;
  expect(second.caller.refusal?.code).toBe('IDEMPOTENCY_MISMATCH');
  stage.claims.rows.clear();
  for (const arrive of stage.claims.late) expect(arrive).toThrow('released its claim');
});

test('a claim whose outcome is lost blocks nobody if none of the next statements is sent', async () => {
  const stage = new GateStage();
  stage.claims.claimLosses = ['arrives late', ...Array.from({ length: 100 }, () => 'unsent' as const)];
  const { done } = stage.send({}, KEY);
  await stage.clock.advance(3_000);
  await done;
  expect(stage.claims.late).toHaveLength(1);
  for (const arrive of stage.claims.late) expect(arrive).toThrow('released its claim');
});

test('a claim whose outcome is lost blocks nobody if the database refuses the next one', async () => {
  const stage = new GateStage();
  stage.claims.claimLosses = ['arrives late', bug];
  const { done } = stage.send({}, KEY);
  await stage.clock.advance(100);
  await done;
  expect(stage.faults).toEqual([bug]);
  for (const arrive of stage.claims.late) expect(arrive).toThrow('released its claim');
});

test('a request whose claim’s epoch ends before its money is held does not run, and leaves the key to the next one', async () => {
  const stage = new GateStage();
  const { promise: permit, resolve: letThrough } = Promise.withResolvers<PermitOutcome>();
  stage.takePermit = () => permit;
  const { caller, done } = stage.send({}, KEY);
  await stage.clock.advance(0);
  stage.epochId = 2n;
  letThrough(Permit.unlimited());
  await done;
  expect(caller.refusal).toMatchObject({ code: 'SERVICE_UNAVAILABLE', retryAfterMs: 1_000 });
  expect(stage.attempts).toHaveLength(0);
  expect(stage.holds).toEqual([]);
  stage.takePermit = () => null;
  await expectRepeatRuns(stage);
});

test('a claim whose outcome is lost runs in the next epoch of its process, if that has begun', async () => {
  const stage = new GateStage();
  stage.claims.claimLosses = [new EpochFenced('this process was declared dead by another')];
  const { caller, done } = stage.send({}, KEY);
  stage.epochId = 2n;
  await stage.clock.advance(100);
  await done;
  expect(caller.refusal).toBeNull();
  expect(stage.claims.rows.get(KEY.idempotencyKey)).toMatchObject({ epochId: 2n });
  expect(stage.claims.cancelled.size).toBe(0);
});
