import { expect, test } from 'vitest';
import { sealCapsule } from './reasoning-capsule.ts';
import { readResponsesRequest, type ResponsesRequest } from './responses-request.ts';

const PAYLOAD = 'A'.repeat(400);

function readBody(fields: object | string, before?: ResponsesRequest) {
  const body = typeof fields === 'string' ? `{"model":"m",${fields}}` : JSON.stringify({ model: 'm', ...fields });
  return readResponsesRequest(Buffer.from(body), before && { before });
}

function read(fields: object | string, before?: ResponsesRequest) {
  const result = readBody(fields, before);
  if (!result.ok) throw new Error(`${result.fault.param}: ${result.fault.message}`);
  return result.request;
}

function faultOf(fields: object | string): string {
  const result = readBody(fields);
  return result.ok ? 'read' : `${result.fault.param}: ${result.fault.message}`;
}

const said = (...content: unknown[]) => ({ role: 'user', content });

/** The counts of this input, and the bytes of the body that are not text. */
function counts(...input: unknown[]): object {
  const { size, body, items } = read({ input });
  expect([size.messages, items]).toEqual([input.length + 1, input.length]);
  return { images: size.images, audios: size.audios, files: size.files, taken: body.length - size.textBytes };
}

const NONE = { images: 0, audios: 0, files: 0, taken: 0 };
const url = (kind: string) => `data:${kind};base64,${PAYLOAD}`;

test.each([
  [
    { type: 'input_image', image_url: url('image/png') },
    { images: 1, taken: 422 },
  ],
  [
    { image_url: url('image/png'), type: 'input_image' },
    { images: 1, taken: 422 },
  ],
  [
    { type: 'computer_screenshot', image_url: url('image/png') },
    { images: 1, taken: 422 },
  ],
  [
    { type: 'input_image', image_url: url('audio/wav') },
    { audios: 1, taken: 422 },
  ],
  [
    { type: 'input_image', image_url: url('application/pdf') },
    { files: 1, taken: 428 },
  ],
  [{ type: 'input_image', image_url: 'https://a/b.png' }, { images: 1 }],
  [{ type: 'input_image', image_url: { url: url('image/png') } }, { images: 1 }],
  [{ type: 'input_image' }, { images: 1 }],
  [{ type: 'encrypted_content', encrypted_content: 'gAAAA' }, { files: 1 }],
  [{ type: 'input_image', of_2030: { data: PAYLOAD }, detail: { data: PAYLOAD } }, { images: 1 }],
  [
    { type: 'input_file', file_data: PAYLOAD },
    { files: 1, taken: 400 },
  ],
  [
    { type: 'input_file', file_data: url('image/png') },
    { files: 1, taken: 422 },
  ],
  [{ type: 'input_file', file_url: 'https://a/b.pdf' }, { files: 1 }],
  [
    { type: 'input_audio', input_audio: { data: PAYLOAD, format: 'wav' } },
    { audios: 1, taken: 400 },
  ],
  [{ type: 'input_audio', input_audio: PAYLOAD }, { audios: 1 }],
  [{ type: 'input_text', text: PAYLOAD, image_url: url('image/png') }, {}],
  [{ type: 'output_text', text: 'a', file_data: PAYLOAD }, {}],
  [{ type: 'text', text: 'a' }, {}],
  [{ type: 'refusal', refusal: 'a' }, {}],
  [{ type: 'summary_text', text: 'a' }, {}],
  [{ type: 'reasoning_text', text: 'a' }, {}],
  [
    { type: 'of_next_year', image_url: url('image/png') },
    { files: 1, taken: 422 },
  ],
  [{ text: 'a' }, { files: 1 }],
  ['a text', {}],
])('a part counts as what a provider may read in it, and only its own payload is no text: %j', (part, expected) => {
  expect(counts(said(part))).toEqual({ ...NONE, ...expected });
  expect(counts({ type: 'function_call_output', call_id: 'c', output: [part] })).toEqual({ ...NONE, ...expected });
});

test('media of several parts add up, and a content may be a part itself', () => {
  const image = { type: 'input_image', image_url: url('image/png') };
  expect(counts(said(image, image), said(image))).toEqual({ ...NONE, images: 3, taken: 3 * 422 });
  expect(counts({ type: 'computer_call_output', output: image }, { role: 'user', content: 'hi' })).toEqual({
    ...NONE,
    images: 1,
    taken: 422,
  });
});

test('a text is one item', () => {
  expect(read({ input: 'hi' })).toMatchObject({ items: 1, size: { messages: 2 } });
});

