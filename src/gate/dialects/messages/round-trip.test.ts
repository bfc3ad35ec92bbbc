import fc from 'fast-check';
import { expect, test } from 'vitest';
import { framesOf } from '../../../../test/support/event-frames.ts';
import { NO_TOKENS } from '../../../domain/usage.ts';
import { readMessagesRequest } from './messages-request.ts';
import { MessagesStream } from './messages-stream.ts';
import { messagesToChat } from './to-chat.ts';
import { messageOf } from './translated-message.ts';

// An answer of a chat model is sent to the caller as a message, and returns with the next request: what both APIs can
// express is unchanged by then, and a stream is equivalent to the whole answer.

const ID = '01a204c6-1d3b-7350-a583-155c3fcbda09';
const READING = { extensions: 'reasoning', reasoning: false } as const;
const NONE = { extensions: 'none', reasoning: false } as const;
const GEMINI = { extensions: 'gemini', reasoning: true } as const;

const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
const call = fc.record({
  name: fc.stringMatching(/^\w{1,8}$/),
  args: fc.dictionary(fc.string(), fc.oneof(fc.string(), fc.integer(), fc.boolean()), { maxKeys: 3 }),
  signature: fc.option(fc.base64String({ minLength: 4, maxLength: 8 })),
});
const answer = fc.record({
  content: fc.option(text),
  reasoning: fc.option(text),
  calls: fc.array(call, { maxLength: 3 }),
  cuts: fc.infiniteStream(fc.integer({ min: 1, max: 5 })),
});

interface Said {
  readonly content: string | null;
  readonly reasoning: string | null;
  readonly calls: readonly { name: string; args: object; signature: string | null }[];
}

const extra = (signature: string | null) =>
  signature === null ? {} : { extra_content: { google: { thought_signature: signature } } };

const callsOf = (calls: Said['calls']) =>
  calls.map(({ name, args, signature }, index) => ({
    id: `call_${index}`,
    type: 'function',
    function: { name, arguments: JSON.stringify(args) },
    ...extra(signature),
  }));

function completionOf({ content, reasoning, calls }: Said): Buffer {
  const message = {
    role: 'assistant',
    content,
    ...(reasoning === null ? {} : { reasoning_content: reasoning }),
    ...(calls.length === 0 ? {} : { tool_calls: callsOf(calls) }),
  };
  const finish = calls.length === 0 ? 'stop' : 'tool_calls';
  const usage = { prompt_tokens: 9, completion_tokens: 4, prompt_tokens_details: { cached_tokens: 2 } };
  return Buffer.from(JSON.stringify({ model: 'm', choices: [{ index: 0, message, finish_reason: finish }], usage }));
}

/** The same answer as chunks, its texts and arguments cut into pieces of these lengths. */
function chunksOf({ content, reasoning, calls }: Said, cuts: Iterator<number>): Buffer[] {
  const pieces = (whole: string): string[] => {
    const characters = Array.from(whole);
    const all: string[] = [];
    while (characters.length > 0) all.push(characters.splice(0, cuts.next().value as number).join(''));
    return all;
  };
  const deltas: object[] = [{ role: 'assistant', content: '' }];
  for (const piece of pieces(reasoning ?? '')) deltas.push({ reasoning_content: piece });
  for (const piece of pieces(content ?? '')) deltas.push({ content: piece });
  for (const [index, { function: called, ...rest }] of callsOf(calls).entries()) {
    deltas.push({ tool_calls: [{ index, ...rest, function: { name: called.name, arguments: '' } }] });
    for (const piece of pieces(called.arguments))
      deltas.push({ tool_calls: [{ index, function: { arguments: piece } }] });
  }
  const finish = calls.length === 0 ? 'stop' : 'tool_calls';
  const usage = { prompt_tokens: 9, completion_tokens: 4, prompt_tokens_details: { cached_tokens: 2 } };
  const payloads = [
    ...deltas.map((delta) => ({ model: 'm', choices: [{ index: 0, delta, finish_reason: null }] })),
    { model: 'm', choices: [{ index: 0, delta: {}, finish_reason: finish }] },
    { model: 'm', choices: [], usage },
  ];
  return payloads.map((payload) => Buffer.from(JSON.stringify(payload)));
}

interface Block {
  type: string;
  [field: string]: unknown;
}

const SETTLED = { charge: 1n, tokens: NO_TOKENS, inUsage: false };

