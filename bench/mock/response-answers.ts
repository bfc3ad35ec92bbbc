import {
  BURST_CHUNKS,
  burstOf,
  type NamedEvent,
  namedEvents,
  plainAnswer,
  SAID,
  STREAM_CHUNKS,
  type StreamBytes,
  streamOf,
  TOKEN,
} from './answer-bytes.ts';

// What the mock upstream says as OpenAI writes responses.

const ITEM = { id: 'msg_bench', type: 'message', role: 'assistant' };
const PLACE = { item_id: ITEM.id, output_index: 0, content_index: 0 };
const USAGE = {
  input_tokens: 20,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 10,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 30,
};

function response(rest: object): object {
  return {
    id: 'resp_bench',
    object: 'response',
    created_at: 1_760_000_000,
    status: 'in_progress',
    error: null,
    incomplete_details: null,
    instructions: null,
    max_output_tokens: 64,
    model: 'mock',
    output: [],
    parallel_tool_calls: true,
    previous_response_id: null,
    reasoning: { effort: null, summary: null },
    store: false,
    temperature: 0.2,
    text: { format: { type: 'text' } },
    tool_choice: 'auto',
    tools: [],
    top_p: 1,
    truncation: 'disabled',
    usage: null,
    metadata: {},
    ...rest,
  };
}

const partOf = (text: string): object => ({ type: 'output_text', annotations: [], logprobs: [], text });
const itemOf = (text: string): object => ({ ...ITEM, status: 'completed', content: [partOf(text)] });
const completed = (text: string): object => response({ status: 'completed', output: [itemOf(text)], usage: USAGE });

/** A stream of so many chunks. They are the same bytes, so they have one number. */
function stream(tokens: number): StreamBytes {
  const text = TOKEN.repeat(tokens);
  let number = 0;
  const event = (type: string, rest: object): NamedEvent => ({ type, sequence_number: number++, ...rest });
  const first = [
    event('response.created', { response: response({}) }),
    event('response.in_progress', { response: response({}) }),
    event('response.output_item.added', { output_index: 0, item: { ...ITEM, status: 'in_progress', content: [] } }),
    event('response.content_part.added', { ...PLACE, part: partOf('') }),
  ];
  const chunk = namedEvents(
    event('response.output_text.delta', { ...PLACE, delta: TOKEN, logprobs: [], obfuscation: 'Kp0ZcRvQ1b' }),
  );
  number = first.length + tokens;
  const last = [
    event('response.output_text.done', { ...PLACE, text, logprobs: [] }),
    event('response.content_part.done', { ...PLACE, part: partOf(text) }),
    event('response.output_item.done', { output_index: 0, item: itemOf(text) }),
    event('response.completed', { response: completed(text) }),
  ];
  return streamOf({ first: namedEvents(...first) + chunk, chunk, last: namedEvents(...last) });
}

export const RESPONSE_PLAIN = plainAnswer(JSON.stringify(completed(SAID)));
export const RESPONSE_STREAM = stream(STREAM_CHUNKS);
export const RESPONSE_BURST = burstOf(stream(BURST_CHUNKS));
