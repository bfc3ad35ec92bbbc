import { expect, test } from 'vitest';
import { mutatedText, tryMutation } from './mutant.ts';
import { MUTATIONS } from './mutations.ts';

// A check that nothing can fail says nothing: each of these mistakes in the engine or its store is noticed within a few
// seeds. All that are listed: npm run simulate -- --mutations

const SEEDS_MAX = 400;
const STEPS = 200;
const TRIED = [
  'a fenced epoch settles as if it lived',
  'a repeated draw takes effect again',
  'a hold closes twice',
  'a request charges a window that is over',
  'draws have no numbers',
];

for (const name of TRIED) {
  test(`the simulation notices that ${name}`, async () => {
    const mutation = MUTATIONS.find((each) => each.name === name);
    expect(mutation).toBeDefined();
    if (mutation === undefined) return;
    const { noticed } = await tryMutation(mutation, SEEDS_MAX, STEPS);
    expect(noticed).not.toBeNull();
  });
}

test('every mistake that is listed can be made in the code as it is', async () => {
  const edits = MUTATIONS.flatMap((mutation) => mutation.edits);
  const texts = await Promise.all(edits.map((edit) => mutatedText(edit)));
  expect(new Set(texts).size).toBe(edits.length);
});
