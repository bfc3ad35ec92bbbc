import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hear, heardStream } from '../../../../test/support/spoken-answer.ts';
import { understand, type Understood } from '../../../../test/support/understood-chunks.ts';
import { readUsage } from '../../openai/usage.ts';
import { GeminiAnswer } from './gemini-answer.ts';
import { readPlainAnswer } from './plain-answer.ts';

const SECRET = 'the-operators-key';

function translator(choices = 1, parallelCalls = true): GeminiAnswer {
  const context = { choices, parallelCalls, upstreamModel: 'm', requestId: '0199-aa', askedAtMs: 1_700_000_000_999 };
  return new GeminiAnswer(context, (view, status) => readPlainAnswer(view, status, context), SECRET);
}

interface Candidate {
  readonly parts?: readonly object[];
  readonly finishReason?: string;
  readonly index?: number;
  readonly logprobsResult?: object;
}

function event(candidates: readonly Candidate[], more: object = {}): object {
  const wire = candidates.map(({ parts, ...rest }) => ({ content: { role: 'model', parts }, ...rest }));
  return { candidates: wire, responseId: 'r1', modelVersion: 'gemini-x', ...more };
}

const sse = (events: readonly object[]): Buffer =>
  Buffer.from(events.map((each) => `data: ${JSON.stringify(each)}\n\n`).join(''));

const heard = (events: readonly object[], choices = 1) => heardStream(translator(choices), [sse(events)]);

function plain(body: unknown, status = 200) {
  const pieces = [Buffer.from(JSON.stringify(body, null, 2))];
  const sink = hear(translator(), false, { status, contentType: 'application/json', pieces });
  const [ending] = sink.endings;
  if (ending?.kind !== 'answer') throw new Error(`no answer: ${JSON.stringify(ending)}`);
  return JSON.parse(ending.body.toString()) as Record<string, unknown>;
}

const faultOf = (sink: ReturnType<typeof heard>) => {
  const [ending] = sink.endings;
  return ending?.kind === 'fault' ? ending.fault : ending;
};

const text = (said: string): object => ({ text: said });
const USAGE = { promptTokenCount: 5, candidatesTokenCount: 2, thoughtsTokenCount: 3, totalTokenCount: 10 };

const arg = fc.jsonValue({ maxDepth: 3 }).map((value) => ({ ['the key']: value }));
const call = fc.record({ name: fc.stringMatching(/^\w{1,12}$/), args: arg }, { requiredKeys: ['name'] });
const part = fc.oneof(
  fc.record({ text: fc.string({ unit: 'grapheme' }) }),
  fc.record({ text: fc.string({ unit: 'grapheme' }), thought: fc.constant(true) }),
  call.map((functionCall) => ({ functionCall })),
);
const turns = fc.array(fc.record({ parts: fc.array(part, { maxLength: 3 }), index: fc.nat(1) }), { maxLength: 8 });
const framing = fc.constantFrom('\n', '\r', '\r\n');
const cuts = fc.array(fc.nat(4_000), { maxLength: 20 });

function streamOf(said: readonly Candidate[], newline: string): { bytes: Buffer; events: readonly object[] } {
  const ends = [0, 1].map((index) => event([{ parts: [], finishReason: 'STOP', index }], { usageMetadata: USAGE }));
  const events = [
    ...said.map((each) => event([each], { usageMetadata: { promptTokenCount: 5, totalTokenCount: 6 } })),
    ...ends,
  ];
  const lines = events.map((each) => `: keep-alive${newline}data: ${JSON.stringify(each)}${newline}${newline}`);
  return { bytes: Buffer.from(lines.join('')), events };
}

function split(bytes: Buffer, at: readonly number[]): readonly Buffer[] {
  const places = [0, ...at.filter((place) => place < bytes.length).toSorted((one, other) => one - other), bytes.length];
  return places.slice(1).map((end, piece) => bytes.subarray(places[piece], end));
}

test('a stream of Gemini’s gives the same chunks wherever its bytes are split, and loses nothing of what was said', () => {
  fc.assert(
    fc.property(turns, framing, cuts, (said, newline, at) => {
      const { bytes } = streamOf(said, newline);
      const sink = heardStream(translator(2), split(bytes, at));
      expect(sink.endings).toEqual([{ kind: 'end', done: true }]);
      expect(sink.texts).toEqual(heardStream(translator(2), [bytes]).texts);
      expectSaid(understand(sink.payloads), said);
    }),
    { numRuns: 200 },
  );
});

