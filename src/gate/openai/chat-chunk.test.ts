import { expect, test } from 'vitest';
import { inspectChunk, withoutNullError, withoutUsage, type ChunkFacts } from './chat-chunk.ts';

const USAGE = '{"prompt_tokens":10,"completion_tokens":5,"total_tokens":15}';

function inspect(text: string): ChunkFacts {
  return inspectChunk(Buffer.from(text));
}

function choice(delta: string, more = '"finish_reason":null'): string {
  return `{"id":"c","object":"chat.completion.chunk","choices":[{"index":0,"delta":${delta},${more}}]}`;
}

test.each([
  ['a role alone', '{"role":"assistant","content":""}', 0],
  ['text, in the bytes that it decodes to', '{"content":"h\\u00e9\\n"}', 4],
  ['no text', '{"content":null,"refusal":null}', 0],
  [
    'Mistral’s typed parts',
    '{"content":[{"type":"text","text":"abc"},{"type":"thinking","thinking":[{"type":"text","text":"de"}]}]}',
    5,
  ],
  ['reasoning', '{"reasoning_content":"abc","content":"d"}', 4],
  [
    'the same reasoning under both names',
    '{"reasoning":"abc","reasoning_content":"abc","reasoning_details":[{"text":"abc"}]}',
    3,
  ],
  [
    'a tool call',
    '{"tool_calls":[{"index":0,"id":"call_1","type":"function","function":{"name":"ab","arguments":"{\\"x\\":"}}]}',
    7,
  ],
  ['a custom tool call', '{"tool_calls":[{"custom":{"name":"ab","input":"xyz"}}]}', 5],
  ['a signature that no model wrote', '{"tool_calls":[{"extra_content":{"google":{"thought_signature":"abc"}}}]}', 0],
  ['no delta at all', 'null', 0],
])('a chunk is read for what it says: %s', (_what, delta, contentBytes) => {
  expect(inspect(choice(delta))).toMatchObject({
    valid: true,
    choices: 'some',
    contentBytes,
    hasContent: contentBytes > 0,
    finishedChoices: [],
  });
});

test.each([
  ['its base64', '{"audio":{"id":"audio_1","data":"QUJDRA=="}}', 0, 8],
  ['its transcript', '{"audio":{"id":"audio_1","transcript":"h\\u00e9"}}', 3, 0],
  ['both, and an end that says nothing', '{"audio":{"transcript":"abc","data":"QUJD","expires_at":1730000000}}', 3, 4],
  ['its base64 without an object around it', '{"content":"a","audio":"QUJDRA=="}', 1, 8],
  ['nothing but its id', '{"audio":{"id":"audio_1","data":null}}', 0, 0],
])('a chunk is read for what it says: of audio %s', (_what, delta, contentBytes, audioBytes) => {
  const hasContent = contentBytes + audioBytes > 0;
  expect(inspect(choice(delta))).toMatchObject({ valid: true, contentBytes, audioBytes, hasContent });
});

test('a chunk is read for what it says: which choices end, by their index or else their place', () => {
  expect(inspect(choice('{}', '"finish_reason":"stop"')).finishedChoices).toEqual([0]);
  expect(inspect(choice('{}', '"finish_reason":""')).finishedChoices).toEqual([]);
  expect(
    inspect('{"choices":[{"finish_reason":"stop","index":7},{"finish_reason":"length"},{}]}').finishedChoices,
  ).toEqual([7, 1]);
});

test.each([
  ['in a chunk of its own', `{"choices":[],"usage":${USAGE}}`, 'none'],
  ['on the finish chunk', `{"choices":[{"index":0,"delta":{},"finish_reason":"stop"}],"usage":${USAGE}}`, 'some'],
  ['in x_groq as well, counted once', `{"choices":[{}],"x_groq":{"id":"r","usage":${USAGE}},"usage":${USAGE}}`, 'some'],
  ['in x_groq alone', `{"choices":[{}],"x_groq":{"usage":${USAGE}}}`, 'some'],
  ['in the choice', `{"choices":[{"index":0,"usage":${USAGE}}]}`, 'some'],
  ['in timings', '{"choices":[{}],"timings":{"prompt_n":10,"cache_n":0,"predicted_n":5}}', 'some'],
  ['rather than in timings', `{"choices":[],"timings":{"prompt_n":1,"predicted_n":1},"usage":${USAGE}}`, 'none'],
])('a chunk is read for what it says: usage %s', (_what, text, choices) => {
  expect(inspect(text)).toMatchObject({ choices, usage: { input: 10, output: 5 } });
});

test('a chunk is read for what it says: whose usage it is: the answer’s, or that of the chunk’s one choice', () => {
  const inChoice = `{"choices":[{"index":2,"usage":${USAGE}}]}`;
  expect(inspect(inChoice)).toMatchObject({ usageChoice: 2, isUsageInChoice: true });
  const beside = `{"usage":${USAGE},"choices":[{"index":3,"delta":{"content":"x"}}]}`;
  expect(inspect(beside)).toMatchObject({ usageChoice: 3, isUsageInChoice: false });
  for (const text of [
    `{"choices":[],"usage":${USAGE}}`,
    `{"choices":[{},{"index":1}],"usage":${USAGE}}`,
    choice('{}'),
  ]) {
    expect(inspect(text)).toMatchObject({ usageChoice: null, isUsageInChoice: false });
  }
});

