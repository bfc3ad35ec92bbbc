import type { Answer, UsageSaid } from '../../conformance/answers.ts';
import type { WireAnswer } from '../../conformance/vendor.ts';

// The wire of OpenAI's Responses as its server speaks it: objects and events of Open Responses, release 2.4.

/** The reasoning that only the provider can read, and the summary that it shows of it. */
export const ENCRYPTED = 'gAAAAABn0c4Zx+/YzJ9kd2lyZQ==';
const SUMMARY = 'Two dollars, I think.';

const SETTINGS = {
  background: false,
  frequency_penalty: 0,
  instructions: null,
  max_output_tokens: null,
  max_tool_calls: null,
  metadata: {},
  parallel_tool_calls: true,
  presence_penalty: 0,
  previous_response_id: null,
  prompt_cache_key: null,
  reasoning: { effort: null, summary: null },
  safety_identifier: null,
  service_tier: 'default',
  store: false,
  temperature: 1,
  text: { format: { type: 'text' } },
  tool_choice: 'auto',
  tools: [],
  top_logprobs: 0,
  top_p: 1,
  truncation: 'disabled',
};

const usageOf = ({ input, cached, output, reasoning }: UsageSaid) => ({
  input_tokens: input,
  input_tokens_details: { cached_tokens: cached },
  output_tokens: output,
  output_tokens_details: { reasoning_tokens: reasoning },
  total_tokens: input + output,
});

const INCOMPLETE: Readonly<Record<string, string>> = {
  length: 'max_output_tokens',
  content_filter: 'content_filter',
};

function responseOf(answer: Answer, model: string, output: readonly object[], status: string): object {
  const isOver = status !== 'in_progress';
  const reason = INCOMPLETE[answer.finish];
  return {
    id: 'resp_0f1e2d',
    object: 'response',
    created_at: 1_770_000_000,
    completed_at: status === 'completed' ? 1_770_000_002 : null,
    status,
    error: null,
    incomplete_details: isOver && reason !== undefined ? { reason } : null,
    model,
    output,
    usage: isOver ? usageOf(answer.usage) : null,
    ...SETTINGS,
  };
}

interface WireEvent {
  readonly type: string;
  readonly [member: string]: unknown;
}

/** An item of the output, and the events that bring it between its being added and its being done. */
interface WireItem {
  readonly whole: object;
  readonly begun: object;
  readonly events: readonly WireEvent[];
}

function reasoningItem(): WireItem {
  const begun = { id: 'rs_1', type: 'reasoning', summary: [] };
  const place = { item_id: 'rs_1', summary_index: 0 };
  const part = { type: 'summary_text', text: SUMMARY };
  return {
    whole: { ...begun, summary: [part], encrypted_content: ENCRYPTED },
    begun,
    events: [
      { type: 'response.reasoning_summary_part.added', ...place, part: { ...part, text: '' } },
      { type: 'response.reasoning_summary_text.delta', ...place, delta: SUMMARY },
      { type: 'response.reasoning_summary_text.done', ...place, text: SUMMARY },
      { type: 'response.reasoning_summary_part.done', ...place, part },
    ],
  };
}

function messageItem({ text, refusal }: Answer, status: string): WireItem {
  const begun = { id: 'msg_1', type: 'message', role: 'assistant', status: 'in_progress', content: [] };
  const place = { item_id: 'msg_1', content_index: 0 };
  const said = refusal ?? text.join('');
  const part =
    refusal === null
      ? { type: 'output_text', text: said, annotations: [], logprobs: [] }
      : { type: 'refusal', refusal: said };
  const kind = refusal === null ? 'output_text' : 'refusal';
  const empty = refusal === null ? { ...part, text: '' } : { ...part, refusal: '' };
  const logprobs = refusal === null ? { logprobs: [] } : {};
  const done = refusal === null ? { text: said } : { refusal: said };
  return {
    whole: { ...begun, status, content: [part] },
    begun,
    events: [
      { type: 'response.content_part.added', ...place, part: empty },
      ...(refusal === null ? text : [refusal]).map((delta) => ({
        type: `response.${kind}.delta`,
        ...place,
        delta,
        ...logprobs,
      })),
      { type: `response.${kind}.done`, ...place, ...done, ...logprobs },
      { type: 'response.content_part.done', ...place, part },
    ],
  };
}

function callItem({ id, name, arguments: pieces }: Answer['calls'][number]): WireItem {
  const begun = { id: `fc_${id}`, type: 'function_call', call_id: id, name, arguments: '', status: 'in_progress' };
  const place = { item_id: begun.id };
  const written = pieces.join('');
  return {
    whole: { ...begun, arguments: written, status: 'completed' },
    begun,
    events: [
      ...pieces.map((delta) => ({ type: 'response.function_call_arguments.delta', ...place, delta })),
      { type: 'response.function_call_arguments.done', ...place, arguments: written },
    ],
  };
}

const statusOf = ({ finish }: Answer): string => (finish in INCOMPLETE ? 'incomplete' : 'completed');

function itemsOf(answer: Answer): readonly WireItem[] {
  const says = answer.text.length > 0 || answer.refusal !== null;
  return [
    ...(answer.usage.reasoning > 0 ? [reasoningItem()] : []),
    ...(says ? [messageItem(answer, statusOf(answer))] : []),
    ...answer.calls.map(callItem),
  ];
}

/** A 200 with the whole response. */
export function wireResponse(answer: Answer, model: string): WireAnswer {
  const output = itemsOf(answer).map(({ whole }) => whole);
  return {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(responseOf(answer, model, output, statusOf(answer))),
  };
}

/** The events of the same as a stream, each with its framing. */
export function wireResponseEvents(answer: Answer, model: string): readonly string[] {
  const items = itemsOf(answer);
  const status = statusOf(answer);
  const begun = responseOf(answer, model, [], 'in_progress');
  const whole = responseOf(
    answer,
    model,
    items.map((item) => item.whole),
    status,
  );
  const events: readonly WireEvent[] = [
    { type: 'response.created', response: begun },
    { type: 'response.in_progress', response: begun },
    ...items.flatMap((item, index) => [
      { type: 'response.output_item.added', output_index: index, item: item.begun },
      ...item.events.map((event) => ({ ...event, output_index: index })),
      { type: 'response.output_item.done', output_index: index, item: item.whole },
    ]),
    { type: `response.${status}`, response: whole },
  ];
  return events.map(({ type, ...rest }, number) => framed({ type, sequence_number: number, ...rest }));
}

/** The event with which the server ends a stream that fails. */
export function wireResponseError(message: string): string {
  return framed({ type: 'error', sequence_number: 9, code: 'server_error', message, param: null });
}

function framed(event: WireEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
