import { burstOf, dataEvent, plainAnswer, SAID, streamOf, TOKEN } from './answer-bytes.ts';

// What the mock upstream says as OpenAI writes chat completions and embeddings, as bytes that are made once.

export const EMBEDDING_INPUTS = 256;

const EMBEDDING_FLOATS = 1_536;
const USAGE = '{"prompt_tokens":20,"completion_tokens":10,"total_tokens":30}';

function delta(fields: string, finish: string): string {
  const head = '"id":"chatcmpl-bench","object":"chat.completion.chunk","created":1760000000,"model":"mock"';
  return `{${head},"choices":[{"index":0,"delta":${fields},"finish_reason":${finish}}],"usage":null}`;
}

const CONTENT = dataEvent(delta(`{"content":"${TOKEN}"}`, 'null'));

export const STREAM = streamOf({
  first: dataEvent(delta(`{"role":"assistant","content":"${TOKEN}"}`, 'null')),
  chunk: CONTENT,
  last:
    dataEvent(delta('{}', '"stop"')) +
    dataEvent(`{"id":"chatcmpl-bench","object":"chat.completion.chunk","choices":[],"usage":${USAGE}}`) +
    dataEvent('[DONE]'),
});

export const BURST = burstOf(STREAM);

function chatSaying(content: string): Buffer {
  return plainAnswer(
    `{"id":"chatcmpl-bench","object":"chat.completion","created":1760000000,"model":"mock","choices":[{"index":0,` +
      `"message":{"role":"assistant","content":${JSON.stringify(content)},"refusal":null},` +
      `"logprobs":null,"finish_reason":"stop"}],"usage":${USAGE}}`,
  );
}

export const CHAT = chatSaying(SAID);

/** An answer of 2 KB by the schema of `bench/bodies.ts`. */
export const PEOPLE = chatSaying(
  JSON.stringify({
    title: 'Who went through the gate',
    language: 'en',
    published: '2026-01-02',
    people: Array.from({ length: 16 }, (_, at) => ({
      name: `Person Number ${at}`,
      email: `person-${at}@example.com`,
      age: at % 2 === 0 ? null : 40 + at,
      role: at % 3 === 0 ? 'keeper' : 'guest',
      notes: ['paid', 'went through'],
    })),
  }),
);

const VECTOR = Buffer.from(Float32Array.from({ length: EMBEDDING_FLOATS }, (_, at) => Math.sin(at)).buffer);

export const EMBEDDINGS = plainAnswer(
  `{"object":"list","data":[${Array.from(
    { length: EMBEDDING_INPUTS },
    (_, index) => `{"object":"embedding","index":${index},"embedding":"${VECTOR.toString('base64')}"}`,
  ).join(',')}],"model":"mock","usage":{"prompt_tokens":2560,"total_tokens":2560}}`,
);

export const NOT_FOUND = Buffer.from('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n');
