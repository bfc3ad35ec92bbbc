import { expect, test } from 'vitest';
import { chosenFor } from './chosen-for.ts';

const MODELS = [{ id: 'openai/large' }, { id: 'small' }];
const SPENT = { id: 'spent', models: null, left_nano_usd: '0' };
const NARROW = { id: 'narrow', models: ['small'], left_nano_usd: '5' };
const OPEN = { id: 'open', models: null, left_nano_usd: null };

const chosen = (projects: readonly (typeof SPENT | typeof NARROW | typeof OPEN)[], named = {}) => {
  const { model, project } = chosenFor(MODELS, projects, named);
  return [model?.id, project?.id];
};

test('the playground begins in a project that allows a model and has budget left', () => {
  expect(chosen([SPENT, NARROW, OPEN])).toEqual(['openai/large', 'open']);
  expect(chosen([SPENT, NARROW])).toEqual(['small', 'narrow']);
  expect(chosen([SPENT, NARROW], { model: 'openai/large' })).toEqual(['openai/large', 'spent']);
});

test('what the address names stays, even if it cannot pay or is not allowed', () => {
  expect(chosen([SPENT, OPEN], { project: 'spent' })).toEqual(['openai/large', 'spent']);
  expect(chosen([NARROW, OPEN], { model: 'openai/large', project: 'narrow' })).toEqual(['openai/large', 'narrow']);
});

test('without projects or models there is none to begin with', () => {
  expect(chosen([])).toEqual(['openai/large', undefined]);
  expect(chosenFor([], [OPEN], {})).toEqual({ model: undefined, project: OPEN });
});
