import { expect, test } from 'vitest';
import { judgeQuickly, quickCheckBy } from './quick-judgement.ts';

// What is judged on the thread that serves requests must be done in no time, whatever the schema and the answer are.

const CHARACTERS = 8 * 1_024;

/** As many parts as fit, between brackets. */
function filled(open: string, part: (at: number) => string, close: string, most = CHARACTERS): string {
  let text = open;
  for (let at = 0; ; at++) {
    const next = `${at === 0 ? '' : ','}${part(at)}`;
    if (text.length + next.length + close.length > most) return text + close;
    text += next;
  }
}

/** Applies two schemas to each element of a list, each of which applies two to each of its elements, and so on. */
function doubling(levels: number): string {
  const level = (at: number): object => ({
    type: 'array',
    items: { anyOf: [{ $ref: `#/$defs/d${at + 1}` }, { $ref: `#/$defs/d${at + 1}` }] },
  });
  const $defs = Object.fromEntries(Array.from({ length: levels + 1 }, (_, at) => [`d${at}`, at < levels && level(at)]));
  return JSON.stringify({ $ref: '#/$defs/d0', $defs });
}

const ONES = filled('[', () => '1', ']');
const EMAIL = `"${'a'.repeat(4_000)}@${'b-b.'.repeat(1_000)}"`;

const HOSTILE: Readonly<Record<string, readonly [schema: string, answer: string]>> = {
  'each level is twice the one before': [doubling(40), `${'['.repeat(40)}0${']'.repeat(40)}`],
  'each element has all of many schemas': [filled('{"items":{"allOf":[', () => '{"type":"integer"}', ']}}'), ONES],
  'each element has all of very many schemas': [filled('{"items":{"allOf":[', () => 'true', ']}}'), ONES],
  'each element has none of very many schemas': [filled('{"items":{"anyOf":[', () => 'false', ']}}'), ONES],
  'each object lacks many names': [
    `{"items":${filled('{"required":[', (at) => `"k${at}"`, ']}', 8_000)}}`,
    filled('[', () => '{}', ']'),
  ],
  'each object may have many names': [
    `{"items":${filled('{"properties":{', (at) => `"k${at}":true`, '}}', 8_000)}}`,
    filled('[', () => '{}', ']'),
  ],
  'a long text has a format many times': [filled('{"anyOf":[', () => '{"format":"email"}', ']}'), EMAIL],
  'a long text has a length many times': [
    filled('{"allOf":[', () => '{"minLength":5000}', ']}'),
    `"${'é'.repeat(8_000)}"`,
  ],
  'a long text is one of many': [
    filled('{"anyOf":[', (at) => `{"const":"${'a'.repeat(9)}${at}"}`, ']}'),
    `"${'a'.repeat(8_000)}"`,
  ],
};

test('a judgement by the way is that of an answer as it was meant', () => {
  const check = quickCheckBy('{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]}');
  expect(check && judgeQuickly(' {"a": 1}\n', check, 1)).toEqual({ conforms: true, content: '{"a": 1}' });
  for (const unsure of [
    '{"a":"x"}',
    '```\n{"a":1}\n```',
    '{"a":1,"a":2}',
    '{"a":1e0}',
    '{"a":1',
    '{"a\\\\":1,"a":1}',
  ]) {
    expect(check && judgeQuickly(unsure, check, 1)).toBeNull();
  }
});

test.each(Object.entries(HOSTILE))(
  'a judgement by the way takes a few milliseconds at most where %s',
  (_what, [schema, answer]) => {
    expect(Math.max(schema.length, answer.length)).toBeLessThanOrEqual(CHARACTERS);
    const check = quickCheckBy(schema);
    if (check === null) throw new Error('this schema is none that is judged by the way');
    // The shortest of a few, for the machine may do something else meanwhile.
    const tookMs = Array.from({ length: 5 }, () => {
      const sinceMs = performance.now();
      judgeQuickly(answer, check, 1);
      return performance.now() - sinceMs;
    });
    expect(Math.min(...tookMs)).toBeLessThan(5);
  },
);

test('a judgement by the way is left to the validator where the schema is large, or the answers together are', () => {
  expect(quickCheckBy(JSON.stringify({ type: 'string', description: 'x'.repeat(CHARACTERS) }))).toBeNull();
  const check = quickCheckBy('{"type":"string"}');
  const quarter = JSON.stringify('x'.repeat(CHARACTERS / 4 - 2));
  expect(check && [4, 5].map((among) => judgeQuickly(quarter, check, among)?.conforms)).toEqual([true, undefined]);
});

test('a judgement by the way shares its steps among the answers that come together', () => {
  const check = quickCheckBy('{"items":{"type":"integer"}}');
  const thousand = JSON.stringify(Array.from({ length: 1_000 }, () => 1));
  expect(check && [1, 4].map((among) => judgeQuickly(thousand, check, among)?.conforms)).toEqual([true, undefined]);
});
