import { isObject, type JsonObject } from '../../openai/json-object.ts';

// The response object: its own members, and the settings of its request, which it repeats.

/** How a response ended, or that it hasn't. */
export type Standing =
  | { readonly status: 'in_progress' | 'completed' }
  | { readonly status: 'incomplete'; readonly reason: 'max_output_tokens' | 'content_filter' }
  | { readonly status: 'failed'; readonly error: JsonObject };

/** The members of a response's own. */
export interface ResponseFacts {
  readonly id: string;
  readonly model: string;
  /** Seconds since the epoch. */
  readonly createdAt: number;
  readonly completedAt: number | null;
  readonly standing: Standing;
  readonly output: readonly JsonObject[];
  readonly usage: JsonObject | null;
}

/** The settings of a request that its answer repeats, with defaults for those that are missing. */
export function settingsOf(request: JsonObject): JsonObject {
  const { reasoning, text, tools, tool_choice: choice } = request;
  const valueOf = (name: string, otherwise: unknown): unknown => request[name] ?? otherwise;
  return {
    instructions: valueOf('instructions', null),
    max_output_tokens: valueOf('max_output_tokens', null),
    max_tool_calls: valueOf('max_tool_calls', null),
    metadata: valueOf('metadata', {}),
    parallel_tool_calls: valueOf('parallel_tool_calls', true),
    previous_response_id: valueOf('previous_response_id', null),
    prompt_cache_key: valueOf('prompt_cache_key', null),
    safety_identifier: valueOf('safety_identifier', null),
    ...(typeof request['user'] === 'string' ? { user: request['user'] } : {}),
    reasoning: { effort: null, summary: null, ...(isObject(reasoning) ? reasoning : {}) },
    service_tier: 'default',
    // Nothing is kept, whatever the request says.
    store: false,
    background: false,
    temperature: valueOf('temperature', 1),
    top_p: valueOf('top_p', 1),
    top_logprobs: valueOf('top_logprobs', 0),
    presence_penalty: valueOf('presence_penalty', 0),
    frequency_penalty: valueOf('frequency_penalty', 0),
    text: settledText(isObject(text) ? text : {}),
    tools: Array.isArray(tools) ? tools.map(settledTool) : [],
    tool_choice: choice ?? 'auto',
    truncation: 'disabled',
  };
}

/** A format as answers repeat it: with all of its members. */
function settledText({ format, ...rest }: JsonObject): JsonObject {
  if (!isObject(format)) return { format: { type: 'text' }, ...rest };
  const { type, description, strict } = format;
  if (type !== 'json_schema') return { format, ...rest };
  return { format: { ...format, description: description ?? null, strict: strict ?? false }, ...rest };
}

/** A function as answers repeat it: with all of its members. */
function settledTool(tool: unknown): unknown {
  if (!isObject(tool) || tool['type'] !== 'function') return tool;
  return { description: null, parameters: null, strict: false, ...tool };
}

/** The whole object. */
export function responseObject(facts: ResponseFacts, settings: JsonObject): JsonObject {
  const { id, model, createdAt, completedAt, standing, output, usage } = facts;
  return {
    id,
    object: 'response',
    created_at: createdAt,
    completed_at: completedAt,
    status: standing.status,
    error: standing.status === 'failed' ? standing.error : null,
    incomplete_details: standing.status === 'incomplete' ? { reason: standing.reason } : null,
    model,
    output,
    usage,
    ...settings,
  };
}

/** Converts a chat answer's `usage` to Responses' names; counts that OpenAI has no name for keep chat's. */
export function responseUsage(usage: JsonObject): JsonObject {
  const { prompt_tokens: input, completion_tokens: output, total_tokens: total } = usage;
  const {
    cached_tokens: cached,
    cache_write_tokens: written,
    ...inputDetails
  } = detailsOf(usage['prompt_tokens_details']);
  const { reasoning_tokens: reasoning, ...outputDetails } = detailsOf(usage['completion_tokens_details']);
  return {
    input_tokens: input ?? 0,
    input_tokens_details: { ...inputDetails, cached_tokens: cached ?? 0, cache_write_tokens: written ?? 0 },
    output_tokens: output ?? 0,
    output_tokens_details: { ...outputDetails, reasoning_tokens: reasoning ?? 0 },
    total_tokens: total ?? Number(input ?? 0) + Number(output ?? 0),
  };
}

function detailsOf(details: unknown): JsonObject {
  return isObject(details) ? details : {};
}
