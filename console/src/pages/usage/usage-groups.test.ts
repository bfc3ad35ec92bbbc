import { expect, test } from 'vitest';
import type { UsageSumsJson } from '../../../../src/control/admin/usage/usage-contract.ts';
import { tokensOf } from './usage-groups.ts';

test('the tokens of a group are those of all classes together', () => {
  const tokens = { input: '1', cached_input: '20', output: '300', audio_output: '4000' };
  expect(tokensOf({ tokens } as unknown as UsageSumsJson)).toBe(4_321n);
});