function expectSaid(
  { choices, usage }: Understood,
  said: readonly { parts: readonly object[]; index: number }[],
): void {
  for (const index of [0, 1]) {
    const parts = said.filter((each) => each.index === index).flatMap((each) => each.parts) as {
      text?: string;
      thought?: true;
      functionCall?: { name: string; args?: unknown };
    }[];
    const texts = (thoughts: boolean) =>
      parts
        .filter(({ thought }) => (thought ?? false) === thoughts)
        .map((each) => each.text ?? '')
        .join('');
    const calls = parts.flatMap(({ functionCall }) => functionCall ?? []);
    const choice = choices.get(index);
    expect(choice?.text).toBe(texts(false));
    expect(choice?.reasoning).toBe(texts(true));
    expect(choice?.finish).toBe(calls.length > 0 ? 'tool_calls' : 'stop');
    expect(choice?.calls.map((each) => [each.name, JSON.parse(each.arguments) as unknown])).toEqual(
      // Differences that JSON can't express aren't the stream's fault.
      JSON.parse(JSON.stringify(calls.map(({ name, args }) => [name, args ?? {}]))),
    );
  }
  const ids = [...choices.values()].flatMap(({ calls }) => calls.map(({ id }) => id));
  expect(new Set(ids).size).toBe(ids.length);
  expect(usage).toMatchObject({ prompt_tokens: 5, completion_tokens: 5, total_tokens: 10 });
}

test('a stream of Gemini’s is numbered and named as the first event says', () => {
  const sink = heard([event([{ parts: [text('hi')], finishReason: 'STOP' }])]);
  expect(JSON.parse(sink.texts[0] ?? '')).toEqual({
    id: 'chatcmpl-r1',
    object: 'chat.completion.chunk',
    created: 1_700_000_000,
    model: 'gemini-x',
    choices: [{ index: 0, delta: { role: 'assistant', content: 'hi' }, finish_reason: null }],
  });
});

test('a stream of Gemini’s tells its finish apart from the text before it, so that only the finish waits for payment', () => {
  const sink = heard([event([{ parts: [text('hi')], finishReason: 'MAX_TOKENS' }])]);
  expect(sink.texts.map((each) => (JSON.parse(each) as { choices: object[] }).choices)).toEqual([
    [{ index: 0, delta: { role: 'assistant', content: 'hi' }, finish_reason: null }],
    [{ index: 0, delta: {}, finish_reason: 'length' }],
  ]);
});

test('a stream of Gemini’s that ends without a reason to finish was cut off, however well it ended', () => {
  expect(heard([event([{ parts: [text('hi')] }])]).endings).toEqual([{ kind: 'end', done: false }]);
});

test('a stream of Gemini’s of two choices is not whole when one of them is', () => {
  expect(heard([event([{ parts: [text('hi')], finishReason: 'STOP' }])], 2).endings).toEqual([
    { kind: 'end', done: false },
  ]);
});

test('a stream of Gemini’s may end with the word that ends those of others', () => {
  const bytes = Buffer.concat([
    sse([event([{ parts: [text('hi')], finishReason: 'STOP' }])]),
    Buffer.from('data: [DONE]\n\n'),
  ]);
  expect(heardStream(translator(), [bytes]).endings).toEqual([{ kind: 'end', done: true }]);
});

test('a stream of Gemini’s keeps the digits of long numbers in arguments', () => {
  const bytes = sse([event([{ parts: [{ functionCall: { name: 'f', args: { id: '@' } } }], finishReason: 'STOP' }])]);
  const long = Buffer.from(bytes.toString().replace('"@"', '12345678901234567890'));
  const { choices } = understand(heardStream(translator(), [long]).payloads);
  expect(choices.get(0)?.calls[0]?.arguments).toBe('{"id":12345678901234567890}');
});

