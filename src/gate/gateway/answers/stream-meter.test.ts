import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inspectChunk } from '../../openai/chat-chunk.ts';
import { StreamMeter } from './stream-meter.ts';

function meter(choices: number, chunks: readonly object[]): StreamMeter {
  const result = new StreamMeter(choices);
  for (const chunk of chunks) result.add(inspectChunk(Buffer.from(JSON.stringify(chunk))));
  return result;
}

const counts = (prompt: number, completion: number) => ({
  prompt_tokens: prompt,
  completion_tokens: completion,
  total_tokens: prompt + completion,
});
const says = (index: number, content = 'x') => ({ index, delta: { content }, finish_reason: null });
const ends = (index: number) => ({ index, delta: {}, finish_reason: 'stop' });

test('output beyond a cap is what is reported of text and of speech together', () => {
  const details = (audio: number) => ({ completion_tokens_details: { audio_tokens: audio } });
  const said = meter(1, [{ choices: [says(0)], usage: { ...counts(9, 60), ...details(20) } }]);
  expect(said.usage).toMatchObject({ output: 40, audio_output: 20 });
  expect([said.exceeds(60), said.exceeds(59)]).toEqual([false, true]);
});

test('speech that nobody has counted is beyond a cap where no model could speak so long', () => {
  const spoken = (base64: string) => ({
    choices: [{ index: 0, delta: { audio: { data: base64 } }, finish_reason: null }],
  });
  const said = meter(1, [spoken('A'.repeat(40_000)), spoken('A'.repeat(24_000))]);
  expect(said).toMatchObject({ hasContent: true, contentBytes: 0, audioBytes: 64_000 });
  expect([said.exceeds(2), said.exceeds(1)]).toEqual([false, true]);
});

// vLLM with continuous_usage_stats: vllm/entrypoints/openai/serving_chat.py fills each chunk's usage from
// previous_num_tokens[i], the choice's own count, and the last chunk's from the sum.
const vllm = [
  { choices: [{ index: 0, delta: { role: 'assistant', content: '' } }], usage: counts(9, 0) },
  { choices: [{ index: 1, delta: { role: 'assistant', content: '' } }], usage: counts(9, 0) },
  { choices: [says(0)], usage: counts(9, 1) },
  { choices: [says(1)], usage: counts(9, 1) },
  { choices: [says(0)], usage: counts(9, 2) },
  { choices: [says(1)], usage: counts(9, 2) },
  { choices: [says(1)], usage: counts(9, 3) },
];

test('usage of several choices that breaks off is the sum where each chunk tells of its own choice', () => {
  expect(meter(2, vllm).usage).toMatchObject({ input: 9, output: 5 });
});

test('usage of several choices is what the last chunk says of all of them', () => {
  const whole = [...vllm, { choices: [], usage: counts(9, 6) }];
  expect(meter(2, whole).usage).toMatchObject({ input: 9, output: 6 });
});

test('usage of several choices is the sum where it stands in the choices', () => {
  // Moonshot's reference for streaming (platform.moonshot.ai/docs, read in August 2026): choices[0].usage.
  const chunks = [
    { choices: [says(0)] },
    { choices: [says(1)] },
    { choices: [{ ...ends(1), usage: counts(9, 4) }] },
    { choices: [{ ...ends(0), usage: counts(9, 7) }] },
  ];
  expect(meter(2, chunks).usage).toMatchObject({ input: 9, output: 11 });
});

test('usage of several choices is counted once where each chunk tells of the whole answer', () => {
  const chunks = [1, 2, 3, 4, 5].map((output) => ({ choices: [says(output % 2)], usage: counts(9, output) }));
  expect(meter(2, chunks).usage).toMatchObject({ input: 9, output: 5 });
  const closing = [
    { choices: [ends(0)], usage: counts(9, 5) },
    { choices: [ends(1)], usage: counts(9, 5) },
  ];
  expect(meter(2, [...chunks, ...closing]).usage).toMatchObject({ input: 9, output: 5 });
});

test('usage of several choices is exact for any interleaving of choices that each count their own', () => {
  const order = fc.array(fc.nat(2), { minLength: 3, maxLength: 60 });
  fc.assert(
    fc.property(order, (choices) => {
      const said = [0, 0, 0];
      const chunks = choices.map((index) => {
        said[index] = (said[index] ?? 0) + 1;
        return { choices: [says(index)], usage: counts(9, said[index]) };
      });
      const total = meter(3, chunks).usage?.output ?? 0;
      const isEvident = chunks.some(({ usage }, at) => {
        const before = chunks[at - 1];
        const isOther = before !== undefined && choices[at - 1] !== choices[at];
        return isOther && usage.completion_tokens <= before.usage.completion_tokens;
      });
      expect(total).toBe(isEvident ? choices.length : Math.max(...said));
    }),
  );
});

test('the largest report of one choice counts, until one comes in a chunk of its own', () => {
  // Perplexity counts on in every chunk: vercel/ai, packages/perplexity/src/__fixtures__ (August 2026).
  const running = [1, 2, 3].map((output) => ({ choices: [says(0)], usage: counts(9, output) }));
  expect(meter(1, running).usage).toMatchObject({ output: 3 });
  expect(meter(1, [...running, { choices: [], usage: counts(9, 2) }]).usage).toMatchObject({ output: 2 });
});
