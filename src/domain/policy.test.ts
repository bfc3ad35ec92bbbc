import { expect, test } from 'vitest';
import { allowsModel, type ModelPolicy } from './policy.ts';

test.each([
  ['no policy', [], 'anything', true],
  ['policies that allow all', [null, null], 'anything', true],
  ['a list with the model', [['a', 'b']], 'b', true],
  ['a list without it', [['a', 'b']], 'c', false],
  ['an empty list', [[]], 'a', false],
  ['an id that is longer', [['a']], 'ab', false],
  ['an id that differs by case', [['Model']], 'model', false],
  ['a prefix', [['sandbox/*']], 'sandbox/echo', true],
  ['a prefix that the model only begins', [['sandbox/*']], 'sandbox', false],
  ['the empty prefix', [['*']], 'a/b', true],
  ['a star that is not at the end', [['*/echo']], 'sandbox/echo', false],
  ['a project that allows and a key that does not', [['a', 'b'], ['a']], 'b', false],
  ['a project that does not and a key that allows', [['a'], null], 'b', false],
  ['a project and a key that both allow', [['a*'], ['ab']], 'ab', true],
] as const satisfies readonly (readonly [string, readonly ModelPolicy[], string, boolean])[])(
  'a policy decides which models may be called: %s',
  (_name, policies, modelId, allowed) => {
    expect(allowsModel(policies, modelId)).toBe(allowed);
  },
);
