import { expect, test } from 'vitest';
import { readResponsesRequest, type ResponsesRequest } from './responses-request.ts';

function read(fields: object): ResponsesRequest {
  const result = readResponsesRequest(Buffer.from(JSON.stringify({ model: 'small', input: 'hi', ...fields })));
  if (!result.ok) throw new Error(result.fault.message);
  return result.request;
}

function faultOf(body: object | string): { param: string | null; message: string } {
  const result = readResponsesRequest(Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)));
  if (result.ok) throw new Error('the request was read');
  return result.fault;
}

/** The value, nested in this many lists. */
function nested(levels: number, value: unknown): unknown {
  return levels === 0 ? value : [nested(levels - 1, value)];
}

test('a request is read for what the gate goes by, and its body stays as it was sent', () => {
  const request = read({ stream: true, max_output_tokens: 7, whatever: [1], store: false });
  expect(request).toMatchObject({ model: 'small', stream: true, maxTokens: 7, schema: null, tools: [] });
  expect(request.body.toString()).toContain('"whatever":[1]');
});

test('media are counted, and their payloads are no text', () => {
  const payload = 'A'.repeat(10_000);
  const content = [
    { type: 'input_text', text: 'look' },
    { type: 'input_image', image_url: `data:image/png;base64,${payload}` },
    { type: 'input_image', image_url: `data:application/pdf;base64,${payload}` },
    { type: 'input_file', filename: 'a.pdf', file_data: payload },
    { type: 'input_audio', input_audio: { data: payload, format: 'wav' } },
    { type: 'of_next_year', text: 'a' },
  ];
  const { size } = read({ input: [{ role: 'user', content }] });
  expect(size).toMatchObject({ messages: 2, images: 1, files: 3, audios: 1 });
  expect(size.textBytes).toBeLessThan(1_500);
});

test('tools count twice, as templates may render them so, wherever they stand', () => {
  const tools = [{ type: 'function', name: 'weather', description: 'w'.repeat(1_000) }];
  const body = (fields: object): number => read(fields).size.textBytes;
  expect(body({ tools })).toBeGreaterThan(body({}) + 2_000);
  const input = [
    { type: 'additional_tools', role: 'developer', tools },
    { role: 'user', content: 'hi' },
  ];
  expect(body({ input })).toBeGreaterThan(2_000);
});

test.each([
  [{ tools: [{ type: 'namespace', name: 'a', tools: [{ type: 'mcp' }] }] }, 'tools[0].tools[0]'],
  [{ input: [{ type: 'additional_tools', tools: [{ type: 'code_interpreter' }] }] }, 'input[0].tools[0]'],
  [{ tools: [{}] }, 'tools[0].type'],
])('a request with a tool that can be neither sold nor left out is refused: %j', (fields, param) => {
  expect(faultOf({ model: 'small', input: 'hi', ...fields }).param).toBe(param);
});

test.each([
  [{ conversation: 'conv_1' }, 'conversation'],
  [{ conversation: { id: 'conv_1' } }, 'conversation'],
  [{ prompt: { id: 'pmpt_1' } }, 'prompt'],
  [{ input: [{ role: 'user', content: [{ type: 'input_image', file_id: 'file_1' }] }] }, 'input[0].content[0].file_id'],
  [{ input: [{ role: 'user', content: [{ type: 'input_file', file_id: 'file_1' }] }] }, 'input[0].content[0].file_id'],
  [
    { input: [{ type: 'function_call_output', call_id: 'c', output: [{ type: 'input_file', file_id: 'f' }] }] },
    'input[0].output[0].file_id',
  ],
  [
    { input: [{ type: 'computer_call_output', output: { type: 'computer_screenshot', file_id: 'f' } }] },
    'input[0].output.file_id',
  ],
  [{ input: [{ type: 'code_interpreter_call', container_id: 'c' }] }, 'input[0].container_id'],
  [{ input: [{ type: 'shell_call', environment: { container_id: 'c' } }] }, 'input[0].container_id'],
  [{ input: [{ type: 'shell_call', steps: nested(100, { file_id: 'f' }) }] }, 'input[0].file_id'],
])('a request that refers to something kept at the provider is refused: %j', (fields, param) => {
  expect(faultOf({ model: 'small', input: 'hi', ...fields }).param).toBe(param);
});

test('what refers to earlier answers is noted, whichever way it is written', () => {
  const fields = [
    { type: 'item_reference', id: 'msg_1' },
    { role: 'user', content: 'hi', id: 'msg_2' },
    { id: 'msg_3' },
    { type: 'reasoning', id: 'rs_1', summary: [] },
    { type: null, id: 'msg_4' },
    { type: null, role: 'user', content: 'hi', id: 'msg_5' },
  ];
  expect(read({ input: fields, previous_response_id: 'resp_1' })).toMatchObject({
    previous: 'resp_1',
    references: [
      { id: 'msg_1', index: 0 },
      { id: 'msg_3', index: 2 },
      { id: 'msg_4', index: 4 },
    ],
    mayBeKept: true,
  });
  expect(read({ previous_response_id: null, store: null })).toMatchObject({ previous: null, mayBeKept: true });
  expect(read({ store: false })).toMatchObject({ references: [], mayBeKept: false });
});

