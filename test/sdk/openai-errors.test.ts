import OpenAI, {
  APIError,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
  PermissionDeniedError,
  RateLimitError,
} from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectedError, exhaustedKey, PROVOCATIONS, type Provocation } from './provocations.ts';
import { recordingFetch } from './recording-fetch.ts';
import { REQUEST_ID } from './request-id.ts';
import { REJECTION } from './scripted-models.ts';
import { BODY_BYTES_MAX, BUFFERED_BYTES_MAX, type Stage, startStage } from './stage.ts';

// Every refusal as the exception class that OpenAI's own SDK has for it, and its retries as the gateway wants them.

/** The class for each status; the SDK has none of their own for the others. */
const CLASSES: Readonly<Record<number, new (...args: never) => APIError>> = {
  400: BadRequestError,
  401: AuthenticationError,
  403: PermissionDeniedError,
  404: NotFoundError,
  429: RateLimitError,
  500: InternalServerError,
  503: InternalServerError,
  504: InternalServerError,
};

const MESSAGES: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'hi' }];

let stage: Stage;

beforeAll(async () => {
  stage = await startStage();
});

afterAll(() => stage.program.dispose());

function clientWith(key: string | null, options: { maxRetries?: number; fetch?: typeof fetch } = {}): OpenAI {
  const defaultHeaders = key === null ? { authorization: null } : {};
  return new OpenAI({ apiKey: key ?? 'unsent', baseURL: stage.baseURL, maxRetries: 0, defaultHeaders, ...options });
}

/** The exception that the call ends in. */
async function raised(call: PromiseLike<unknown>): Promise<APIError> {
  const error: unknown = await Promise.resolve(call).then(
    () => new Error('the call has succeeded'),
    (reason: unknown) => reason,
  );
  if (error instanceof APIError) return error;
  throw error;
}

function expectRaised(error: APIError, expected: Pick<Provocation, 'code' | 'param' | 'providerCode'>): void {
  const { status, code, type, param } = expectedError(expected);
  expect(error.constructor).toBe(CLASSES[status] ?? APIError);
  expect(error).toMatchObject({ status, code, type, param });
  expect(error.requestID).toMatch(REQUEST_ID);
  const { message } = error.error as { message: string };
  expect(error.message).toBe(`${status} ${message}`);
}

describe.each(PROVOCATIONS)('$name', (provocation) => {
  let key: string | null;

  beforeAll(async () => {
    key = await provocation.key(stage);
  });

  test.each([false, true])(`OpenAI's SDK raises ${provocation.code} (stream: %s)`, async (stream) => {
    const { model, maxTokens } = provocation;
    const body = { model, messages: MESSAGES, stream, ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }) };
    const error = await raised(clientWith(key).chat.completions.create(body));
    expectRaised(error, provocation);
    expect(error.message).not.toContain(key ?? 'unsent');
  });
});

const body = { model: 'vendor/chat', messages: MESSAGES };
const cases: readonly (Pick<Provocation, 'name' | 'code'> & {
  param?: string;
  call: (client: OpenAI) => PromiseLike<unknown>;
})[] = [
  {
    name: 'an embedding of nothing',
    code: 'INVALID_REQUEST',
    param: 'input',
    call: (client) => client.embeddings.create({ model: 'embed', input: [] }),
  },
  {
    name: 'an embedding by a chat model',
    code: 'INVALID_REQUEST',
    param: 'model',
    call: (client) => client.embeddings.create({ model: 'vendor/chat', input: 'hi' }),
  },
  {
    name: 'no messages',
    code: 'INVALID_REQUEST',
    param: 'messages',
    call: (client) => client.chat.completions.create({ model: 'vendor/chat', messages: [] }),
  },
  {
    name: 'a model that is not there',
    code: 'MODEL_NOT_FOUND',
    param: 'model',
    call: (client) => client.models.retrieve('no/such-model'),
  },
  { name: 'a path that is not there', code: 'NOT_FOUND', call: (client) => client.batches.list() },
  {
    name: 'another method',
    code: 'METHOD_NOT_ALLOWED',
    call: (client) => client.put('/chat/completions', { body }),
  },
  {
    name: 'a body of another type',
    code: 'UNSUPPORTED_MEDIA_TYPE',
    call: (client) => client.chat.completions.create(body, { headers: { 'content-type': 'text/plain' } }),
  },
  {
    name: 'a body that is too large',
    code: 'REQUEST_TOO_LARGE',
    call: (client) => client.chat.completions.create({ ...body, prompt_cache_key: 'x'.repeat(BODY_BYTES_MAX) }),
  },
  {
    name: 'headers that are too large',
    code: 'HEADERS_TOO_LARGE',
    call: (client) => client.chat.completions.create(body, { headers: { 'x-large': 'x'.repeat(20_000) } }),
  },
  {
    name: 'more bodies than there is room for',
    code: 'SERVICE_UNAVAILABLE',
    call: (client) => client.chat.completions.create({ ...body, prompt_cache_key: 'x'.repeat(BUFFERED_BYTES_MAX * 2) }),
  },
];

