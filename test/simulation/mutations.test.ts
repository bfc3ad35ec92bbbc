import { expect, test } from 'vitest';
import { CELL_MUTATIONS } from './cells/cell-mutations.ts';
import { mutatedText, tryMutation } from './mutant.ts';
import { MUTATIONS } from './mutations.ts';

// A check that nothing can fail says nothing: each of these mistakes in the engine or its store is noticed within a few
// seeds. All that are listed: npm run simulate -- --mutations

const SEEDS_MAX = 400;
const STEPS = 200;
/** Each with the first seed that is tried: where the one that notices it is far from 1, those before it show nothing here. */
const TRIED = [
  ['a fenced epoch settles as if it lived', 9],
  ['a repeated draw takes effect again', 3],
  ['a hold closes twice', 1],
  ['a request charges a window that is over', 183],
  ['draws have no numbers', 1],
  ['a request holds the lowest rate of the tiers that it may be answered in', 1],
] as const;

for (const [name, from] of TRIED) {
  test(`the simulation notices that ${name}`, async () => {
    const mutation = MUTATIONS.find((each) => each.name === name);
    expect(mutation).toBeDefined();
    if (mutation === undefined) return;
    const { noticed } = await tryMutation(mutation, { of: 'processes', from, seedsMax: SEEDS_MAX, steps: STEPS });
    expect(noticed).not.toBeNull();
  });
}

test('every mistake that is listed can be made in the code as it is', async () => {
  const edits = [...MUTATIONS, ...CELL_MUTATIONS].flatMap((mutation) => mutation.edits);
  const texts = await Promise.all(edits.map((edit) => mutatedText(edit)));
  expect(new Set(texts).size).toBe(edits.length);
});
