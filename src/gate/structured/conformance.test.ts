import { expect, test } from 'vitest';
import { judge } from './conformance.ts';
import { checkSchema } from './schema-check.ts';
import { compileSchema } from './schema-validator.ts';

async function judged(schema: object | string, text: string): Promise<ReturnType<typeof judge>> {
  const checked = checkSchema(typeof schema === 'string' ? schema : JSON.stringify(schema));
  if ('message' in checked) throw new Error(checked.message);
  const validate = await compileSchema(checked);
  if (typeof validate !== 'function') throw new Error(validate.message);
  return judge(text, checked, validate);
}

async function failuresOf(schema: object | string, text: string): Promise<readonly string[]> {
  const judgement = await judged(schema, text);
  return judgement.conforms ? [] : judgement.failures.map(({ pointer, keyword }) => `${pointer} ${keyword}`);
}

test('a part that was meant is taken for the whole, if it conforms', async () => {
  const schema = { type: 'object', required: ['a'] };
  expect(await judged(schema, 'It is {"a":1}.')).toEqual({ conforms: true, content: '{"a":1}' });
  expect(await failuresOf(schema, 'It is {"b":1}.')).toEqual([' required']);
  expect(await failuresOf({ type: 'string' }, '"It is {\\"a\\":1}."')).toEqual([]);
});

test('failures tell only of names that the schema itself speaks of', async () => {
  const schema = {
    properties: { known: { properties: { b: false }, additionalProperties: { type: 'integer' } } },
    required: ['needed'],
    additionalProperties: { items: { type: 'integer' } },
  };
  const text = JSON.stringify({ known: { b: 1, 'a secret': 'x', needed: 'y' }, 42: [1, 'x'], 'all of it': [['x']] });
  expect(await failuresOf(schema, text)).toEqual([
    '/known/b false',
    '/known/* type',
    '/known/needed type',
    ' required',
    '/*/1 type',
    '/*/0 type',
  ]);
  expect(await failuresOf(schema, '{"the answer":1,"the answer":2}')).toEqual(['/* duplicate_key']);
});

test('integers that doubles round are judged only where nothing is compared with them', async () => {
  const text = '{"id":12345678901234567891}';
  expect(await failuresOf({ properties: { id: { type: 'integer' } } }, text)).toEqual([]);
  expect(await failuresOf({ properties: { id: { minimum: 0 } } }, text)).toEqual(['/id number_range']);
  // A bound that is rounded itself might let the next integer in.
  expect(
    await failuresOf('{"properties":{"id":{"maximum":9223372036854775807}}}', '{"id":9223372036854775808}'),
  ).toEqual(['/id number_range']);
  expect(await failuresOf({ properties: { id: { minimum: 0 } } }, '{"id":9007199254740992}')).toEqual([]);
});

test('no more failures are told than a model can use', async () => {
  const text = JSON.stringify(Array.from({ length: 100 }, () => 'x'));
  expect(await failuresOf({ items: { type: 'integer' } }, text)).toHaveLength(10);
});