test.each(cases)(
  "OpenAI's SDK raises what only other calls meet: $name raises $code",
  async ({ code, param, call }) => {
    expectRaised(await raised(call(clientWith(stage.tenant.key))), { code, param: param ?? null });
  },
);

test("OpenAI's exception tells the provider's words about the caller's own request, and nothing of other failures", async () => {
  const client = clientWith(stage.tenant.key);
  const ask = (model: string) => raised(client.chat.completions.create({ model, messages: MESSAGES }));
  const rejected = await ask('rejecting');
  expect(rejected.message).toBe(`400 ${REJECTION.message}`);
  expect(rejected.error).toMatchObject({ code: REJECTION.code, details: { code: 'INVALID_REQUEST' } });
  for (const model of ['error-500', 'error-401', 'error-429']) {
    expect((await ask(model)).message).not.toContain('asked to fail');
  }
  expect((await ask('unreachable')).message).not.toContain('127.0.0.1');
});

test("OpenAI's exception tells how to get in", async () => {
  const missing = await raised(clientWith(null).models.list());
  expect(missing.headers?.get('www-authenticate')).toBe('Bearer');
  const put = await raised(clientWith(stage.tenant.key).put('/chat/completions', { body: {} }));
  expect(put.headers?.get('allow')).toBe('POST');
});

test("OpenAI's exception tells of money that is short, what would fit", async () => {
  const tenant = await stage.program.createTenant({ credit: '0.001' });
  const client = clientWith(tenant.key);
  const ask = (max_completion_tokens: number) =>
    client.chat.completions.create({ model: 'vendor/chat', messages: MESSAGES, max_completion_tokens });
  const error = await raised(ask(1_000));
  expectRaised(error, { code: 'INSUFFICIENT_BALANCE', param: null });
  const { details } = error.error as {
    details: { max_tokens_that_fit: number; transient: boolean; levels: object[] };
  };
  expect(details).toMatchObject({ transient: false, levels: [{ level: 'workspace', limit_nano_usd: '1000000' }] });
  await expect(raised(ask(details.max_tokens_that_fit + 1))).resolves.toMatchObject({ status: 402 });
  await expect(ask(details.max_tokens_that_fit)).resolves.toMatchObject({ choices: [{}] });
});

test("OpenAI's exception tells the caller alone: the log knows the request, and neither key nor body", async () => {
  const client = clientWith(stage.tenant.key);
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'a secret of mine' }];
  for (const model of ['error-500', 'rejecting', 'no/such-model']) {
    const error = await raised(client.chat.completions.create({ model, messages }));
    await expect.poll(() => stage.program.stderr()).toContain(error.requestID);
  }
  const secret = stage.tenant.key.slice(-43);
  for (const text of [secret, 'a secret of mine', REJECTION.message]) {
    expect(stage.program.stderr()).not.toContain(text);
  }
});

test('nothing is charged for a call that raises an exception', async () => {
  const tenant = await stage.program.createTenant({ credit: '1' });
  const client = clientWith(tenant.key);
  for (const model of ['error-500', 'rejecting', 'unreachable', 'no/such-model', 'embed']) {
    await raised(client.chat.completions.create({ model, messages: MESSAGES }));
  }
  await expect(stage.program.admin.showWorkspace(tenant.workspaceId)).resolves.toMatchObject({
    balance_nano_usd: '1000000000',
  });
});

