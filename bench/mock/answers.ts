// Everything that the mock upstream says, as bytes that are made once.

/** Chunks of a paced stream, and the time between two of them. */
export const STREAM_CHUNKS = 100;
export const CHUNK_EVERY_MS = 20;
/** Chunks of a burst. */
export const BURST_CHUNKS = 1_000;
export const EMBEDDING_INPUTS = 256;

const EMBEDDING_FLOATS = 1_536;
const USAGE = '{"prompt_tokens":20,"completion_tokens":10,"total_tokens":30}';

function plain(json: string): Buffer {
  const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(json)}\r\n\r\n`;
  return Buffer.from(head + json);
}

function chunkOf(event: string): string {
  const text = `data: ${event}\n\n`;
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
}

function delta(fields: string, finish: string): string {
  const head = '"id":"chatcmpl-bench","object":"chat.completion.chunk","created":1760000000,"model":"mock"';
  return `{${head},"choices":[{"index":0,"delta":${fields},"finish_reason":${finish}}],"usage":null}`;
}

const STREAM_HEAD =
  'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncache-control: no-cache\r\ntransfer-encoding: chunked\r\n\r\n';
const CONTENT = chunkOf(delta('{"content":" token"}', 'null'));

/** A stream's head with its first chunk, each chunk after it, and its end. */
export const STREAM = {
  head: Buffer.from(STREAM_HEAD + chunkOf(delta('{"role":"assistant","content":" token"}', 'null'))),
  chunk: Buffer.from(CONTENT),
  end: Buffer.from(
    chunkOf(delta('{}', '"stop"')) +
      chunkOf(`{"id":"chatcmpl-bench","object":"chat.completion.chunk","choices":[],"usage":${USAGE}}`) +
      `${chunkOf('[DONE]')}0\r\n\r\n`,
  ),
} as const;

/** A whole stream of tiny chunks that comes at once. */
export const BURST = Buffer.concat([STREAM.head, Buffer.from(CONTENT.repeat(BURST_CHUNKS - 1)), STREAM.end]);

function chatSaying(content: string): Buffer {
  return plain(
    `{"id":"chatcmpl-bench","object":"chat.completion","created":1760000000,"model":"mock","choices":[{"index":0,` +
      `"message":{"role":"assistant","content":${JSON.stringify(content)},"refusal":null},` +
      `"logprobs":null,"finish_reason":"stop"}],"usage":${USAGE}}`,
  );
}

export const CHAT = chatSaying('The gate is open, and it was paid for.');

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

export const EMBEDDINGS = plain(
  `{"object":"list","data":[${Array.from(
    { length: EMBEDDING_INPUTS },
    (_, index) => `{"object":"embedding","index":${index},"embedding":"${VECTOR.toString('base64')}"}`,
  ).join(',')}],"model":"mock","usage":{"prompt_tokens":2560,"total_tokens":2560}}`,
);

export const NOT_FOUND = Buffer.from('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n');
