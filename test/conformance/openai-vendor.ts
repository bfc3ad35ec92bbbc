import OpenAI from 'openai';
import { readChunks, readCompletion } from './openai-reading.ts';
import {
  readWireAsked,
  WIRE_DONE,
  wireChunks,
  wireCompletion,
  wireEmbeddings,
  wireEvent,
  wireJson,
} from './openai-wire.ts';
import type { Failure } from './failures.ts';
import type { Vendor } from './vendor.ts';

/** Statuses and words of https://platform.openai.com/docs/guides/error-codes, read in August 2026. */
const REFUSALS: Readonly<
  Record<Failure['name'], { status: number; type: string; param: string | null; code: string | null }>
> = {
  bad_request: { status: 400, type: 'invalid_request_error', param: 'temperature', code: 'decimal_above_max_value' },
  prompt_block: { status: 400, type: 'invalid_request_error', param: null, code: 'content_policy_violation' },
  bad_key: { status: 401, type: 'invalid_request_error', param: null, code: 'invalid_api_key' },
  unknown_model: { status: 404, type: 'invalid_request_error', param: null, code: 'model_not_found' },
  rate_limit: { status: 429, type: 'requests', param: null, code: 'rate_limit_exceeded' },
  overload: { status: 503, type: 'server_error', param: null, code: null },
  server_error: { status: 500, type: 'server_error', param: null, code: null },
};

function errorOf({ name, message }: Failure): object {
  const { type, param, code } = REFUSALS[name];
  return { error: { message, type, param, code } };
}

function bodyOf(body: Buffer): { model: string; stream?: boolean } {
  return JSON.parse(body.toString()) as { model: string; stream?: boolean };
}

/** OpenAI itself, and all that follow it to the letter. */
export const openAiVendor: Vendor = {
  kind: 'openai',
  lacks: new Set(),
  providerSection: (origin) => `{ kind: openai, base_url: "${origin}/v1", api_key: vendor-key, profile: openai }`,
  headers: ['authorization', 'content-type'],

  modelOf: ({ body }) => bodyOf(body).model,
  isStreamed: ({ body }) => bodyOf(body).stream === true,
  readAsked: readWireAsked,

  plain: (answer, model) => wireJson(200, wireCompletion(answer, model)),
  events: (answer, model) => [...wireChunks(answer, model).map(wireEvent), WIRE_DONE],
  refusal: (failure) =>
    wireJson(
      REFUSALS[failure.name].status,
      errorOf(failure),
      failure.retryAfter === null ? {} : { 'retry-after': String(failure.retryAfter) },
    ),
  errorEvent: (failure) => wireEvent(errorOf(failure)),
  embeddings: wireEmbeddings,

  async callWithSdk(origin, { name, request }, streamed) {
    const client = new OpenAI({ apiKey: 'vendor-key', baseURL: `${origin}/v1`, maxRetries: 0 });
    const params = { ...request, model: name };
    if (!streamed) return readCompletion(await client.chat.completions.create(params));
    const stream_options = { include_usage: true, include_obfuscation: false };
    const stream = await client.chat.completions.create({ ...params, stream: true, stream_options });
    return readChunks(await Array.fromAsync(stream));
  },
};