test.each([
  ['"input":5', "input: 'input' must be a string or an array of items."],
  ['"input":null', "input: 'input' is missing: give a text or at least one item."],
  ['"input":[]', "input: 'input' must hold at least one item."],
  ['"input":[5]', "input[0]: 'input[0]' must be an object."],
  ['"input":[{"role":"user"},{"type":5}]', "input[1].type: 'input[1].type' must be a string."],
  ['"input":[{"Role":"user"}]', "input[0].role: 'input[0]' has a key that some read as 'role'; write it so."],
  ['"input":[{"content":[{"type":5}]}]', "input[0].content[0].type: 'input[0].content[0].type' must be a string."],
  ['"input":[{"content":[{},{"Image_URL":"a"}]}]', "input[0].content[1].image_url: 'input[0].content[1]' has a key"],
  ['"input":[{"output":{"File_ID":"a"}}]', "input[0].output.file_id: 'input[0].output' has a key"],
  ['"input":[{"type":"additional_tools","tools":5}]', "input[0].tools: 'input[0].tools' must be an array of tools."],
  ['"input":[{"file_id":"f"}]', "input[0].file_id: 'input[0].file_id' refers to something kept at the provider"],
  ['"input":[{"container_id":"c"}]', 'input[0].container_id: '],
  ['"input":[{"type":"of_2030","a":[{"file_ids":["f"]}]}]', 'input[0].file_ids: '],
  ['"input":[{"type":"of_2030","a":{"vector_store_id":"f"}}]', 'input[0].vector_store_id: '],
  ['"input":[{"type":"of_2030","a":[1,{"b":"c","vector_store_ids":[]}]}]', 'input[0].vector_store_ids: '],
  [
    `"input":[{"type":"item_reference","id":"${'x'.repeat(1_024)}"}]`,
    "input[0].id: 'input[0].id' must be the id of an item",
  ],
  ['"input":[{"role":"user"', 'null: The body is not valid JSON'],
  ['"input":"hi","tools":[{"type":"function"', 'null: The body is not valid JSON'],
  ['"input":"hi","tool_choice":{"mode":', 'null: The body is not valid JSON'],
])('an input that the gate can’t count is refused by the place of the fault: %s', (fields, message) => {
  expect(faultOf(fields)).toContain(message);
});

test.each([
  { type: 'of_2030', file_id: null, a: { file_ids: null, vector_store_id: 5, container_id: {} } },
  { type: 'message', role: 'user', content: [{ type: 'input_image', file_id: null, container_id: 5 }] },
  { type: 'function_call', name: 'f', arguments: '{"file_ids":["f"]}', steps: [{ file_ids: ['f'] }] },
])('an item that names nothing kept at the provider passes: %j', (item) => {
  expect(read({ input: [item] }).items).toBe(1);
});

test('an item that was kept here may name what its provider keeps for the same workspace', () => {
  const input = [
    { type: 'code_interpreter_call', container_id: 'c', outputs: [{ file_id: 'f' }] },
    { role: 'user', content: [{ type: 'input_file', file_id: 'f' }] },
  ];
  expect(read({ input }, read({ input: 'hi' })).items).toBe(2);
});

test('reasoning of translated answers is noted by where its items begin', () => {
  const encrypted = sealCapsule({ isReasoning: true, thinking: [], message: undefined, calls: {} });
  const capsule = { type: 'reasoning', summary: [], encrypted_content: encrypted };
  const foreign = { type: 'reasoning', summary: [], encrypted_content: 'gAAAA' };
  const shown = { type: 'reasoning', summary: [] };
  const request = read({ input: [foreign, shown, capsule, { ...capsule, type: 'message' }, said('a')] });
  const text = JSON.stringify(capsule);
  expect(request.capsules).toEqual([request.body.indexOf(text)]);
});

test.each([
  [{ id: 'msg_1', role: 'user' }, []],
  [{ id: 'msg_1', content: 'hi' }, []],
  [{ role: 'user', id: 'msg_1', status: 'completed' }, []],
  [{ status: 'completed', id: 'msg_1' }, [{ id: 'msg_1', index: 0 }]],
  [{ status: 'completed' }, []],
])('what says nothing of its own is a reference if it has an id: %j', (item, references) => {
  expect(read({ input: [item] }).references).toEqual(references);
});

test('tools in the input count twice to the byte', () => {
  const tools = [{ type: 'function', name: 'f' }];
  const { body, size } = read({ input: [{ type: 'additional_tools', tools }], tools });
  expect(size.textBytes - body.length).toBe(2 * JSON.stringify(tools).length);
});
