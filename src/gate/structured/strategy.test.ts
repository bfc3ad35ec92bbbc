import { expect, test } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import type { SchemaForms } from './schema-forms.ts';
import { type Capability, type OwnTools, strategiesFor, takesAsSent } from './strategy.ts';
import { StrategyMemory } from './strategy-memory.ts';

const form = { text: '{}', isOriginal: false };
const fits: SchemaForms = { root: 'object', isCurrent: true, byProvider: { openai: form, gemini: form } };
const unfit: SchemaForms = { root: 'object', isCurrent: true, byProvider: { openai: null, gemini: null } };
const noObject: SchemaForms = { root: 'any', isCurrent: true, byProvider: { openai: null, gemini: null } };
/** A schema of an older dialect, which other servers would misinterpret. */
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

test.each<[string, Capability, SchemaForms, boolean]>([
  ['a server that takes any schema', { support: 'strict', provider: null }, noObject, true],
  ['a server that would misread it', { support: 'strict', provider: null }, former, false],
  ['OpenAI, by a schema of an object', { support: 'strict', provider: 'openai' }, unfit, true],
  ['OpenAI, by another', { support: 'strict', provider: 'openai' }, noObject, false],
  ['a server without structured output', { support: 'json_mode', provider: null }, fits, false],
])(
  'an upstream that speaks the dialect of a request is first sent it as it is: %s',
  (_what, capability, forms, first) => {
    expect(takesAsSent(capability, forms)).toBe(first);
  },
);

const route = { provider: 'p', upstreamModel: 'm' };
const MINUTE_MS = 60_000;

test('what a route has turned down is not tried again for a while, by that route alone', async () => {
  const clock = new ManualClock();
  const memory = new StrategyMemory(clock);
  memory.turnedDown(route, ['strict'], 1);
  expect(memory.firstOf(route, ['strict', 'json_mode', 'instruction'], 1)).toBe(1);
  expect(memory.firstOf({ ...route, upstreamModel: 'n' }, ['strict', 'json_mode'], 1)).toBe(0);
  expect(memory.firstOf(route, ['strict'], 1)).toBe(0);
  await clock.advance(6 * MINUTE_MS);
  memory.turnedDown(route, ['json_mode'], 1);
  expect(memory.firstOf(route, ['strict', 'json_mode', 'instruction'], 1)).toBe(2);
  await clock.advance(5 * MINUTE_MS);
  expect(memory.firstOf(route, ['strict', 'json_mode', 'instruction'], 1)).toBe(0);
});

test('a request that a route has not taken as it is, for its schema, says nothing of other schemas', () => {
  const memory = new StrategyMemory(new ManualClock());
  memory.turnedDown(route, ['passthrough', 'strict'], 1);
  expect(memory.firstOf(route, ['passthrough', 'strict', 'json_mode'], 1)).toBe(2);
  expect(memory.firstOf(route, ['passthrough', 'strict', 'json_mode'], 2)).toBe(0);
});

test('a route that answers with something else than JSON is sent a request as it is once more, then not for a while', async () => {
  const clock = new ManualClock();
  const memory = new StrategyMemory(clock);
  const first = (): number => memory.firstOf(route, ['passthrough', 'strict'], 1);
  memory.doubt(route, 1);
  expect(first()).toBe(0);
  await clock.advance(11 * MINUTE_MS);
  memory.doubt(route, 1);
  expect(first()).toBe(0);
  await clock.advance(9 * MINUTE_MS);
  memory.doubt(route, 1);
  expect(first()).toBe(1);
  await clock.advance(11 * MINUTE_MS);
  expect(first()).toBe(0);
});
