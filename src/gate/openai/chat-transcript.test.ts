import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ChatTranscript } from './chat-transcript.ts';

interface Chunk {
  readonly id: string;
  readonly choices: readonly {
    index: number;
    delta: { role?: string; content?: string };
    finish_reason: string | null;
  }[];
  readonly usage?: object | null;
}

const payload = (choices: readonly object[], more: object = {}): Buffer =>
  Buffer.from(JSON.stringify({ id: 'c', choices, ...more }));
const delta = (index: number, said: object, finish: string | null = null): object => ({
  index,
  delta: said,
  finish_reason: finish,
});

function transcriptOf(payloads: readonly Buffer[]): ChatTranscript {
  const transcript = new ChatTranscript();
  for (const each of payloads) transcript.add(each);
  return transcript;
}

test('what is said in pieces is put together, choice by choice, in whatever order the pieces come', () => {
  const pieces = fc.array(fc.tuple(fc.nat(2), fc.string({ unit: 'grapheme', maxLength: 5 })), { maxLength: 20 });
  fc.assert(
    fc.property(pieces, (said) => {
      const transcript = transcriptOf(said.map(([index, content]) => payload([delta(index, { content })])));
      for (const [index, { content }] of transcript.choices()) {
        expect(content).toBe(said.flatMap(([at, text]) => (at === index ? [text] : [])).join(''));
      }
    }),
  );
});

test('calls come in pieces too, with an index or without', () => {
  const transcript = transcriptOf([
    payload([delta(0, { tool_calls: [{ index: 0, id: 'a', function: { name: 'f', arguments: '' } }] })]),
    payload([delta(0, { tool_calls: [{ index: 1, function: { name: 'g', arguments: '{"b"' } }] })]),
    payload([
      delta(0, {
        tool_calls: [
          { index: 0, function: { arguments: '{}' } },
          { index: 1, function: { arguments: ':1}' } },
        ],
      }),
    ]),
    payload([delta(0, {}, 'tool_calls')]),
    payload([delta(1, { tool_calls: [{ function: { name: 'h', arguments: '{}' } }], refusal: 'No.' }, 'stop')]),
  ]);
  expect(transcript.choices().get(0)).toMatchObject({
    content: null,
    finishReason: 'tool_calls',
    calls: [
      { name: 'f', arguments: '{}' },
      { name: 'g', arguments: '{"b":1}' },
    ],
  });
  expect(transcript.choices().get(1)).toMatchObject({ isRefusal: true, calls: [{ name: 'h', arguments: '{}' }] });
});

test('the same stream with another content begins, goes on and ends as streams do, and others stay', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (content) => {
      const usage = payload([], { usage: { total_tokens: 3 } });
      const other = payload([delta(1, { content: 'kept' })]);
      const transcript = transcriptOf([
        payload([delta(0, { role: 'assistant' })]),
        other,
        payload([delta(0, { tool_calls: [{ index: 0, function: { name: 'f', arguments: '{}' } }] })]),
        payload([delta(0, {}, 'tool_calls'), delta(1, {}, 'length')]),
        usage,
      ]);
      const events = transcript.withContents(new Map([[0, content]]));
      const chunks = events.map((each) => JSON.parse(each.toString()) as Chunk);
      const mine = chunks.flatMap(({ choices }) => choices.filter(({ index }) => index === 0));
      expect(mine[0]?.delta).toEqual({ role: 'assistant', content: '' });
      expect(mine.map((choice) => choice.delta.content ?? '').join('')).toBe(content);
      expect(mine.map((choice) => choice.finish_reason).filter((reason) => reason !== null)).toEqual(['stop']);
      expect(mine.at(-1)?.finish_reason).toBe('stop');
      expect(chunks.every(({ id }) => id === 'c')).toBe(true);
      expect(events).toContain(other);
      expect(events.at(-1)).toBe(usage);
      const rest = chunks.flatMap(({ choices }) => choices.filter(({ index }) => index === 1));
      expect(rest.map((choice) => choice.finish_reason)).toEqual([null, 'length']);
    }),
  );
});
