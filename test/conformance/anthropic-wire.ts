import type { Answer, Finish, UsageSaid } from './answers.ts';
import type { Failure } from './failures.ts';
import type { WireAnswer } from './vendor.ts';

// The wire of Anthropic's Messages API as its server speaks it: messages and events follow the examples of
// https://platform.claude.com/docs/en/build-with-claude/streaming, errors those of .../docs/en/api/errors, usage and stop
// reasons the types of @anthropic-ai/sdk 1.12 (src/control/resources/messages/messages.ts), read in November 2026.

const STOP_REASONS: Readonly<Record<Finish, string>> = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'refusal',
};

/** What a model that reasons says of its thoughts. */
const THOUGHT = { thinking: ['Two dollars, ', 'I think.'], signature: 'EqoBCkgIARABGAIiQL2UoU0b1OHYi+==' };

const HEAD = {
  id: 'msg_01XFDUDYJgAACzvnptvVoYEL',
  type: 'message',
  role: 'assistant',
  container: null,
  diagnostics: null,
};

const inputUsage = ({ input, cached, written }: UsageSaid) => ({
  input_tokens: input - cached - written,
  cache_creation_input_tokens: written,
  cache_read_input_tokens: cached,
});

const outputUsage = ({ output, reasoning }: UsageSaid) => ({
  output_tokens: output,
  output_tokens_details: reasoning === 0 ? null : { thinking_tokens: reasoning },
  server_tool_use: null,
});

const startUsage = (usage: UsageSaid) => ({
  ...inputUsage(usage),
  cache_creation: { ephemeral_5m_input_tokens: usage.written, ephemeral_1h_input_tokens: 0 },
  inference_geo: 'not_available',
  service_tier: 'standard',
  speed: null,
});

/** What has been written when a message starts. */
const BEGUN_USAGE = { output_tokens: 1, output_tokens_details: null, server_tool_use: null };

const stopOf = ({ finish }: Answer) => ({
  stop_reason: STOP_REASONS[finish],
  stop_sequence: null,
  stop_details: finish === 'content_filter' ? { type: 'refusal', category: null, explanation: null } : null,
});

/** A block and the deltas in which a stream brings what it has not at its start. */
interface WireBlock {
  readonly whole: object;
  readonly start: object;
  readonly deltas: readonly object[];
}

function blocksOf({ text, calls, usage }: Answer): readonly WireBlock[] {
  const thinking = { type: 'thinking', thinking: THOUGHT.thinking.join(''), signature: THOUGHT.signature };
  const thoughts: readonly WireBlock[] = [
    {
      whole: thinking,
      start: { type: 'thinking', thinking: '', signature: '' },
      deltas: [
        ...THOUGHT.thinking.map((piece) => ({ type: 'thinking_delta', thinking: piece })),
        { type: 'signature_delta', signature: THOUGHT.signature },
      ],
    },
  ];
  const texts: readonly WireBlock[] = [
    {
      whole: { type: 'text', text: text.join(''), citations: null },
      start: { type: 'text', text: '', citations: null },
      deltas: text.map((piece) => ({ type: 'text_delta', text: piece })),
    },
  ];
  const uses = calls.map(({ id, name, arguments: pieces }): WireBlock => {
    const use = { type: 'tool_use', id: `toolu_${id}`, name, caller: { type: 'direct' } };
    return {
      whole: { ...use, input: JSON.parse(pieces.join('')) as unknown },
      start: { ...use, input: {} },
      // The first piece is empty.
      deltas: ['', ...pieces].map((piece) => ({ type: 'input_json_delta', partial_json: piece })),
    };
  });
  return [...(usage.reasoning > 0 ? thoughts : []), ...(text.length > 0 ? texts : []), ...uses];
}

const wireJson = (status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): WireAnswer => ({
  status,
  headers: { 'content-type': 'application/json', 'request-id': 'req_011CSHoEeqs5C35K2UUqR7Fy', ...headers },
  body: JSON.stringify(value),
});

/** A 200 with a whole message. */
export function wireMessage(answer: Answer, model: string): WireAnswer {
  return wireJson(200, {
    ...HEAD,
    model,
    content: blocksOf(answer).map(({ whole }) => whole),
    ...stopOf(answer),
    usage: { ...startUsage(answer.usage), ...outputUsage(answer.usage) },
  });
}

interface WireEvent {
  readonly type: string;
  readonly [name: string]: unknown;
}

const wireEvent = (event: WireEvent): string => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;

/** The events of the same as a stream. */
export function wireEvents(answer: Answer, model: string): readonly string[] {
  const begun = { ...HEAD, model, content: [], stop_reason: null, stop_sequence: null, stop_details: null };
  const blocks = blocksOf(answer).flatMap(({ start, deltas }, index): readonly WireEvent[] => [
    { type: 'content_block_start', index, content_block: start },
    ...(index === 0 ? [{ type: 'ping' }] : []),
    ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
    { type: 'content_block_stop', index },
  ]);
  const events: readonly WireEvent[] = [
    { type: 'message_start', message: { ...begun, usage: { ...startUsage(answer.usage), ...BEGUN_USAGE } } },
    ...blocks,
    {
      type: 'message_delta',
      delta: { ...stopOf(answer), container: null },
      usage: { ...inputUsage(answer.usage), ...outputUsage(answer.usage) },
    },
    { type: 'message_stop' },
  ];
  return events.map(wireEvent);
}

const REFUSALS: Readonly<Record<Failure['name'], { readonly status: number; readonly type: string }>> = {
  bad_request: { status: 400, type: 'invalid_request_error' },
  prompt_block: { status: 400, type: 'invalid_request_error' },
  bad_key: { status: 401, type: 'authentication_error' },
  unknown_model: { status: 404, type: 'not_found_error' },
  rate_limit: { status: 429, type: 'rate_limit_error' },
  overload: { status: 529, type: 'overloaded_error' },
  server_error: { status: 500, type: 'api_error' },
};

const errorOf = ({ name, message }: Failure): WireEvent => ({
  type: 'error',
  error: { type: REFUSALS[name].type, message, details: null },
  request_id: 'req_011CSHoEeqs5C35K2UUqR7Fy',
});

/** A refusal with its usual status. */
export function wireRefusal(failure: Failure): WireAnswer {
  const headers = failure.retryAfter === null ? {} : { 'retry-after': String(failure.retryAfter) };
  return wireJson(REFUSALS[failure.name].status, errorOf(failure), headers);
}

/** The event that ends a stream that fails. */
export function wireErrorEvent(failure: Failure): string {
  return wireEvent(errorOf(failure));
}
