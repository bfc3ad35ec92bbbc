import type { Script } from '../support/scripted-upstream.ts';

// What the scripted upstream does, by the model that it is asked for.

/** Bytes that no parse and re-print would keep: spacing, a 64-bit number, an escape, fields that nobody knows. */
export const RECORDED_ANSWER = String.raw`{ "id":"chatcmpl-1", "object":"chat.completion","created":1,"model":"recorded",
  "system_fingerprint":"fp_\u0031", "seed":9223372036854775807, "x_unknown":{"b":1.0,"a":[ ]},
  "choices":[{"index":0,"message":{"role":"assistant","content":"caf\u00e9","refusal":null},"logprobs":null,"finish_reason":"stop"}],
  "usage":{"prompt_tokens":11,"completion_tokens":3,"total_tokens":14} }`;

export const RECORDED_CHUNKS: readonly string[] = [
  String.raw`{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"recorded", "choices":[{"index":0,"delta":{"role":"assistant","content":"caf"},"finish_reason":null}]}`,
  String.raw`{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"recorded","x_unknown":9223372036854775807,"choices":[{"index":0,"delta":{"content":"\u00e9"},"finish_reason":null}]}`,
  String.raw`{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"recorded","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}`,
];

export const RECORDED_USAGE_CHUNK =
  '{"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"recorded","choices":[],"usage":{"prompt_tokens":11,"completion_tokens":3,"total_tokens":14}}';

/** What the rejecting model says of every request. */
export const REJECTION = {
  message: 'temperature is too hot',
  type: 'invalid_request_error',
  param: 'temperature',
  code: 'too_hot',
};

/** What models say that reject every request, each in the words of another maker's API; their ids are the keys. */
export const REJECTIONS: Readonly<Record<string, object>> = {
  rejecting: REJECTION,
  'rejecting-long': {
    message:
      "This model's maximum context length is 128000 tokens. However, your messages resulted in 150000 tokens. " +
      'Please reduce the length of the messages.',
    type: 'invalid_request_error',
    param: 'messages',
    code: 'context_length_exceeded',
  },
  'rejecting-long-anthropic': {
    message: 'prompt is too long: 210000 tokens > 128000 maximum',
    type: 'invalid_request_error',
  },
  'rejecting-long-gemini': {
    message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (128000).',
    status: 'INVALID_ARGUMENT',
    code: 400,
  },
  'rejecting-blocked': {
    message: 'Your request was rejected by the safety system.',
    type: 'invalid_request_error',
    param: null,
    code: 'content_policy_violation',
  },
};

/** Numbers that a 32-bit float can't hold exactly, and some of its ends. */
export const PRECISE_VECTOR: readonly number[] = [
  0.1,
  -0.2,
  1 / 3,
  0,
  1e-45,
  3.4028234663852886e38,
  -1,
  0.000_012_345_678_9,
];

interface AskedUpstream {
  readonly model: string;
  readonly stream?: boolean;
  readonly input?: string | readonly unknown[];
}

const event = (payload: string): string => `data: ${payload}\n\n`;

/** Answers as the model that is asked for does. */
export const answerByModel: Script = (response, { body }) => {
  const asked = JSON.parse(body.toString()) as AskedUpstream;
  const json = (status: number, text: string): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(text);
  };
  const stream = (payloads: readonly string[]): void => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(payloads.map(event).join(''));
  };
  const [first = '', second = ''] = RECORDED_CHUNKS;
  const rejection = REJECTIONS[asked.model];
  if (rejection !== undefined) return json(400, JSON.stringify({ error: rejection }));
  switch (asked.model) {
    case 'silent':
      return undefined;
    case 'precise-embed':
      return json(200, embeddings(asked.input ?? ''));
    case 'torn':
      stream([first, second]);
      // What was written must have left before the connection is torn.
      setTimeout(() => response.destroy(), 50);
      return undefined;
    case 'erring':
      stream([first, second, '{"error":{"message":"out of memory on gpu-7","type":"server_error","code":500}}']);
      response.end(event('[DONE]'));
      return undefined;
    case 'unfinished':
      stream([first, second]);
      response.end();
      return undefined;
    default:
      if (asked.stream !== true) return json(200, RECORDED_ANSWER);
      stream([...RECORDED_CHUNKS, RECORDED_USAGE_CHUNK]);
      response.end(event('[DONE]'));
      return undefined;
  }
};

function embeddings(input: string | readonly unknown[]): string {
  const count = typeof input === 'string' ? 1 : input.length;
  const data = Array.from({ length: count }, (_, index) => ({ object: 'embedding', index, embedding: PRECISE_VECTOR }));
  return JSON.stringify({
    object: 'list',
    data,
    model: 'precise-embed',
    usage: { prompt_tokens: 3, total_tokens: 3 },
  });
}