test('a stream of Gemini’s tells usage once, as the last event had it', () => {
  const sink = heard([
    event([{ parts: [text('a')] }], { usageMetadata: { promptTokenCount: 5, totalTokenCount: 6 } }),
    event([{ parts: [], finishReason: 'STOP' }], { usageMetadata: USAGE }),
    { usageMetadata: { trafficType: 'ON_DEMAND' }, responseId: 'r1' },
  ]);
  const told = sink.texts.map((each) => JSON.parse(each) as { choices: unknown[]; usage?: unknown });
  expect(told.filter(({ usage }) => usage !== undefined)).toEqual([
    expect.objectContaining({ choices: [], usage: expect.objectContaining({ total_tokens: 10 }) as unknown }),
  ]);
  expect(readUsage(told.at(-1)?.usage)).toMatchObject({ input: 5, output: 5 });
});

test.each(['MALFORMED_FUNCTION_CALL', 'OTHER', 'UNEXPECTED_TOOL_CALL', 'SOMETHING_NEW'])(
  'a stream of Gemini’s that stops for %s has failed: before anything was said, another route may try',
  (finishReason) => {
    expect(faultOf(heard([event([{ parts: [], finishReason }])]))).toEqual({
      kind: 'failed',
      status: 200,
      message: `an answer ended with the finishReason ${finishReason}`,
    });
    expect(faultOf(heard([event([{ parts: [text('a')], finishReason }])]))).toMatchObject({ kind: 'broken' });
  },
);

test('a stream of Gemini’s whose prompt is refused is the caller’s to mend', () => {
  const sink = heard([{ promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: { promptTokenCount: 3 } }]);
  expect(faultOf(sink)).toMatchObject({
    kind: 'rejected_request',
    param: 'messages',
    callerMessage: expect.stringContaining('SAFETY') as unknown,
  });
});

test('a stream of Gemini’s that is blocked after it has begun ends as a content filter ends one', () => {
  const sink = heard([event([{ parts: [text('a')] }]), { promptFeedback: { blockReason: 'SAFETY' } }]);
  expect(understand(sink.payloads).choices.get(0)).toMatchObject({ text: 'a', finish: 'content_filter' });
  expect(sink.endings).toEqual([{ kind: 'end', done: true }]);
});

test('a stream of Gemini’s that begins with an error is refused by it, and one that goes on with an error is broken', () => {
  const error = { error: { code: 503, status: 'UNAVAILABLE', message: `overloaded, ${SECRET}` } };
  expect(faultOf(heard([error]))).toMatchObject({ kind: 'overloaded', status: 503 });
  expect(faultOf(heardStream(translator(), [Buffer.from(`data: ${JSON.stringify([error])}\n\n`)]))).toMatchObject({
    kind: 'overloaded',
  });
  expect(faultOf(heard([event([{ parts: [text('a')] }]), error]))).toMatchObject({ kind: 'broken' });
});

test.each(['<html>', '[]', '"text"'])('a stream of Gemini’s with the event %s is none', (payload) => {
  expect(faultOf(heardStream(translator(), [Buffer.from(`data: ${payload}\n\n`)]))).toMatchObject({
    kind: 'malformed',
  });
});

test('an answer of Gemini’s without parallel calls has the first of its calls alone, whole and streamed', () => {
  const first = { functionCall: { name: 'f', args: { a: 1 } }, thoughtSignature: 'c2ln' };
  const rest = [
    { functionCall: { name: 'g', args: { b: 2 } } },
    { functionCall: { name: 'h', willContinue: true, partialArgs: [{ jsonPath: '$.c', stringValue: 'x' }] } },
  ];
  const more = { functionCall: { partialArgs: [{ jsonPath: '$.d', stringValue: 'y' }] } };
  const parts = [first, ...rest, more, { text: 'so' }];
  const called = {
    function: { name: 'f', arguments: '{"a":1}' },
    extra_content: { google: { thought_signature: 'c2ln' } },
  };
  const bytes = (events: unknown): Buffer => Buffer.from(JSON.stringify(events));
  const pieces = [bytes(event([{ parts, finishReason: 'STOP' }]))];
  const whole = hear(translator(1, false), false, { status: 200, contentType: 'application/json', pieces });
  const [ending] = whole.endings;
  if (ending?.kind !== 'answer') throw new Error('there is no answer');
  const answer = JSON.parse(ending.body.toString()) as { choices: [{ message: { tool_calls: unknown[] } }] };
  expect(answer.choices[0]).toMatchObject({
    message: { content: 'so', tool_calls: [called] },
    finish_reason: 'tool_calls',
  });
  expect(answer.choices[0].message.tool_calls).toHaveLength(1);

  const events = parts.map((each) => event([{ parts: [each] }]));
  const streamed = heardStream(translator(1, false), [sse([...events, event([{ finishReason: 'STOP' }])])]);
  expect(understand(streamed.payloads).choices.get(0)).toMatchObject({
    text: 'so',
    finish: 'tool_calls',
    calls: [{ name: 'f', arguments: '{"a":1}' }],
    signatures: ['c2ln'],
  });
});

