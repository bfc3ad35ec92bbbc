import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DIALECTS } from '../../../src/gate/dialects/dialects.ts';
import type { ChatTarget } from '../../../src/gate/dialects/dialect.ts';
import { translate } from '../../../src/gate/upstreams/translation.ts';
import type { TranslatedRequest } from '../../../src/gate/upstreams/translated-request.ts';
import { readMessagesAsked, type MessagesParams } from '../../conformance/anthropic-reading.ts';
import { type Asked, OUTPUT_MAX, type Turn } from '../../conformance/asked.ts';
import { readGeminiAsked } from '../../conformance/gemini-reading.ts';
import { readWireAsked } from '../../conformance/openai-wire.ts';
import { IMAGE, SCHEMA, TIME, WEATHER } from '../../conformance/questions.ts';
import type { Caller } from './caller.ts';
import { chatCaller } from './chat-caller.ts';
import { messagesCaller } from './messages-caller.ts';
import { responsesCaller } from './responses-caller.ts';

// Requests that anybody might write, in every API, translated to every kind of provider: whatever both sides can say
// arrives. Answers are translated back in src/gate/dialects/messages/round-trip.test.ts and responses/from-chat.test.ts.

const text = fc.string({ minLength: 1, maxLength: 12, unit: 'grapheme' }).filter((each) => each.trim() !== '');

const user: fc.Arbitrary<Turn> = fc.record({
  role: fc.constant('user' as const),
  parts: fc.array(fc.oneof(text, fc.constant(`image:${IMAGE}`)), { minLength: 1, maxLength: 3 }),
});

const call = fc.record({
  name: fc.constantFrom('weather', 'time'),
  arguments: fc.dictionary(
    fc.string({ minLength: 1, maxLength: 5 }).filter((name) => name !== '__proto__'),
    text,
  ),
});

/** What the model said, and the results of its calls. */
const exchange: fc.Arbitrary<readonly Turn[]> = fc
  .record({
    text: fc.oneof(text, fc.constant('')),
    calls: fc.array(call, { maxLength: 3 }),
    results: fc.array(text, { minLength: 3, maxLength: 3 }),
  })
  .filter(({ text: said, calls }) => said !== '' || calls.length > 0)
  .map(({ text: said, calls, results }) => [
    { role: 'assistant' as const, text: said, calls },
    ...calls.map(({ name }, index) => ({ role: 'tool' as const, tool: name, text: results[index] ?? '' })),
  ]);

const asked: fc.Arbitrary<Asked> = fc.record({
  system: fc.array(text, { minLength: 1, maxLength: 1 }),
  turns: fc
    .tuple(user, fc.array(fc.tuple(exchange, user), { maxLength: 2 }))
    .map(([first, rest]) => [first, ...rest.flatMap(([said, next]) => [...said, next])]),
  tools: fc.constant([WEATHER, TIME]),
  toolChoice: fc.constantFrom(null, 'auto' as const, 'none' as const, 'required' as const, { name: 'time' }),
  cap: fc.constantFrom(null, 64),
  stop: fc.uniqueArray(text, { maxLength: 2 }),
  temperature: fc.constantFrom(null, 0.5),
  format: fc.constantFrom('text' as const, { schema: SCHEMA }),
});

function madeOf(translated: TranslatedRequest): Buffer {
  if (translated.ok) return translated.made;
  throw new Error(translated.fault.message);
}

const received = (body: Buffer) => ({ method: 'POST', path: '', headers: {}, body });

/** What a provider of each kind reads, from the chat form of a request. */
const KINDS: readonly {
  readonly kind: string;
  readonly extensions: ChatTarget['extensions'];
  readonly read: (chat: Buffer) => Asked;
}[] = [
  {
    kind: 'openai',
    extensions: 'none',
    read(chat) {
      const { max_tokens: cap, ...body } = JSON.parse(chat.toString()) as Record<string, unknown>;
      return readWireAsked(received(Buffer.from(JSON.stringify({ max_completion_tokens: cap, ...body }))));
    },
  },
  {
    kind: 'anthropic',
    extensions: 'anthropic',
    read(chat) {
      const named = JSON.parse(chat.toString()) as { max_tokens?: number; max_completion_tokens?: number };
      const maxTokens = named.max_completion_tokens ?? named.max_tokens ?? OUTPUT_MAX;
      const made = madeOf(
        translate({
          to: 'anthropic',
          body: chat,
          call: { model: 'm', maxTokens, stream: false, version: '2023-06-01' },
        }),
      );
      return readMessagesAsked(JSON.parse(made.toString()) as MessagesParams);
    },
  },
  {
    kind: 'gemini',
    extensions: 'gemini',
    read(chat) {
      const { max_tokens: tokens, max_completion_tokens: cap = tokens ?? null } = JSON.parse(chat.toString()) as {
        max_tokens?: number;
        max_completion_tokens?: number;
      };
      const made = {
        to: 'gemini',
        body: chat,
        maxTokens: cap,
        choices: 1,
        upstreamModel: 'gemini-3',
        cap: null,
      } as const;
      return readGeminiAsked(received(madeOf(translate(made))));
    },
  },
];

function chatOf(caller: Caller, wish: Asked, extensions: ChatTarget['extensions']): Buffer {
  const body = Buffer.from(JSON.stringify(caller.body(wish, 'm', false)));
  const reading = DIALECTS[caller.endpoint].read(body, {});
  if (!reading.ok) throw new Error(reading.fault.message);
  const form = reading.request.chat?.toChat({ extensions, reasoning: false });
  if (form?.ok !== true) throw new Error(`no chat request says the same: ${form?.fault.message}`);
  return form.chat.body;
}

const CASES = [chatCaller, messagesCaller, responsesCaller].flatMap((caller) =>
  KINDS.map((kind) => [caller.endpoint, kind.kind, caller, kind] as const),
);

test.each(CASES)(
  'a request of %s says the same to a provider of kind %s',
  (_endpoint, _kind, caller, { extensions, read }) => {
    fc.assert(
      fc.property(asked, (wish) => {
        const said = caller.endpoint === 'responses' ? { ...wish, stop: [] } : wish;
        const got = read(chatOf(caller, said, extensions));
        // In messages a cap is mandatory.
        expect({ ...got, cap: got.cap === OUTPUT_MAX ? null : got.cap }).toEqual(said);
      }),
      { numRuns: 60 },
    );
  },
);