test.each([
  { model: 'torn', how: 'its connection is torn' },
  { model: 'erring', how: 'its provider sends an error' },
  { model: 'unfinished', how: 'it ends without having finished' },
])("OpenAI's SDK raises after what has come of a stream that breaks off: $how", async ({ model }) => {
  const { data, request_id } = await clientWith(stage.tenant.key)
    .chat.completions.create({ model, messages: MESSAGES, stream: true })
    .withResponse();
  const said: string[] = [];
  const error = await raised(
    (async () => {
      for await (const chunk of data) said.push(chunk.choices[0]?.delta.content ?? '');
    })(),
  );
  expect(said.join('')).toBe('café');
  expect(error).toMatchObject({ code: 'MODEL_UNAVAILABLE', type: 'server_error', param: null, status: undefined });
  expect(error.requestID).toBe(request_id);
  expect(error.message).not.toContain('gpu-7');
  const receipt = await stage.program.admin.showReceipt(request_id ?? '');
  expect(receipt).toMatchObject({ outcome: 'interrupted', usage: { certainty: 'estimated' } });
});

test.each(PROVOCATIONS.filter(({ code }) => expectedError({ code, param: null }).status === 402))(
  "OpenAI's SDK's retries do not happen for $code",
  async (provocation) => {
    const { fetch, exchanges } = recordingFetch();
    const client = clientWith(await provocation.key(stage), { maxRetries: 2, fetch });
    await raised(client.chat.completions.create({ model: provocation.model, messages: MESSAGES }));
    expect(exchanges.map(({ status }) => status)).toEqual([402]);
  },
);

test("OpenAI's SDK's retries wait exactly as long as a rate limit says, and get in", async () => {
  const perMinute = 40;
  const tenant = await stage.program.createTenant({ project: { requests_per_minute: perMinute } });
  const { fetch, exchanges } = recordingFetch();
  const client = clientWith(tenant.key, { maxRetries: 1, fetch });
  const ask = () => client.chat.completions.create({ model: 'vendor/chat', messages: MESSAGES });
  while (!exchanges.some(({ status }) => status === 429)) await ask();

  const [refused, retried] = exchanges.slice(-2);
  expect([refused?.status, retried?.status]).toEqual([429, 200]);
  const waitMs = Number(refused?.headers.get('retry-after-ms'));
  expect(waitMs).toBeGreaterThan(0);
  expect(waitMs).toBeLessThanOrEqual(60_000 / perMinute);
  expect(refused?.headers.get('retry-after')).toBe(String(Math.ceil(waitMs / 1_000)));
  // A timer of Node's may ring a part of a millisecond early.
  expect(retried!.sentMs - refused!.sentMs).toBeGreaterThanOrEqual(waitMs - 1);
  expect(exchanges.filter(({ status }) => status === 429)).toHaveLength(1);
});

test("OpenAI's SDK's retries tell a caller that comes a moment too early to wait for the rest", async () => {
  const client = clientWith(await exhaustedKey(stage));
  const ask = () => raised(client.chat.completions.create({ model: 'vendor/chat', messages: MESSAGES }));
  const waitMs = async (): Promise<number> => Number((await ask()).headers?.get('retry-after-ms'));
  const first = await waitMs();
  expect(first).toBeLessThanOrEqual(60_000);
  await expect.poll(waitMs).toBeLessThan(first);
});

test("OpenAI's SDK's retries do not happen where the wait is longer than an SDK would honour", async () => {
  const tenant = await stage.program.createTenant({ project: { tokens_per_minute: 10 } });
  const { fetch, exchanges } = recordingFetch();
  const client = clientWith(tenant.key, { maxRetries: 2, fetch });
  const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'many words '.repeat(100) }];
  const ask = () => client.chat.completions.create({ model: 'vendor/chat', messages });
  await ask();
  const error = await raised(ask());
  expectRaised(error, { code: 'RATE_LIMITED', param: null });
  expect(Number(error.headers?.get('retry-after'))).toBeGreaterThan(60);
  expect(exchanges.map(({ status }) => status)).toEqual([200, 429]);
});

test("OpenAI's SDK's retries try a model that was unavailable again", async () => {
  const { fetch, exchanges } = recordingFetch();
  const client = clientWith(stage.tenant.key, { maxRetries: 1, fetch });
  await raised(client.chat.completions.create({ model: 'error-500', messages: MESSAGES }));
  expect(exchanges.map(({ status }) => status)).toEqual([503, 503]);
  const [first, second] = exchanges;
  const waitMs = Number(first?.headers.get('retry-after-ms'));
  expect(waitMs).toBeGreaterThan(0);
  expect(second!.sentMs - first!.sentMs).toBeGreaterThanOrEqual(waitMs - 1);
});