test.each([
  [{ previous_response_id: 5 }, 'previous_response_id'],
  [{ previous_response_id: 'x'.repeat(2_000) }, 'previous_response_id'],
  [{ input: [{ type: 'item_reference' }] }, 'input[0].id'],
  [{ input: [{ type: 'item_reference', id: '' }] }, 'input[0].id'],
  [{ input: ['x', 5] }, 'input[0]'],
  [{ input: [{ id: ['msg_1'] }] }, 'input[0].id'],
])('what can be no reference is refused: %j', (fields, param) => {
  expect(faultOf({ model: 'small', input: 'hi', ...fields }).param).toBe(param);
});

test('the place of a schema is known', () => {
  const schema = { type: 'object', properties: { a: { type: 'string' } } };
  const request = read({ text: { format: { type: 'json_schema', name: 'a', schema } } });
  const { schemaStart, schemaEnd } = request.schema ?? { schemaStart: 0, schemaEnd: 0 };
  expect(JSON.parse(request.body.toString('utf8', schemaStart, schemaEnd))).toEqual(schema);
  expect(read({ text: { format: { type: 'text' } } }).schema).toBeNull();
});

test.each([
  ['{"model":"small","input":"hi","Stream":true}', 'stream'],
  ['{"model":"small","model":"large","input":"hi"}', 'model'],
  ['{"model":"small","input":[{"role":"user","Content":"hi"}]}', 'input[0].content'],
  ['{"model":"small","input":"hi","text":{"format":{"type":"json_schema"}}}', 'text.format.schema'],
  ['{"model":"small","input":"hi","text":{"format":{"type":"text","type":"json_schema"}}}', 'text.format.type'],
  ['{"model":"small","input":[]}', 'input'],
  ['{"model":"small"}', 'input'],
  ['{"input":"hi"}', 'model'],
  ['{"model":"small","input":"hi","max_output_tokens":0}', 'max_output_tokens'],
  ['{"model":"small","input":"hi","service_tier":"scale"}', 'service_tier'],
  ['{"model":"small","input":"hi","background":true}', 'background'],
  ['{"model":"small","input":"hi","modalities":["text","audio"]}', 'modalities'],
  ['{"model":"small","input":"hi","audio":{"voice":"alloy","format":"wav"}}', 'audio'],
])('a field of a wrong value is refused by its name: %s', (body, param) => {
  expect(faultOf(body).param).toBe(param);
});

const SCHEMA = 'must be a JSON schema that is an object.';

test.each([
  ['"text":{"format":{},"format":null}', 'text.format', 'is given twice.'],
  ['"text":{"format":{"type":"text","type":"text"}}', 'text.format.type', 'is given twice.'],
  ['"text":{"format":{"type":"json_schema","schema":[]}}', 'text.format.schema', SCHEMA],
  ['"text":{"format":{"type":"json_schema","schema":null}}', 'text.format.schema', SCHEMA],
  [`"text":{"format":{"a":"${'x'.repeat(288 * 1_024)}"}}`, 'text.format', 'must not be larger than 294912 bytes.'],
  ['"store":5', 'store', 'must be true or false.'],
  ['"previous_response_id":5', 'previous_response_id', 'must be the id of a response.'],
])('a format or a setting that some would read otherwise is refused: %s', (field, param, problem) => {
  expect(faultOf(`{"model":"small","input":"hi",${field}}`)).toEqual({ param, message: `'${param}' ${problem}` });
});

test.each([
  ['"text":{"Format":{}}', 'text', 'format'],
  ['"text":{"format":{"Type":"json_schema"}}', 'text.format', 'type'],
  ['"text":{"format":{"type":"text","a":1,"Schema":{}}}', 'text.format', 'schema'],
])('a format with a key that some would read otherwise is refused: %s', (field, where, meant) => {
  const message = `'${where}' has a key that some read as '${meant}'; write it so.`;
  expect(faultOf(`{"model":"small","input":"hi",${field}}`)).toEqual({ param: `${where}.${meant}`, message });
});

test('a request names its model', () => {
  const message = "'model' is missing: name the model that shall answer.";
  expect(faultOf('{"input":"hi"}')).toEqual({ param: 'model', message });
});

test.each([
  '{"format":null}',
  '{"format":"text"}',
  '{"format":{}}',
  '{"format":{"name":"a","schema":5}}',
  '{"format":{"type":"text","schema":5}}',
  '{"verbosities":1,"verbosity":"low"}',
  'null',
  '"text"',
])('a text without a schema has none: %s', (text) => {
  const result = readResponsesRequest(Buffer.from(`{"text":${text},"model":"small","input":"hi"}`));
  expect(result).toMatchObject({ ok: true, request: { schema: null, model: 'small' } });
});
