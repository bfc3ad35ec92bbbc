import { exhaustedKey } from './provocations.ts';
import { REJECTIONS } from './scripted-models.ts';
import type { Stage } from './stage.ts';

// What OpenAI itself answers with, and the refusal of the gateway's that means the same.

export interface Counterpart {
  readonly what: string;
  /** OpenAI's own status and error. */
  readonly status: number;
  readonly error: object;
  /** What the gateway is asked for. */
  readonly model: string;
  readonly key: (stage: Stage) => string | Promise<string>;
}

const ample = (stage: Stage): string => stage.tenant.key;
const invalid = (message: string, code: string | null, param: string | null = null): object => ({
  message,
  type: 'invalid_request_error',
  param,
  code,
});

const UNKNOWN_KEY = invalid(
  'Incorrect API key provided: sk-proj-***. You can find your API key at …',
  'invalid_api_key',
);
const TOO_LONG = REJECTIONS['rejecting-long'] ?? {};

export const COUNTERPARTS: readonly Counterpart[] = [
  {
    what: 'a key that is wrong',
    status: 401,
    error: UNKNOWN_KEY,
    model: 'vendor/chat',
    key: () => 'sk-proj-0123456789',
  },
  {
    what: 'a key that is revoked',
    status: 401,
    error: UNKNOWN_KEY,
    model: 'vendor/chat',
    key: async (stage) => {
      const { key, keyId } = await stage.program.createTenant();
      await stage.program.admin.revokeKey(keyId);
      return key;
    },
  },
  {
    what: 'a model that is not there',
    status: 404,
    error: invalid('The model `gpt-none` does not exist or you do not have access to it.', 'model_not_found'),
    model: 'no/such-model',
    key: ample,
  },
  {
    what: 'a model that is not allowed',
    status: 403,
    error: invalid('Project `proj_1` does not have access to model `o1`', 'model_not_found'),
    model: 'vendor/chat',
    key: async (stage) => (await stage.program.createTenant({ key: { models: ['other-chat'] } })).key,
  },
  {
    what: 'a field with a wrong value',
    status: 400,
    error: invalid("Invalid 'temperature': decimal above maximum value.", 'decimal_above_max_value', 'temperature'),
    model: 'rejecting',
    key: ample,
  },
  ...['rejecting-long', 'rejecting-long-anthropic', 'rejecting-long-gemini'].map((model) => ({
    what: `a conversation that is too long (${model})`,
    status: 400,
    error: TOO_LONG,
    model,
    key: ample,
  })),
  {
    what: 'a prompt that is blocked',
    status: 400,
    error: REJECTIONS['rejecting-blocked'] ?? {},
    model: 'rejecting-blocked',
    key: ample,
  },
  {
    what: 'a rate that is used up',
    status: 429,
    error: { message: 'Rate limit reached for gpt-5 …', type: 'requests', param: null, code: 'rate_limit_exceeded' },
    model: 'vendor/chat',
    key: exhaustedKey,
  },
  {
    what: 'a model that is overloaded',
    status: 503,
    error: { message: 'The engine is currently overloaded.', type: 'server_error', param: null, code: null },
    model: 'error-500',
    key: ample,
  },
];
