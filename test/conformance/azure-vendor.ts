import { AzureOpenAI } from 'openai';
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

// Azure's wire: OpenAI's bodies with Azure's annotations, as in the examples of "How to use content filters" and of the
// REST reference for 2024-10-21 (https://learn.microsoft.com/azure/ai-services/openai/reference and .../content-filter,
// read in August 2026).

const API_VERSION = '2024-10-21';

const SAFE = { filtered: false, severity: 'safe' };
const CONTENT_FILTERED = { content_filter_results: { hate: SAFE, self_harm: SAFE, sexual: SAFE, violence: SAFE } };
const PROMPT_FILTERED = { prompt_filter_results: [{ prompt_index: 0, ...CONTENT_FILTERED }] };

/** The chunk before all others, which tells how the prompt was judged. */
const FIRST_CHUNK = { choices: [], created: 0, id: '', model: '', object: '', ...PROMPT_FILTERED };

const POLICY_VIOLATION = {
  type: null,
  param: 'prompt',
  status: 400,
  innererror: {
    code: 'ResponsibleAIPolicyViolation',
    content_filter_result: { ...CONTENT_FILTERED.content_filter_results, hate: { filtered: true, severity: 'high' } },
  },
};

const REFUSALS: Readonly<Record<Failure['name'], { status: number; code: string | null; more?: object }>> = {
  bad_request: { status: 400, code: null, more: { type: 'invalid_request_error', param: 'temperature' } },
  prompt_block: { status: 400, code: 'content_filter', more: POLICY_VIOLATION },
  bad_key: { status: 401, code: '401' },
  unknown_model: { status: 404, code: 'DeploymentNotFound' },
  rate_limit: { status: 429, code: '429' },
  overload: { status: 503, code: 'ServiceUnavailable' },
  server_error: { status: 500, code: 'InternalServerError' },
};

function errorOf({ name, message }: Failure): object {
  const { code, more } = REFUSALS[name];
  return { error: { code, message, ...more } };
}

/** The deployment in the path of `/openai/deployments/NAME/chat/completions`. */
function deploymentOf(path: string): string {
  return decodeURIComponent(path.split('/')[3] ?? '');
}

/** Azure's dated API, with a key. */
export const azureVendor: Vendor = {
  kind: 'azure',
  lacks: new Set(),
  providerSection: (origin) =>
    `{ kind: azure, base_url: "${origin}", api_key: vendor-key, api_version: "${API_VERSION}" }`,
  headers: ['api-key', 'authorization', 'content-type'],

  modelOf: ({ path }) => deploymentOf(path),
  isStreamed: ({ body }) => (JSON.parse(body.toString()) as { stream?: boolean }).stream === true,
  readAsked: readWireAsked,

  plain: (answer, model) => wireJson(200, { ...wireCompletion(answer, model, CONTENT_FILTERED), ...PROMPT_FILTERED }),
  events: (answer, model) => [
    ...[FIRST_CHUNK, ...wireChunks(answer, model, CONTENT_FILTERED)].map(wireEvent),
    WIRE_DONE,
  ],
  refusal: (failure) =>
    wireJson(
      REFUSALS[failure.name].status,
      errorOf(failure),
      failure.retryAfter === null ? {} : { 'retry-after': String(failure.retryAfter) },
    ),
  errorEvent: (failure) => wireEvent(errorOf(failure)),
  embeddings: wireEmbeddings,

  async callWithSdk(origin, { name, request }, streamed) {
    const client = new AzureOpenAI({ apiKey: 'vendor-key', endpoint: origin, apiVersion: API_VERSION, maxRetries: 0 });
    const params = { ...request, model: name };
    if (!streamed) return readCompletion(await client.chat.completions.create(params));
    const stream_options = { include_usage: true };
    const stream = await client.chat.completions.create({ ...params, stream: true, stream_options });
    return readChunks(await Array.fromAsync(stream));
  },
};