test('a stream of Gemini’s with a picture in it is not taken for the text without it', () => {
  const picture = { inlineData: { mimeType: 'image/png', data: 'AAAA' } };
  expect(faultOf(heard([event([{ parts: [picture] }])]))).toMatchObject({ kind: 'malformed' });
});

test('a plain answer of Gemini’s has the message with all its parts in their places', () => {
  const parts = [
    { text: 'hm', thought: true },
    { text: 'He' },
    { text: 'llo', thoughtSignature: 'c2ln' },
    { functionCall: { name: 'f', args: { a: [1, { b: 'c d' }] } }, thoughtSignature: 'c2lnMg==' },
    { functionCall: { name: 'g' } },
  ];
  expect(plain(event([{ parts, finishReason: 'STOP' }], { usageMetadata: USAGE }))).toEqual({
    id: 'chatcmpl-r1',
    object: 'chat.completion',
    created: 1_700_000_000,
    model: 'gemini-x',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: 'Hello',
          refusal: null,
          reasoning_content: 'hm',
          extra_content: { google: { thought_signature: 'c2ln' } },
          tool_calls: [
            {
              id: 'call_r1_0',
              type: 'function',
              function: { name: 'f', arguments: '{"a":[1,{"b":"c d"}]}' },
              extra_content: { google: { thought_signature: 'c2lnMg==' } },
            },
            { id: 'call_r1_1', type: 'function', function: { name: 'g', arguments: '{}' } },
          ],
        },
        logprobs: null,
        finish_reason: 'tool_calls',
      },
    ],
    usage: {
      prompt_tokens: 5,
      completion_tokens: 5,
      total_tokens: 10,
      prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
      completion_tokens_details: { reasoning_tokens: 3, audio_tokens: 0 },
    },
  });
});

test('a plain answer of Gemini’s has the probabilities of its tokens', () => {
  const chosenCandidates = [{ token: 'é', tokenId: 7, logProbability: -0.25 }];
  const topCandidates = [
    {
      candidates: [
        { token: 'é', logProbability: -0.25 },
        { token: 'e', logProbability: -1.5 },
      ],
    },
  ];
  const answer = plain(
    event([{ parts: [text('é')], finishReason: 'STOP', logprobsResult: { chosenCandidates, topCandidates } }]),
  );
  const top = [
    { token: 'é', logprob: -0.25, bytes: [195, 169] },
    { token: 'e', logprob: -1.5, bytes: [101] },
  ];
  expect(answer['choices']).toMatchObject([
    { logprobs: { content: [{ token: 'é', logprob: -0.25, bytes: [195, 169], top_logprobs: top }], refusal: null } },
  ]);
});

test.each<[string, object, string]>([
  ['without a candidate', { usageMetadata: USAGE }, 'malformed'],
  ['without a reason to finish', event([{ parts: [text('a')] }]), 'failed'],
  ['that is an error', [{ error: { code: 400, status: 'INVALID_ARGUMENT', message: 'no' } }], 'rejected_request'],
  ['to a refused prompt', { promptFeedback: { blockReason: 'OTHER' } }, 'rejected_request'],
])('a plain answer of Gemini’s: %s is none', (_name, body, kind) => {
  const pieces = [Buffer.from(JSON.stringify(body))];
  const sink = hear(translator(), false, { status: 200, contentType: 'application/json', pieces });
  expect(faultOf(sink)).toMatchObject({ kind });
});
