import { type RefusalCode, REFUSALS } from '../../src/domain/refusals.ts';
import { REJECTION } from './scripted-models.ts';
import { MAX_OUTPUT, type Stage } from './stage.ts';

// Every refusal that a chat request can meet, provoked: what each SDK must raise as an exception of its own.

export interface Provocation {
  readonly name: string;
  readonly code: RefusalCode;
  readonly param: string | null;
  readonly model: string;
  readonly maxTokens?: number;
  /** The code of its own with which the provider rejects the request. */
  readonly providerCode?: string;
  /** Makes the key; null: none is sent. */
  key(stage: Stage): Promise<string | null>;
}

/** What a refusal of this code says of itself. */
export function expectedError({ code, param, providerCode }: Pick<Provocation, 'code' | 'param' | 'providerCode'>): {
  status: number;
  code: string;
  type: string;
  param: string | null;
} {
  return { ...REFUSALS[code], code: providerCode ?? code, param };
}

const MODEL = 'vendor/chat';
const ample = (stage: Stage): Promise<string> => Promise.resolve(stage.tenant.key);

const keys: readonly Provocation[] = [
  { name: 'no key', key: () => Promise.resolve(null) },
  { name: 'a key of another maker', key: () => Promise.resolve('sk-proj-0123456789') },
  { name: 'a key with one character changed', key: async (stage: Stage) => withOtherEnd(await ample(stage)) },
  { name: 'a revoked key', key: revokedKey },
  { name: 'an expired key', key: expiredKey },
].map((each) => ({ ...each, code: 'INVALID_API_KEY', param: null, model: MODEL }));

const money: readonly Provocation[] = [
  {
    name: 'a workspace without credit',
    code: 'INSUFFICIENT_BALANCE',
    key: async (stage: Stage) => (await stage.program.createTenant({ credit: null })).key,
  } as const,
  {
    name: 'a spent project budget',
    code: 'PROJECT_BUDGET_EXCEEDED',
    key: async (stage: Stage) =>
      (await stage.program.createTenant({ project: { budget_usd: '0.000001', budget_period: 'day' } })).key,
  } as const,
  {
    name: 'a spent key limit',
    code: 'KEY_SPEND_LIMIT_EXCEEDED',
    key: async (stage: Stage) => (await stage.program.createTenant({ key: { spend_limit_usd: '0.000001' } })).key,
  } as const,
].map((each) => ({ ...each, param: null, model: MODEL }));

const policies: readonly Provocation[] = [
  { name: "a model outside the key's policy", on: 'key' },
  { name: "a model outside the project's policy", on: 'project' },
].map(({ name, on }) => ({
  name,
  code: 'MODEL_NOT_ALLOWED',
  param: 'model',
  model: MODEL,
  key: async (stage: Stage) => (await stage.program.createTenant({ [on]: { models: ['other-chat'] } })).key,
}));

export const PROVOCATIONS: readonly Provocation[] = [
  ...keys,
  {
    name: 'more output than the model has',
    code: 'INVALID_REQUEST',
    param: 'max_tokens',
    model: MODEL,
    maxTokens: MAX_OUTPUT + 1,
    key: ample,
  },
  { name: 'a model of another kind', code: 'INVALID_REQUEST', param: 'model', model: 'embed', key: ample },
  {
    name: "the provider's rejection",
    code: 'INVALID_REQUEST',
    param: REJECTION.param,
    providerCode: REJECTION.code,
    model: 'rejecting',
    key: ample,
  },
  { name: 'an unknown model', code: 'MODEL_NOT_FOUND', param: 'model', model: 'no/such-model', key: ample },
  ...policies,
  ...money,
  { name: 'a rate that is used up', code: 'RATE_LIMITED', param: null, model: MODEL, key: exhaustedKey },
  { name: 'a provider that fails', code: 'MODEL_UNAVAILABLE', param: null, model: 'error-500', key: ample },
  { name: 'a provider that is busy', code: 'MODEL_UNAVAILABLE', param: null, model: 'error-429', key: ample },
  {
    name: "a provider that refuses the gateway's key",
    code: 'MODEL_UNAVAILABLE',
    param: null,
    model: 'error-401',
    key: ample,
  },
  {
    name: 'a provider that refuses connections',
    code: 'MODEL_UNAVAILABLE',
    param: null,
    model: 'unreachable',
    key: ample,
  },
  { name: 'a provider that stays silent', code: 'UPSTREAM_TIMEOUT', param: null, model: 'silent', key: ample },
];

function withOtherEnd(key: string): string {
  return `${key.slice(0, -1)}${key.endsWith('a') ? 'b' : 'a'}`;
}

function post(stage: Stage, key: string): Promise<Response> {
  return fetch(`${stage.baseURL}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: MODEL, messages: [{ role: 'user', content: 'hi' }] }),
  });
}

/** Sends requests with the key until one is answered with this status. */
async function untilStatus(stage: Stage, key: string, status: number): Promise<void> {
  for (;;) {
    const response = await post(stage, key);
    await response.text();
    if (response.status === status) return;
  }
}

/** A key that has worked and was then revoked. */
async function revokedKey(stage: Stage): Promise<string> {
  const { key, keyId } = await stage.program.createTenant();
  await untilStatus(stage, key, 200);
  await stage.program.admin.revokeKey(keyId);
  await untilStatus(stage, key, 401);
  return key;
}

/** A key that has worked and has then expired. */
async function expiredKey(stage: Stage): Promise<string> {
  const { key, keyId } = await stage.program.createTenant();
  await untilStatus(stage, key, 200);
  // A moment of the near future is past on a busy machine when it arrives, and is refused.
  for (const inMs of [1_000, 4_000, 16_000]) {
    const expiry = { expires_at: new Date(Date.now() + inMs).toISOString() };
    const isTaken = await stage.program.admin.updateKey(keyId, expiry).then(
      () => true,
      () => false,
    );
    if (isTaken) break;
  }
  await untilStatus(stage, key, 401);
  return key;
}

/** A key of a project whose one request a minute has just been made. */
export async function exhaustedKey(stage: Stage): Promise<string> {
  const { key } = await stage.program.createTenant({ project: { requests_per_minute: 1 } });
  await untilStatus(stage, key, 200);
  return key;
}
