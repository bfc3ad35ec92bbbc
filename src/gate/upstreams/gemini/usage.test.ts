import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readUsage } from '../../openai/usage.ts';
import { JsonView } from '../json-view.ts';
import { usageOf } from './usage.ts';

const of = (metadata: object) => usageOf(JsonView.of(Buffer.from(JSON.stringify(metadata))) ?? undefined);

test('Gemini’s usage counts thoughts where there is no total', () => {
  const usage = of({ promptTokenCount: 7, candidatesTokenCount: 5, thoughtsTokenCount: 900 });
  expect(readUsage(usage)).toMatchObject({ input: 7, output: 905 });
  expect(usage).toMatchObject({ total_tokens: 912, completion_tokens_details: { reasoning_tokens: 900 } });
});

test.each([-1, 0.5, '7', 1e300, [7], true])(
  'Gemini’s usage with a count of %j is none, so that it is estimated',
  (wrong) => {
    for (const name of ['promptTokenCount', 'thoughtsTokenCount', 'totalTokenCount', 'cachedContentTokenCount']) {
      expect(of({ promptTokenCount: 7, candidatesTokenCount: 5, [name]: wrong })).toBeNull();
    }
  },
);

const count = fc.integer({ min: 0, max: 1_000_000 });

test('Gemini’s usage counts every token once: the classes that are paid add up to the total', () => {
  fc.assert(
    fc.property(
      count,
      count,
      count,
      count,
      fc.nat(100),
      fc.nat(100),
      (prompt, candidates, thoughts, toolUse, cachedPart, audioPart) => {
        fc.pre(prompt > 0);
        const cached = Math.floor((prompt * cachedPart) / 100);
        const audio = Math.floor((prompt * audioPart) / 100);
        const cachedAudio = Math.floor((Math.min(cached, audio) * cachedPart) / 100);
        const total = prompt + candidates + thoughts + toolUse;
        const usage = of({
          promptTokenCount: prompt,
          candidatesTokenCount: candidates,
          thoughtsTokenCount: thoughts,
          toolUsePromptTokenCount: toolUse,
          totalTokenCount: total,
          cachedContentTokenCount: cached,
          promptTokensDetails: [
            { modality: 'TEXT', tokenCount: prompt - audio },
            { modality: 'AUDIO', tokenCount: audio },
          ],
          cacheTokensDetails: [{ modality: 'AUDIO', tokenCount: cachedAudio }],
        });
        expect(usage).toMatchObject({
          prompt_tokens: prompt + toolUse,
          completion_tokens: candidates + thoughts,
          total_tokens: total,
        });
        const paid = readUsage(usage);
        if (paid === null) throw new Error('nothing was read');
        expect(Object.values(paid).reduce((sum, tokens) => sum + tokens, 0)).toBe(total);
        expect(paid).toMatchObject({ cached_input: cached, output: candidates + thoughts });
        expect(paid.audio_input).toBe(Math.min(audio - cachedAudio, prompt + toolUse - cached));
      },
    ),
  );
});

test('Gemini’s usage is not there where nothing is counted', () => {
  expect(usageOf(undefined)).toBeNull();
  expect(of({ trafficType: 'ON_DEMAND' })).toBeNull();
});

test('Gemini’s usage believes a total that says more than the counts beside it', () => {
  expect(of({ promptTokenCount: 10, totalTokenCount: 30 })).toMatchObject({
    completion_tokens: 20,
    total_tokens: 30,
  });
});
