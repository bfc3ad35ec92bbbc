import type Anthropic from '@anthropic-ai/sdk';
import { z } from 'zod';

// Messages that are translated, and their events, as the types of Anthropic's SDK say, every type of event among them. What
// those types don't have is not in them either. Of the members for which they have null, none is null but the two by which a
// message says why it stopped: on Anthropic's wire the others are absent, and older clients reject a null.

/** A type whose members are absent where it has null for them. */
type Sparse<T> = { [K in keyof T as null extends T[K] ? never : K]: T[K] } & {
  [K in keyof T as null extends T[K] ? K : never]?: NonNullable<T[K]> | undefined;
};

const DETAILS = z.strictObject({ thinking_tokens: z.int() }).optional();

const USAGE = z.strictObject({
  cache_creation: z.strictObject({ ephemeral_5m_input_tokens: z.int(), ephemeral_1h_input_tokens: z.int() }),
  cache_creation_input_tokens: z.int(),
  cache_read_input_tokens: z.int(),
  input_tokens: z.int(),
  output_tokens: z.int(),
  output_tokens_details: DETAILS,
  inference_geo: z.string().optional(),
  service_tier: z.enum(['standard', 'priority', 'batch']).optional(),
}) satisfies z.ZodType<Sparse<Anthropic.Usage>>;

const DELTA_USAGE = z.strictObject({
  cache_creation_input_tokens: z.int(),
  cache_read_input_tokens: z.int(),
  input_tokens: z.int(),
  output_tokens: z.int(),
  output_tokens_details: DETAILS,
}) satisfies z.ZodType<Sparse<Anthropic.MessageDeltaUsage>>;

const BLOCK = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string() }),
  z.strictObject({ type: z.literal('thinking'), thinking: z.string(), signature: z.string() }),
  z.strictObject({
    type: z.literal('tool_use'),
    id: z.string().min(1),
    name: z.string().min(1),
    input: z.unknown(),
    caller: z.strictObject({ type: z.literal('direct') }),
  }),
]) satisfies z.ZodType<Sparse<Anthropic.TextBlock> | Anthropic.ContentBlock>;

const STOP_REASON = z.enum(['end_turn', 'max_tokens', 'stop_sequence', 'tool_use', 'pause_turn', 'refusal']);
const STOP_DETAILS = z
  .strictObject({ type: z.literal('refusal'), category: z.null(), explanation: z.null() })
  .optional() satisfies z.ZodType<Anthropic.RefusalStopDetails | undefined>;

/** A whole message. */
export const ANTHROPIC_MESSAGE = z.strictObject({
  id: z.string().startsWith('msg_'),
  type: z.literal('message'),
  role: z.literal('assistant'),
  model: z.string(),
  content: z.array(BLOCK),
  stop_reason: STOP_REASON.nullable(),
  stop_sequence: z.string().nullable(),
  stop_details: STOP_DETAILS,
  usage: USAGE,
}) satisfies z.ZodType<Record<keyof Pick<Anthropic.Message, 'id' | 'type' | 'role' | 'model'>, unknown>>;

const EVENTS = {
  message_start: z.strictObject({ type: z.literal('message_start'), message: ANTHROPIC_MESSAGE }),
  content_block_start: z.strictObject({
    type: z.literal('content_block_start'),
    index: z.int(),
    content_block: BLOCK,
  }),
  content_block_delta: z.strictObject({
    type: z.literal('content_block_delta'),
    index: z.int(),
    delta: z.discriminatedUnion('type', [
      z.strictObject({ type: z.literal('text_delta'), text: z.string() }),
      z.strictObject({ type: z.literal('thinking_delta'), thinking: z.string() }),
      z.strictObject({ type: z.literal('signature_delta'), signature: z.string() }),
      z.strictObject({ type: z.literal('input_json_delta'), partial_json: z.string() }),
    ]),
  }),
  content_block_stop: z.strictObject({
    type: z.literal('content_block_stop'),
    index: z.int(),
  }) satisfies z.ZodType<Anthropic.RawContentBlockStopEvent>,
  message_delta: z.strictObject({
    type: z.literal('message_delta'),
    delta: z.strictObject({
      stop_reason: STOP_REASON,
      stop_sequence: z.string().nullable(),
      stop_details: STOP_DETAILS,
    }),
    usage: DELTA_USAGE,
  }),
  message_stop: z.strictObject({ type: z.literal('message_stop') }) satisfies z.ZodType<Anthropic.RawMessageStopEvent>,
  ping: z.strictObject({ type: z.literal('ping') }),
} as const satisfies Readonly<Record<Anthropic.RawMessageStreamEvent['type'] | 'ping', z.ZodType>>;

const ERROR_TYPE = z.enum([
  'invalid_request_error',
  'authentication_error',
  'billing_error',
  'permission_error',
  'not_found_error',
  'rate_limit_error',
  'timeout_error',
  'api_error',
  'overloaded_error',
  // The SDK's types don't have it, and Anthropic's documentation has.
  'request_too_large',
]) satisfies z.ZodType<Anthropic.ErrorType | 'request_too_large'>;

/** The body of an answer that is none, and the event of a message that breaks off. */
export const ANTHROPIC_ERROR = z.strictObject({
  type: z.literal('error'),
  error: z.strictObject({
    type: ERROR_TYPE,
    message: z.string(),
    // Beside what the SDK has: what programs act on here.
    code: z.string(),
    param: z.string().optional(),
    details: z.record(z.string(), z.unknown()).optional(),
  }),
  request_id: z.string(),
});

/** A message that was translated. */
export type TranslatedMessage = z.infer<typeof ANTHROPIC_MESSAGE>;

export type MessageEvent = z.infer<(typeof EVENTS)[keyof typeof EVENTS]>;
export type Block = z.infer<typeof BLOCK>;

/** An event, under its name. Throws with what is wrong with it. */
export function readMessageEvent({
  name,
  data,
}: {
  readonly name: string | null;
  readonly data: string;
}): MessageEvent {
  const payload = JSON.parse(data) as { type: string };
  if (name !== payload.type) throw new Error(`an event of type ${payload.type} is called ${name}`);
  if (!Object.hasOwn(EVENTS, payload.type)) throw new Error(`${payload.type} is no event of this API`);
  return EVENTS[payload.type as keyof typeof EVENTS].parse(payload);
}