/** Puts a stream's events together as clients do. */
function gathered(wire: string): { content: Block[]; stop_reason: unknown; usage: unknown } {
  const content: Block[] = [];
  const json: string[] = [];
  let end: { stop_reason: unknown; usage: unknown } = { stop_reason: null, usage: null };
  for (const { data } of framesOf(Buffer.from(wire, 'latin1').toString())) {
    const payload = JSON.parse(data) as Record<string, never> & { type: string; index: number };
    const { delta } = payload as { delta?: Record<string, string> };
    if (payload.type === 'content_block_start')
      content[payload.index] = { ...(payload['content_block'] as unknown as Block) };
    if (payload.type === 'message_delta') end = { stop_reason: delta?.['stop_reason'], usage: payload['usage'] };
    if (payload.type !== 'content_block_delta' || delta === undefined) continue;
    const block = content[payload.index]!;
    for (const name of ['text', 'thinking', 'signature']) {
      if (delta[name] !== undefined) block[name] = `${block[name] as string}${delta[name]}`;
    }
    if (delta['partial_json'] !== undefined) json[payload.index] = (json[payload.index] ?? '') + delta['partial_json'];
  }
  for (const [index, written] of json.entries())
    if (written !== undefined) content[index]!['input'] = JSON.parse(written);
  return { content, ...end };
}

/** The assistant's turn of the next request, as chat is sent it. */
function sentBack(
  content: readonly Block[],
  target: typeof READING | typeof NONE | typeof GEMINI,
): Record<string, unknown> | undefined {
  const results = content
    .filter(({ type }) => type === 'tool_use')
    .map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: 'r' }));
  const messages = [
    { role: 'user', content: 'hi' },
    { role: 'assistant', content },
    { role: 'user', content: results.length === 0 ? 'go on' : results },
  ];
  const reading = readMessagesRequest(Buffer.from(JSON.stringify({ model: 'm', max_tokens: 9, messages })));
  if (!reading.ok) throw new Error(reading.fault.message);
  const form = messagesToChat(reading.request, target);
  if (!form.ok) throw new Error(form.fault.message);
  const body = JSON.parse(form.chat.body.toString()) as { messages: Record<string, unknown>[] };
  return body.messages.find(({ role }) => role === 'assistant');
}

test('an answer that comes back says what it said: text, reasoning, calls and their signatures', () => {
  fc.assert(
    fc.property(answer, ({ cuts: _cuts, ...said }) => {
      const { content } = JSON.parse(messageOf(completionOf(said), ID).toString()) as { content: Block[] };
      const isEmpty = said.content === null && said.calls.length === 0;
      const unsigned = callsOf(said.calls.map((each) => ({ ...each, signature: null })));
      const texts = { role: 'assistant', content: said.content };
      expect(sentBack(content, READING)).toEqual(
        isEmpty
          ? undefined
          : {
              ...texts,
              ...(said.reasoning === null ? {} : { reasoning_content: said.reasoning }),
              ...(said.calls.length === 0 ? {} : { tool_calls: unsigned }),
            },
      );
      expect(sentBack(content, GEMINI)).toEqual(
        isEmpty ? undefined : { ...texts, ...(said.calls.length === 0 ? {} : { tool_calls: callsOf(said.calls) }) },
      );
    }),
  );
});

test('a stream says what the whole answer says, wherever it is cut', () => {
  fc.assert(
    fc.property(answer, ({ cuts, ...said }) => {
      const stream = new MessagesStream(ID, { model: 'm' }).fromChat();
      let wire = '';
      for (const payload of chunksOf(said, cuts[Symbol.iterator]())) {
        expect(stream.inspect(payload).valid).toBe(true);
        wire += stream.write(payload);
      }
      wire += stream.end(SETTLED);
      const whole = JSON.parse(messageOf(completionOf(said), ID).toString()) as ReturnType<typeof gathered>;
      const streamed = gathered(wire);
      expect(streamed.stop_reason).toBe(whole.stop_reason);
      // A whole message has more usage than a stream's end.
      expect(whole.usage).toMatchObject(streamed.usage as object);
      // A signature is next to its call in a stream, and next to the reasoning in a whole answer.
      const seen = (blocks: readonly Block[]) => blocks.filter(({ type }) => type !== 'thinking');
      expect(seen(streamed.content)).toEqual(seen(whole.content));
      expect(sentBack(streamed.content, GEMINI)).toEqual(sentBack(whole.content, GEMINI));
      expect(sentBack(streamed.content, READING)).toEqual(sentBack(whole.content, READING));
      expect(stream.end(SETTLED)).toBe(stream.end(SETTLED));
    }),
  );
});
