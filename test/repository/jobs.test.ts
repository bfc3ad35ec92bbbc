import { expect, test } from 'vitest';
import { FILES } from './tree.ts';

const program = FILES.filter(({ path }) => /^src\/.*(?<!\.test)\.ts$/.test(path));

/** The functions that delete what is over its time, by the file that has them. */
const PRUNING = program.flatMap(({ path, text }) =>
  [...text.matchAll(/^export (?:async )?function (prune\w+|expire\w+)\(/gm)].map(([, name = '']) => ({ path, name })),
);

test('everything that deletes or ends what is over its time is run by a job of the program', () => {
  expect(PRUNING.length).toBeGreaterThan(8);
  const forgotten = PRUNING.filter(
    ({ path, name }) =>
      !program.some((file) => file.path !== path && new RegExp(`(?:=>|await) ${name}\\(`).test(file.text)),
  );
  expect(forgotten).toEqual([]);
});
