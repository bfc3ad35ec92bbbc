import { expect, test } from 'vitest';
import { DEPTH_MAX, readPlainJson } from './plain-json.ts';

test.each<[string, unknown]>([
  ['{"a":{"b":[1,-2.5,"x:y",null]},"c":{}} ', { a: { b: [1, -2.5, 'x:y', null] }, c: {} }],
  [String.raw`{"a\"{[:":"\\","b":"\":\"1e5"}`, { 'a"{[:': '\\', b: '":"1e5' }],
  ['123456789012345', 123_456_789_012_345],
  ['[-12345678901234,0.1234567890123]', [-12_345_678_901_234, 0.1234567890123]],
  [`${'['.repeat(DEPTH_MAX)}${']'.repeat(DEPTH_MAX)}`, JSON.parse(`${'['.repeat(DEPTH_MAX)}${']'.repeat(DEPTH_MAX)}`)],
  [`[${'{"a":[]},'.repeat(200)}1]`, [...Array.from({ length: 200 }, () => ({ a: [] })), 1]],
  ['"1e5 is text"', '1e5 is text'],
])('JSON is plain where it is %s', (text, value) => {
  expect(readPlainJson(text)).toEqual({ value });
});

test.each([
  ['a name given twice', '{"a":1,"a":2}'],
  ['a name given twice within', '[{"b":{"a":1,"a":2}}]'],
  ['a name given twice, once escaped', String.raw`{"a":1,"\u0061":2}`],
  ['a name with a backslash', String.raw`{"a\\":1}`],
  ['a number with 16 characters', '1234567890123456'],
  ['a long fraction', '[0.12345678901234]'],
  ['an exponent', '{"a":1e5}'],
  ['an exponent in capitals', '{"a":1E5}'],
  ['a level more than any reader follows', `${'['.repeat(DEPTH_MAX + 1)}${']'.repeat(DEPTH_MAX + 1)}`],
  ['a level more, of objects', `${'{"a":'.repeat(DEPTH_MAX + 1)}1${'}'.repeat(DEPTH_MAX + 1)}`],
  ['no end', '{"a":1'],
  ['a string without its end', '"a'],
  ['a string that ends with a backslash', '"a\\'],
  ['two values', '1 2'],
  ['nothing', ''],
])('JSON that has %s needs a closer look', (_what, text) => {
  expect(readPlainJson(text)).toBeNull();
});