test('a chunk is read for what it says: content once, where all that was said so far stands beside what is new', () => {
  const both = '{"choices":[{"index":0,"message":{"content":"He said"},"delta":{"content":" said"}}]}';
  expect(inspect(both).contentBytes).toBe(5);
  expect(inspect('{"choices":[{"message":{"content":"He said"}}]}').contentBytes).toBe(7);
});

test.each([
  [
    '{"error":{"message":"overloaded","type":"server_error","code":503,"param":null}}',
    { message: 'overloaded', type: 'server_error', code: '503', param: null },
  ],
  [
    '{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}',
    { message: 'Overloaded', type: 'overloaded_error' },
  ],
  ['{"object":"error","message":"too long","type":"BadRequestError","code":400}', { message: 'too long', code: '400' }],
  ['{"error":"out of memory"}', { message: 'out of memory' }],
  ['{"error":{}}', { message: 'an error without a message' }],
  ['{"choices":[],"error":true}', { message: 'an error without a message' }],
])('a chunk is read for the error that it brings: %s', (text, error) => {
  expect(inspect(text)).toMatchObject({ valid: true, error });
});

test('where the delta stands is said of a chunk that says nothing else', () => {
  const delta = '{"content":"h\\u00e9"}';
  const spanOf = (text: string): string | null => {
    const { deltaSpan } = inspect(text);
    return deltaSpan && text.slice(deltaSpan.start, deltaSpan.end);
  };
  expect(spanOf(choice(delta))).toBe(delta);
  expect(spanOf(choice(delta, '"logprobs":null,"finish_reason":"","content_filter_results":{}'))).toBe(delta);
  for (const more of ['"finish_reason":"stop"', '"logprobs":{"content":[]}', '"message":{}', '"delta":{}']) {
    expect(spanOf(choice(delta, more))).toBeNull();
  }
  expect(spanOf(`{"choices":[{"delta":${delta}},{"delta":${delta}}]}`)).toBeNull();
  expect(spanOf(`{"choices":[{"delta":${delta}},{"index":1}]}`)).toBeNull();
  expect(spanOf(`{"choices":[{"delta":${delta}}],"usage":${USAGE}}`)).toBeNull();
  expect(spanOf('{"choices":[{}]}')).toBeNull();
});

test('a payload that is no JSON object is no chunk and says nothing', () => {
  for (const text of [
    '',
    '[]',
    '"error"',
    '{"error":{"message":"x"}',
    '{"choices":[{"delta":{"content":"x"}}]} x',
    '{"usage":{,}}',
  ]) {
    expect(inspect(text)).toMatchObject({ valid: false, error: null, usage: null, contentBytes: 0 });
  }
});

test('a chunk is read for what it says: Azure’s first one has neither choices nor usage', () => {
  const facts = inspect(
    '{"choices":[],"created":0,"id":"","model":"","object":"","prompt_filter_results":[{"prompt_index":0}],"usage":null}',
  );
  expect(facts).toMatchObject({ valid: true, error: null, usage: null, choices: 'none' });
});

function seen(text: string): string | null {
  const payload = Buffer.from(text);
  return withoutUsage(payload, inspectChunk(payload))?.toString() ?? null;
}

test.each([
  [
    'the null that OpenAI puts in',
    '{"id":"c","choices":[{}],"usage":null,"obfuscation":"x"}',
    '{"id":"c","choices":[{}],"obfuscation":"x"}',
  ],
  ['usage at the end', `{"choices":[{}] , "usage" : ${USAGE} }`, '{"choices":[{}] }'],
  ['usage at the start', `{"usage":${USAGE},"choices":[{}]}`, '{"choices":[{}]}'],
  ['usage twice', `{"choices":[{}],"usage":null,"usage":${USAGE}}`, '{"choices":[{}]}'],
  ['usage and a null error', `{"error":null,"choices":[{}],"usage":null}`, '{"choices":[{}]}'],
  ['a null error', '{"choices":[{}],"error":null}', '{"choices":[{}]}'],
  [
    'usage of Azure’s first chunk',
    '{"choices":[],"prompt_filter_results":[],"usage":null}',
    '{"choices":[],"prompt_filter_results":[]}',
  ],
  ['usage in an error', '{"error":{"message":"x"},"usage":{}}', '{"error":{"message":"x"}}'],
])('what a caller sees that did not ask for usage is the chunk without %s', (_what, text, expected) => {
  expect(seen(text)).toBe(expected);
});

test('what a caller sees that did not ask for usage is nothing of a chunk that is there for usage', () => {
  expect(seen(`{"id":"c","choices":[],"usage":${USAGE}}`)).toBeNull();
  expect(seen(`{"usage":${USAGE}}`)).toBeNull();
  expect(seen(`{"choices":[],"usage":${USAGE},"timings":{"prompt_n":1,"predicted_n":1}}`)).toBeNull();
});

test('what a caller sees that did not ask for usage is the very same buffer where there is nothing to hide', () => {
  const payload = Buffer.from('{"choices":[{"delta":{"content":"\\"usage\\":null"}}],"x_groq":{"usage":null}}');
  expect(withoutUsage(payload, inspectChunk(payload))).toBe(payload);
});

test('a null error goes for those that asked for usage too, and the usage stays', () => {
  const payload = Buffer.from(`{"choices":[],"error":null,"usage":${USAGE}}`);
  expect(withoutNullError(payload, inspectChunk(payload)).toString()).toBe(`{"choices":[],"usage":${USAGE}}`);
  const plain = Buffer.from('{"choices":[]}');
  expect(withoutNullError(plain, inspectChunk(plain))).toBe(plain);
});
