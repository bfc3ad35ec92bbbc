import { expect, test } from 'vitest';
import type { BodyFault } from './body-fault.ts';
import { readChatRequest, type ChatRequest } from './chat-request.ts';

const MESSAGES = '"messages":[{"role":"user","content":"hi"}]';

function read(text: string): ChatRequest {
  const reading = readChatRequest(Buffer.from(text));
  if (!reading.ok) throw new Error(`${reading.fault.param}: ${reading.fault.message}`);
  return reading.request;
}

function faultOf(text: string): BodyFault {
  const reading = readChatRequest(Buffer.from(text));
  if (reading.ok) throw new Error('the body was read without a fault');
  return reading.fault;
}

/** A body with these members in addition to a model and messages. */
function withFields(fields: string): string {
  return `{"model":"m",${fields},${MESSAGES}}`;
}

function withParts(...parts: string[]): string {
  return `{"model":"m","messages":[{"role":"user","content":[${parts.join(',')}]}]}`;
}

test('what the gate goes by is read wherever it stands in the body', () => {
  const text = `{${MESSAGES},"stream":true,"n":3,"stream_options":{"include_usage":true},"max_tokens":9,"model":"a/b:c"}`;
  expect(read(text)).toMatchObject({ model: 'a/b:c', stream: true, includeUsage: true, choices: 3, maxTokens: 9 });
});

test('what the gate goes by has the defaults of the wire, null being no value', () => {
  const defaults = { stream: false, includeUsage: false, choices: 1, maxTokens: null, streamOptions: null };
  expect(read(`{"model":"m",${MESSAGES}}`)).toMatchObject(defaults);
  const nulls =
    '"stream":null,"n":null,"max_tokens":null,"max_completion_tokens":null,"stream_options":null,"tools":null,"models":null,"service_tier":null';
  expect(read(withFields(nulls))).toMatchObject(defaults);
});

test('what the gate goes by takes the smaller of two caps', () => {
  expect(read(withFields('"max_tokens":9,"max_completion_tokens":5')).maxTokens).toBe(5);
  expect(read(withFields('"max_tokens":4,"max_completion_tokens":5')).maxTokens).toBe(4);
  expect(read(withFields('"max_tokens":null,"max_completion_tokens":5')).maxTokens).toBe(5);
});

test('what the gate goes by leaves all other fields to the upstream, whatever they hold', () => {
  const fields =
    '"temperature":"hot","seed":9223372036854775807,"stop":[1],"logit_bias":{"a":{"a":1,"a":2}},"prompt_cache_key":"k","top_k":-1,"reasoning":{"effort":"high"},"thinking":{"budget_tokens":5}';
  expect(read(withFields(fields)).model).toBe('m');
});

test.each([
  ['vLLM', 'min_p top_k repetition_penalty guided_json structured_outputs chat_template_kwargs min_tokens cache_salt'],
  ['SGLang', 'regex ebnf separate_reasoning stream_reasoning no_stop_trim rid'],
  [
    'llama.cpp',
    'cache_prompt id_slot grammar samplers mirostat dry_multiplier n_probs timings_per_token reasoning_format',
  ],
  ['Ollama', 'think keep_alive reasoning_effort format'],
  ['LM Studio', 'ttl top_k min_p repeat_penalty'],
  ['OpenRouter', 'reasoning include_reasoning usage top_a session_id verbosity'],
  ['Groq', 'reasoning_format include_reasoning disable_tool_validation citation_options'],
  ['DeepSeek', 'thinking logprobs'],
  ['Mistral', 'random_seed safe_prompt prompt_mode parallel_tool_calls'],
  ['Qwen', 'enable_thinking thinking_budget preserve_thinking top_k'],
  ['Moonshot', 'thinking prompt_cache_key'],
  ['Together', 'context_length_exceeded_behavior compliance echo'],
  ['Fireworks', 'prompt_truncate_len raw_output perf_metrics_in_response reasoning_history'],
  ['Perplexity', 'search_mode search_domain_filter return_images disable_search'],
  ['Z.ai', 'do_sample thinking tool_stream request_id'],
  ['MiniMax', 'reasoning_split'],
])('the fields that clients send to %s are known: %s', (_server, names) => {
  const fields = names.split(' ').map((name) => `"${name}":7`);
  expect(read(withFields(fields.join(','))).unknown).toEqual([]);
});

