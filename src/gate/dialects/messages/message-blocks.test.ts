import { expect, test } from 'vitest';
import { signatureOf } from './carried-thoughts.ts';
import { readMessagesRequest } from './messages-request.ts';

const PAYLOAD = 'A'.repeat(400);

function readText(content: string) {
  return readMessagesRequest(
    Buffer.from(`{"model":"m","max_tokens":9,"messages":[{"role":"user","content":${content}}]}`),
  );
}

function read(...blocks: unknown[]) {
  const result = readText(JSON.stringify(blocks));
  if (!result.ok) throw new Error(`${result.fault.param}: ${result.fault.message}`);
  return result.request;
}

/** The counts of these blocks, and the bytes of the body that are not text. */
function counts(...blocks: unknown[]): object {
  const { size, body } = read(...blocks);
  const { messages, images, audios, files, textBytes } = size;
  return { messages: messages - 1, images, audios, files, taken: body.length - textBytes };
}

const NONE = { messages: 0, images: 0, audios: 0, files: 0, taken: 0 };
const base64 = { type: 'base64', media_type: 'image/png', data: PAYLOAD };
const inTool = (...content: unknown[]) => ({ type: 'tool_result', tool_use_id: 't', content });

test.each([
  [
    { type: 'image', source: base64 },
    { images: 1, taken: 400 },
  ],
  [
    { source: base64, type: 'image' },
    { images: 1, taken: 400 },
  ],
  [{ type: 'image', source: { type: 'url', url: 'https://a/b', data: PAYLOAD } }, { images: 1 }],
  [{ type: 'image', source: { type: 'text', data: PAYLOAD } }, { images: 1 }],
  [{ type: 'image', source: { type: 'of_next_year', data: PAYLOAD } }, { images: 1 }],
  [{ type: 'image', source: { type: 7, data: PAYLOAD } }, { images: 1 }],
  [{ type: 'image', source: { ...base64, data: [PAYLOAD] } }, { images: 1 }],
  [{ type: 'image', source: { type: 'base64', url: PAYLOAD } }, { images: 1 }],
  [{ type: 'image', source: PAYLOAD }, { images: 1 }],
  [{ type: 'image' }, { images: 1 }],
  [
    { type: 'image', source: { of_2030: 1, file_id: null, ...base64 } },
    { images: 1, taken: 400 },
  ],
  [
    { type: 'document', source: { ...base64, media_type: 'application/pdf' } },
    { files: 1, taken: 400 },
  ],
  [{ type: 'document', source: { type: 'url', url: 'https://a/b' } }, { files: 1 }],
  [{ type: 'document', source: { type: 'text', data: PAYLOAD } }, {}],
  [
    { type: 'document', source: { type: 'content', content: [{ type: 'image', source: base64 }] } },
    { images: 1, taken: 400 },
  ],
  [{ type: 'document' }, { files: 1 }],
  [{ type: 'image', source: { type: 'content', content: 'a' } }, { images: 1 }],
  [{ type: 'text', text: 'a', source: base64 }, {}],
  [{ type: 'of_next_year', source: base64 }, { files: 1 }],
  [{ source: base64 }, { files: 1 }],
  [{ type: 7 }, { files: 1 }],
  [{ type: 'file', file_id: null }, { files: 1 }],
  [{ type: 'tool_use', id: 't', name: 'f', input: {} }, { messages: 1 }],
  [inTool({ type: 'image', source: base64 }, { type: 'text', text: 'a' }), { messages: 1, images: 1, taken: 400 }],
  [inTool({ type: 'document', source: { type: 'content', content: [{ type: 'image' }] } }), { messages: 1, images: 1 }],
  ['a text', {}],
  [5, {}],
])('a block counts as what a provider may read in it, and only its own payload is no text: %j', (block, expected) => {
  expect(counts(block)).toEqual({ ...NONE, ...expected });
});

test.each([
  'text',
  'thinking',
  'redacted_thinking',
  'tool_reference',
  'server_tool_use',
  'search_result',
  'web_search_tool_result',
  'tool_search_tool_result',
  'compaction',
])('a block of the type %s is all text', (type) => {
  expect(counts({ type }, { type, content: [{ type: 'text', text: 'a' }] })).toEqual(NONE);
});

