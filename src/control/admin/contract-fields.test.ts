import { expect, test } from 'vitest';
import { reason } from './contract-fields.ts';

test.each([
  ['a word', 'unpaid', true],
  ['words with blanks around them', ' they left ', true],
  ['nothing', '', false],
  ['a blank', ' ', false],
  ['blanks of other kinds', '\u00a0 \u3000', false],
  ['a line break', 'two\nlines', false],
])('a reason of %s is accepted or refused for what it says', (_what, text, isAccepted) => {
  expect(reason.safeParse(text).success).toBe(isAccepted);
});