test('a field that nobody has judged is named, but for null and for what some would read as another', () => {
  expect(read(withFields('"of_next_year":1,"temperature":1,"x.y":{"model":"n"},"asks_nothing":null')).unknown).toEqual([
    { name: 'of_next_year', where: 'of_next_year' },
    { name: 'x.y', where: null },
  ]);
  expect(faultOf(withFields('"Temperature":1')).param).toBe('temperature');
});

test('the size of the input is the body without payloads, and with what is rendered twice', () => {
  const text = withFields(
    '"tools":[{"type":"function","function":{"name":"f"}}],"functions":[ 1 ],"response_format":{"type":"json_object"}',
  );
  const twice =
    '[{"type":"function","function":{"name":"f"}}]'.length + '[ 1 ]'.length + '{"type":"json_object"}'.length;
  expect(read(text).size).toEqual({ textBytes: text.length + twice, messages: 1, images: 0, audios: 0, files: 0 });
});

test.each([
  ['an image in the body', '{"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}}', 26, { images: 1 }],
  ['an image, its URL unwrapped', '{"image_url":"data:image/png;base64,AAAA","type":"image_url"}', 26, { images: 1 }],
  [
    'an image elsewhere',
    '{"type":"image_url","image_url":{"url":"https://a.example/i.png","detail":"low"}}',
    0,
    { images: 1 },
  ],
  [
    'a document in the place of an image',
    '{"type":"image_url","image_url":{"url":"data:application/pdf;base64,AAAA"}}',
    32,
    { files: 1 },
  ],
  ['sound', '{"type":"input_audio","input_audio":{"data":"AAAA","format":"wav"}}', 4, { audios: 1 }],
  [
    'a file',
    '{"type":"file","file":{"filename":"a.pdf","file_data":"data:application/pdf;base64,AAAA"}}',
    32,
    { files: 1 },
  ],
  [
    'a part of a type that nobody here knows',
    '{"type":"hologram","hologram":{"url":"https://a.example"}}',
    0,
    { files: 1 },
  ],
  [
    'a payload where only text is read',
    '{"type":"text","text":"a","image_url":{"url":"data:image/png;base64,AAAA"}}',
    0,
    {},
  ],
  ['a payload that isn’t where its type says', '{"type":"image_url","file":{"file_data":"AAAA"}}', 0, { images: 1 }],
  ['text', '{"type":"text","text":"data:image/png;base64,AAAA"}', 0, {}],
])('the size of the input counts %s', (_what, part, payloadBytes, media) => {
  const text = withParts(part);
  const textBytes = text.length - payloadBytes;
  expect(read(text).size).toEqual({ textBytes, messages: 1, images: 0, audios: 0, files: 0, ...media });
});

test.each(['{"id":"a"}', '"a"', '[{"id":"a"}]'])(
  'an answer in sound that the provider keeps is refused: %s',
  (audio) => {
    const said = (value: string) =>
      `{"model":"m","messages":[{"role":"user","content":"b"},{"role":"assistant","content":"c","audio":${value}}]}`;
    expect(faultOf(said(audio)).param).toBe('messages[1].audio');
    expect(read(said('null')).size).toMatchObject({ messages: 2, audios: 0 });
  },
);

