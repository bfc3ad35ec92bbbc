import { expect, test } from 'vitest';
import { readAnswer, readChatAnswer, readEmbeddingsAnswer } from './chat-answer.ts';

test('a chat answer’s usage, choices and content are known, behind DeepSeek’s blank lines too', () => {
  const message =
    '{"role":"assistant","content":"h\\u00e9","tool_calls":[{"id":"c","function":{"name":"f","arguments":"{}"}}]}';
  const text = `\n\n\n{"id":"c","choices":[{"index":0,"message":${message},"finish_reason":"stop"},{"message":null}],"usage":{"prompt_tokens":3,"completion_tokens":4}}`;
  expect(readAnswer(Buffer.from(text))).toMatchObject({
    valid: true,
    error: null,
    choices: 2,
    contentBytes: 6,
    usage: { input: 3, output: 4 },
  });
});

test('a chat answer in audio is as many bytes of text as its transcript has, and its base64', () => {
  const audio = { id: 'audio_1', expires_at: 1, data: 'QUJDRA==', transcript: 'hé' };
  const choices = [{ message: { content: null, audio } }, { message: { content: 'a' } }];
  expect(readAnswer(Buffer.from(JSON.stringify({ choices })))).toMatchObject({ contentBytes: 4, audioBytes: 8 });
});

test('an embeddings answer has usage and no choices', () => {
  const text =
    '{"object":"list","data":[{"embedding":[1,2]}],"model":"m","usage":{"prompt_tokens":3,"total_tokens":3}}';
  expect(readAnswer(Buffer.from(text))).toMatchObject({
    valid: true,
    choices: 0,
    contentBytes: 0,
    usage: { input: 3, output: 0 },
  });
});

test.each([
  '"usage":{"prompt_tokens":10,"completion_tokens":20},"timings":{"prompt_n":1,"predicted_n":2}',
  '"timings":{"prompt_n":1,"predicted_n":2},"usage":{"prompt_tokens":10,"completion_tokens":20}',
])('of llama.cpp’s two reports the usage counts, whichever comes first: %s', (reports) => {
  expect(readAnswer(Buffer.from(`{"choices":[],${reports}}`)).usage).toMatchObject({ input: 10, output: 20 });
});

test('llama.cpp’s timings stand in for usage that is missing', () => {
  expect(
    readAnswer(Buffer.from('{"choices":[],"timings":{"prompt_n":1,"cache_n":2,"predicted_n":3}}')).usage,
  ).toMatchObject({ input: 1, cached_input: 2, output: 3 });
});

test('an error that came with a status of success is one all the same', () => {
  expect(readAnswer(Buffer.from('{"error":{"message":"no","code":502}}')).error).toMatchObject({
    message: 'no',
    code: '502',
  });
  expect(readAnswer(Buffer.from('{"object":"error","message":"no"}')).error).toMatchObject({ message: 'no' });
  expect(readAnswer(Buffer.from('{"error":null,"choices":[]}')).error).toBeNull();
});

test.each(['', '[]', '<html>', '{"choices":[}', '{"choices":[]} {}'])(
  'what is no JSON object is no answer: %j',
  (text) => {
    expect(readAnswer(Buffer.from(text)).valid).toBe(false);
  },
);

test('an answer of chat without a choice is none, and neither are embeddings without data', () => {
  const isChat = (text: string): boolean => readChatAnswer(Buffer.from(text)).valid;
  const isEmbeddings = (text: string): boolean => readEmbeddingsAnswer(Buffer.from(text)).valid;
  expect(['{"choices":[{}]}', '{"choices":[null,{}]}'].filter(isChat)).toHaveLength(2);
  expect(['{}', '{"choices":[]}', '{"choices":[null]}', '{"choices":{}}', '{"data":[]}'].filter(isChat)).toEqual([]);
  expect(['{"data":[]}', '{"data":[{"embedding":[]}]}'].filter(isEmbeddings)).toHaveLength(2);
  expect(['{}', '{"data":{}}', '{"choices":[{}]}'].filter(isEmbeddings)).toEqual([]);
});
