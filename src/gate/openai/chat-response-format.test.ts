import { expect, test } from 'vitest';
import { readChatRequest } from './chat-request.ts';

const read = (format: string): ReturnType<typeof readChatRequest> =>
  readChatRequest(Buffer.from(`{"model":"m","messages":[{"role":"user","content":"é"}],"response_format":${format}}`));

test('a format by a schema is noted with its name, its flag and where its schema stands', () => {
  const reading = read(
    '{"json_schema" : {"strict":true, "schema": {"type":"object"} ,"name":"a-b_1"},"type":"json_schema"}',
  );
  if (!reading.ok) throw new Error(reading.fault.message);
  const { body, schemaFormat } = reading.request;
  expect(schemaFormat).toMatchObject({ name: 'a-b_1', strict: true });
  const { schemaStart = 0, schemaEnd = 0 } = schemaFormat ?? {};
  expect(body.toString('utf8', schemaStart, schemaEnd)).toBe('{"type":"object"}');
});

test.each([
  ['', false],
  ['"strict":null,', false],
  ['"strict":false,', false],
  ['"strict":true,', true],
])('a format by a schema with %j is strict: %s', (member, strict) => {
  const reading = read(`{"type":"json_schema","json_schema":{${member}"name":"a","schema":{}}}`);
  expect(reading).toMatchObject({ request: { schemaFormat: { strict } } });
});

test('a format by a schema is refused unread where it is larger than any schema that is taken', () => {
  const refused = { ok: false, fault: { param: 'response_format' } };
  const large = (filling: string): string =>
    `{"type":"json_schema","json_schema":{"name":"a","schema":{"enum":[${filling}]}}}`;
  expect(read(large('1,'.repeat(150_000) + '1'))).toMatchObject(refused);
  // The rest isn't read, so it isn't known whether it is JSON.
  expect(read(large('1,'.repeat(150_000) + 'x'))).toMatchObject(refused);
  expect(read(large('1,'.repeat(100_000) + '1'))).toMatchObject({ ok: true });
});

test('a format by a schema counts for more input, because a model may have to be told of it', () => {
  const size = (format: string): number => {
    const reading = read(format);
    return reading.ok ? reading.request.size.textBytes - reading.request.body.length : 0;
  };
  const [plain, schema] = ['{"type":"json_object"}', '{"type":"json_schema","json_schema":{"name":"a","schema":{}}}'];
  expect([size(plain), size(schema)]).toEqual([plain.length, schema.length + 2_048]);
});

test.each([
  ['none at all', 'null'],
  ['text', '{"type":"text"}'],
  ['JSON mode', '{"type":"json_object","schema":{"type":"object"}}'],
  ['something that is unknown here', '{"type":"grammar","json_schema":3}'],
  ['no object', '"json_schema"'],
])('a format by a schema is not taken from %s', (_what, format) => {
  expect(read(format)).toMatchObject({ ok: true, request: { schemaFormat: null } });
});

test.each([
  ['is missing', '{"type":"json_schema"}', 'response_format.json_schema'],
  ['is null', '{"type":"json_schema","json_schema":null}', 'response_format.json_schema'],
  ['is given twice', '{"type":"json_schema","json_schema":{},"json_schema":{}}', 'response_format.json_schema'],
  ['is spelt for other readers', '{"type":"json_schema","JSON_schema":{}}', 'response_format.json_schema'],
  [
    'has two schemas',
    '{"type":"json_schema","json_schema":{"name":"a","schema":{},"schema":{}}}',
    'response_format.json_schema.schema',
  ],
  ['has no name', '{"type":"json_schema","json_schema":{"schema":{}}}', 'response_format.json_schema.name'],
  [
    'has a long name',
    `{"type":"json_schema","json_schema":{"name":"${'a'.repeat(65)}","schema":{}}}`,
    'response_format.json_schema.name',
  ],
  [
    'has a number for a name',
    '{"type":"json_schema","json_schema":{"name":1,"schema":{}}}',
    'response_format.json_schema.name',
  ],
  [
    'has a list for a schema',
    '{"type":"json_schema","json_schema":{"name":"a","schema":[]}}',
    'response_format.json_schema.schema',
  ],
  [
    'has a number for a flag',
    '{"type":"json_schema","json_schema":{"name":"a","schema":{},"strict":1}}',
    'response_format.json_schema.strict',
  ],
])('a format by a schema that %s is refused', (_what, format, param) => {
  expect(read(format)).toMatchObject({ ok: false, fault: { param } });
});