test.each([
  ['that is empty', '', null],
  ['that is no JSON', '{"model":"m"', null],
  ['that is no object', '[]', null],
  ['with something behind it', `{"model":"m",${MESSAGES}}{}`, null],
  ['with a broken field behind good ones', `{"model":"m",${MESSAGES},"x":01}`, null],
  ['with broken messages', '{"model":"m","messages":[{"role":"user","content":[{"type":"text"}', null],
  [
    'with more fields than any request has',
    `{${Array.from({ length: 1001 }, (_, index) => `"f${index}":1`).join(',')}}`,
    null,
  ],
  ['with more values than any request has', `{"model":"m",${MESSAGES},"x":[${'[],'.repeat(1_200_000)}1]}`, null],
  ['with a field twice that is not a name', '{"a secret":1,"a secret":2}', null],
  ['without a model', `{${MESSAGES}}`, 'model'],
  ['with an empty model', `{"model":"",${MESSAGES}}`, 'model'],
  ['with a model that is no string', `{"model":7,${MESSAGES}}`, 'model'],
  ['with an endless model', `{"model":"${'m'.repeat(257)}",${MESSAGES}}`, 'model'],
  ['without messages', '{"model":"m"}', 'messages'],
  ['with empty messages', '{"model":"m","messages":[]}', 'messages'],
  ['with messages that are no array', '{"model":"m","messages":{"role":"user"}}', 'messages'],
  ['with a message that is no object', '{"model":"m","messages":["hi"]}', 'messages[0]'],
  ['with a message without a role', '{"model":"m","messages":[{"content":"hi"}]}', 'messages[0].role'],
  ['with a role that is no string', '{"model":"m","messages":[{"role":"user"},{"role":1}]}', 'messages[1].role'],
  ['with a role that becomes none', '{"model":"m","messages":[{"role":"user","role":1}]}', 'messages[0].role'],
  ['with stream as a string', withFields('"stream":"true"'), 'stream'],
  ['with n below one', withFields('"n":0'), 'n'],
  ['with n above 128', withFields('"n":129'), 'n'],
  ['with a broken n', withFields('"n":1.5'), 'n'],
  ['with a negative cap', withFields('"max_tokens":-1'), 'max_tokens'],
  ['with a cap of nothing', withFields('"max_tokens":0'), 'max_tokens'],
  ['with an absurd cap', withFields('"max_completion_tokens":1e999'), 'max_completion_tokens'],
  ['with a cap as a string', withFields('"max_completion_tokens":"5"'), 'max_completion_tokens'],
  ['with stream options as a list', withFields('"stream":true,"stream_options":[]'), 'stream_options'],
  ['with stream options but no stream', withFields('"stream_options":{"include_usage":true}'), 'stream_options'],
  [
    'with include_usage as a string',
    withFields('"stream":true,"stream_options":{"include_usage":"yes"}'),
    'stream_options.include_usage',
  ],
  [
    'with a tool that an upstream runs',
    withFields('"tools":[{"type":"function"},{"type":"web_search"}]'),
    'tools[1].type',
  ],
  ['with a tool of no type', withFields('"tools":[{"google_search":{}}]'), 'tools[0].type'],
  ['with a tool of two types', withFields('"tools":[{"type":"function","type":"mcp"}]'), 'tools[0].type'],
])('a body is refused: %s', (_what, text, param) => {
  const fault = faultOf(text);
  expect(fault.param).toBe(param);
  expect(fault.message).toMatch(/^[A-Z'].+\.$/);
});

test('a body that isn’t UTF-8 is refused', () => {
  const reading = readChatRequest(
    Buffer.concat([Buffer.from('{"model":"'), Buffer.from([0xff]), Buffer.from(`",${MESSAGES}}`)]),
  );
  expect(reading).toMatchObject({ ok: false, fault: { param: null } });
});

test('a body is refused with a message that says what would be right', () => {
  expect(faultOf(withFields('"max_tokens":-5')).message).toBe(
    "'max_tokens' must be a whole number from 1 to 2147483648.",
  );
});

test.each([
  ['model', '{"model":"a","mod\\u0065l":"b"}'],
  ['model', `{"model":"a","Model":"b",${MESSAGES}}`],
  ['max_completion_tokens', withFields('"max_completion_tokens":5,"max_completıon_tokens":5000')],
  ['max_tokens', withFields('"max_tokenſ":5000')],
  ['n', withFields('"ｎ":5')],
  ['max_tokens', withFields('"max_tokens":5,"MAX_TO\u212AENS":5000')],
  [
    'stream_options.include_usage',
    withFields('"stream":true,"stream_options":{"include_usage":true,"include_usag\\u0065":false}'),
  ],
  ['stream_options.include_usage', withFields('"stream":true,"stream_options":{"Include_Usage":false}')],
  ['messages[0].content', '{"model":"m","messages":[{"role":"user","Content":[{"type":"image_url"}]}]}'],
  ['messages[0].content[0].type', withParts('{"type":"image_url","type":"text"}')],
  ['messages[0].content[0].type', withParts('{"type":"image_url","Type":"text"}')],
  ['messages[0].content[0].image_url', withParts('{"image_url":{},"image\\u005furl":{}}')],
  ['messages[0].content[0].image_url.url', withParts('{"image_url":{"url":"a","url":"b"}}')],
  ['messages[0].content[0].image_url.url', withParts('{"image_url":{"url":"a","URL":"b"}}')],
  ['anything', withFields('"anything":1,"anything":1')],
])('a body is refused where readers could differ about %s', (param, text) => {
  expect(faultOf(text).param).toBe(param);
});

test.each([
  'models:"x"',
  'models:[1]',
  'models:["a","b","c","d","e","f"]',
  'fallbacks:[]',
  'provider:{}',
  'plugins:[{"id":"web"}]',
  'web_search_options:true',
  'web_search_options:[]',
  'best_of:2',
  'n_predict:-1',
  'max_output_tokens:5',
  'options:{"num_predict":-1}',
  'extra_body:{"max_tokens":5}',
  'service_tier:"scale"',
  'service_tier:{}',
  'modalities:"audio"',
  'modalities:["text","image"]',
  'modalities:["audio","audio"]',
  'enable_search:true',
  'prediction:"x"',
])('a body is refused that buys something else: %s', (field) => {
  const name = field.slice(0, field.indexOf(':'));
  expect(faultOf(withFields(`"${name}"${field.slice(name.length)}`)).param).toBe(name);
});

test.each([
  ['model', `"${'\\n'.repeat(2_000)}\\x`],
  ['service_tier', `[${'[],'.repeat(1_000)}x`],
  ['n', `${'1'.repeat(4_000)}x`],
])('a body is refused without reading on where the value of %s is longer than any that is taken', (name, value) => {
  // A reader that continued would find that it isn't JSON.
  const text = name === 'model' ? `{"model":${value},${MESSAGES}}` : withFields(`"${name}":${value}`);
  expect(faultOf(text).param).toBe(name);
});

test.each([
  ['a field of the body', `{"model":"m",${MESSAGES},"${'n'.repeat(2_000)}":1}`],
  ['an option of the stream', withFields(`"stream":true,"stream_options":{"${'n'.repeat(2_000)}":1}`)],
])('a body is refused with an endless name of %s', (_what, text) => {
  expect(readChatRequest(Buffer.from(text)).ok).toBe(false);
});

test('a body is refused but not for its size: ten thousand messages, a hundred tools and pictures are read', () => {
  const message = { role: 'user', content: [{ type: 'text', text: 'What is said in one of many messages.' }] };
  const picture = { type: 'image_url', image_url: { url: `data:image/png;base64,${'A'.repeat(1_000_000)}` } };
  const property = { type: 'string', description: 'What it is for', enum: ['one', 'two', 'three'] };
  const properties = Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`property_${index}`, property]));
  const tool = { type: 'function', function: { name: 'f', parameters: { type: 'object', properties } } };
  const body = {
    model: 'm',
    messages: [
      ...Array.from({ length: 10_000 }, () => message),
      { role: 'user', content: Array.from({ length: 20 }, () => picture) },
    ],
    tools: Array.from({ length: 100 }, () => tool),
  };
  expect(read(JSON.stringify(body)).size).toMatchObject({ messages: 10_001, images: 20 });
  expect(read(JSON.stringify({ ...body, messages: [message] }, null, 2)).size.messages).toBe(1);
});

test('a search is read as what it asks for, and null as nothing', () => {
  expect(read(withFields('"web_search_options":{"search_context_size":"low"}')).extras).toEqual(['web_search_options']);
  expect(read(withFields('"web_search_options":null')).extras).toEqual([]);
});

test('a search and an answer in audio are both read where both are asked for', () => {
  const audio = '"modalities":["text","audio"],"audio":{"voice":"alloy","format":"mp3"}';
  expect(read(withFields(`${audio},"web_search_options":{}`)).extras).toEqual(['web_search_options', 'audio']);
});

test('a prediction counts by the bytes that it takes in the body, and null as none', () => {
  const prediction = '{"type":"content","content":"\\u00e9 and on"}';
  expect(read(withFields(`"prediction": ${prediction} `))).toMatchObject({
    extras: ['prediction'],
    predictionBytes: Buffer.byteLength(prediction),
  });
  expect(read(withFields('"prediction":null'))).toMatchObject({ extras: [], predictionBytes: 0 });
});

test('a body is refused but not where such a field says what is so anyway', () => {
  const fields =
    '"service_tier":"auto","modalities":["text"],"enable_search":false,"speed":"standard","web_search_options":null';
  expect(read(withFields(fields)).model).toBe('m');
});