test('media of several blocks add up, as those of the system do, and blocks nest four levels deep', () => {
  const image = { type: 'image', source: base64 };
  expect(counts(image, { type: 'document', source: base64 }, image)).toEqual({
    ...NONE,
    images: 2,
    files: 1,
    taken: 1_200,
  });
  const nested = (levels: number): object =>
    levels === 0 ? image : { type: 'search_result', content: [nested(levels - 1)] };
  expect([1, 2, 3].map((levels) => (counts(nested(levels)) as { images: number }).images)).toEqual([1, 1, 1]);
  const sourced = (levels: number): object =>
    levels === 0 ? image : { type: 'document', source: { type: 'content', content: [sourced(levels - 1)] } };
  expect([1, 2, 3].map((levels) => (counts(sourced(levels)) as { images: number }).images)).toEqual([1, 1, 1]);
  const path = `messages[0].content[0]${'.content[0]'.repeat(3)}.content`;
  expect(readText(JSON.stringify([nested(4)]))).toMatchObject({
    fault: { param: path, message: `'${path}' is nested deeper than any provider reads.` },
  });
  expect(counts({ type: 'compaction', tool_changes: [image] })).toMatchObject({ images: 1 });
});

const DEFINITION = { name: 'f', input_schema: {} };
const addition = (tool: unknown) => JSON.stringify([{ type: 'tool_addition', tool }]);
const FILE_ID = 'is not supported here: it would reach what others have left at the provider.';

test.each([
  ['[{"type":"text","type":"image"}]', 'type', 'is given twice.'],
  ['[{"type":"text"},{"source":{},"source":{}}]', 'source', 'is given twice.', 1],
  ['[{"type":"image","file_id":"f"}]', 'file_id', FILE_ID],
  ['[{"type":"image","file_id":{"a":1}}]', 'file_id', FILE_ID],
  ['[{"type":"image","source":{"type":"file","file_id":"f"}}]', 'source.file_id', FILE_ID],
  ['[{"type":"image","source":{"data":"a","data":"b"}}]', 'source.data', 'is given twice.'],
  ['[{"type":"a","content":[{"file_id":"f"}]}]', 'content[0].file_id', FILE_ID],
  ['[{"type":"a","source":{"content":[{"file_id":"f"}]}}]', 'source.content[0].file_id', FILE_ID],
])(
  'a block that could be read in two ways, or names a file by its id, is refused: %s',
  (content, member, problem, at = 0) => {
    const result = readText(content);
    const param = `messages[0].content[${at}].${member}`;
    expect(result).toEqual({ ok: false, fault: { param, message: `'${param}' ${problem}` } });
  },
);

test.each([
  ['[{"type":"image","Source":{}}]', "'messages[0].content[0]' has a key that some read as 'source'; write it so."],
  [
    '[{"type":"image","source":{"File_ID":"f"}}]',
    "'messages[0].content[0].source' has a key that some read as 'file_id'; write it so.",
  ],
  [
    addition({ Definition: DEFINITION }),
    "'messages[0].content[0].tool' has a key that some read as 'definition'; write it so.",
  ],
  [addition({ definition: { name: 7 } }), "'messages[0].content[0].tool.definition.name' must be a short string."],
  [
    addition({ definition: { type: 'web_search_1' } }),
    "'messages[0].content[0].tool.definition' is a tool that the provider runs, which costs more than its tokens; it is sold in 'tools' alone.",
  ],
])('a tool within a conversation is the caller’s, and read in one way: %s', (content, message) => {
  expect(readText(content)).toMatchObject({ ok: false, fault: { message } });
});

test.each([
  addition('f'),
  addition({ type: 'tool_reference', name: 'f' }),
  addition({ definition: 'f' }),
  addition({ definition: null }),
  addition({ definition: ['f'] }),
  addition({ definition: DEFINITION }),
])('a tool that the caller runs may be named within a conversation: %s', (content) => {
  expect(readText(content).ok).toBe(true);
});

test('only thoughts that the gate itself has signed are noted, by where they begin', () => {
  const signature = signatureOf({ isReasoning: true });
  const carried = { type: 'thinking', thinking: 'b', signature };
  const late = { signature, text: 'x', type: 'thinking' };
  const { body, carriedThoughts } = read(
    { type: 'thinking', thinking: 'a', signature: 'of the provider' },
    carried,
    { type: 'text', text: 'c', signature },
    { type: 'thinking', text: signature },
    late,
  );
  expect(carriedThoughts.map((at) => body.toString('utf8', at, at + 20))).toEqual([
    JSON.stringify(carried).slice(0, 20),
    JSON.stringify(late).slice(0, 20),
  ]);
});
