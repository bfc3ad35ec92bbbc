import { expect, test } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.ts';
import type { SchemaForms } from './schema-forms.ts';
import { type Capability, type OwnTools, strategiesFor } from './strategy.ts';
import { StrategyMemory } from './strategy-memory.ts';

const form = { text: '{}', isOriginal: false };
const fits: SchemaForms = { root: 'object', isCurrent: true, byProvider: { openai: form, gemini: form } };
const unfit: SchemaForms = { root: 'object', isCurrent: true, byProvider: { openai: null, gemini: null } };
const noObject: SchemaForms = { root: 'any', isCurrent: true, byProvider: { openai: null, gemini: null } };
/** Of an older dialect, in a way that others would misread. */
const former: SchemaForms = { ...fits, isCurrent: false };

test.each<[Capability['support'], Capability['provider'], SchemaForms, OwnTools, string]>([
  ['strict', 'openai', fits, 'none', 'strict json_mode instruction'],
  ['strict', 'openai', unfit, 'none', 'native json_mode instruction'],
  ['strict', 'openai', noObject, 'none', 'instruction'],
  ['strict', 'gemini', unfit, 'none', 'json_mode instruction'],
  ['strict', null, unfit, 'none', 'native json_mode instruction'],
  ['strict', null, noObject, 'none', 'native instruction'],
  ['json_mode', null, fits, 'none', 'json_mode instruction'],
  ['json_mode', null, noObject, 'none', 'instruction'],
  ['tool', null, fits, 'free', 'tool instruction'],
  ['tool', null, fits, 'forced', 'instruction'],
  ['tool', null, { ...fits, root: 'objects' }, 'none', 'instruction'],
  ['none', null, fits, 'none', 'instruction'],
  ['strict', 'openai', former, 'none', 'strict json_mode instruction'],
  ['strict', null, former, 'none', 'json_mode instruction'],
  ['tool', null, former, 'none', 'instruction'],
])('an upstream can be asked in these ways: %s of %s', (support, provider, forms, tools, expected) => {
  expect(strategiesFor({ support, provider }, forms, tools).join(' ')).toBe(expected);
});

const route = { provider: 'p', upstreamModel: 'm' };

test('what a route has turned down is not tried again for a while, by that route alone', async () => {
  const clock = new ManualClock();
  const memory = new StrategyMemory(clock);
  memory.turnedDown(route, ['strict']);
  expect(memory.firstOf(route, ['strict', 'json_mode', 'instruction'])).toBe(1);
  expect(memory.firstOf({ ...route, upstreamModel: 'n' }, ['strict', 'json_mode'])).toBe(0);
  expect(memory.firstOf(route, ['strict'])).toBe(0);
  await clock.advance(11 * 60_000);
  expect(memory.firstOf(route, ['strict', 'json_mode'])).toBe(0);
});
