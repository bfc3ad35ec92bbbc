import { expect, test } from 'vitest';
import { thinkingOf, withThinking } from './thinking-blocks.ts';
import { Untranslatable } from '../../openai/untranslatable.ts';

const THOUGHT = { type: 'thinking', thinking: 'hm', signature: 's' };
const REDACTED = { type: 'redacted_thinking', data: 'xyz' };
const TEXT = { type: 'text', text: 'so' } as const;
const USE = { type: 'tool_use', id: 'c', name: 'f', input: {} } as const;

test.each<[string, unknown, readonly object[]]>([
  ['none', undefined, [TEXT, USE]],
  ['null', null, [TEXT, USE]],
  ['without places stand first', [THOUGHT, REDACTED], [THOUGHT, REDACTED, TEXT, USE]],
  [
    'with places stand there',
    [
      { ...THOUGHT, index: 0 },
      { ...REDACTED, index: 2 },
    ],
    [THOUGHT, TEXT, REDACTED, USE],
  ],
  ['with places beyond all stand last', [{ ...THOUGHT, index: 99 }], [TEXT, USE, THOUGHT]],
])('thoughts that come back: %s', (_case, blocks, expected) => {
  expect(withThinking([TEXT, USE], blocks, 'here')).toEqual(expected);
});

test('thoughts that come back stand where they stood, whatever the answer was', () => {
  const answer = [THOUGHT, TEXT, REDACTED, { ...THOUGHT, signature: 't' }, USE, USE];
  const thoughts = answer.flatMap((block, index) => thinkingOf(block, index) ?? []);
  const others = [TEXT, USE, USE];
  expect(withThinking(others, thoughts, 'here')).toEqual(answer);
});

test.each([['a text'], [[{ type: 'thinking', thinking: 'unsigned' }]], [[null]], [[TEXT]]])(
  'thoughts that come back that are %j are refused',
  (blocks) => {
    expect(() => withThinking([TEXT], blocks, 'here')).toThrow(Untranslatable);
  },
);
