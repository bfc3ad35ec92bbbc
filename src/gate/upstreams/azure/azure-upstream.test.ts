import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { RecordingSink } from '../../../../test/support/recording-sink.ts';
import type { ReceivedRequest, Script } from '../../../../test/support/scripted-upstream.ts';
import { startUpstreamPair, TIMEOUTS, type UpstreamPair } from '../../../../test/support/upstream-pair.ts';
import type { AzureProviderConfig } from '../../../config/config.ts';
import { readChatRequest } from '../../openai/chat-request.ts';
import { embed } from '../../../../test/support/native-call.ts';
import { createAzureUpstream } from './azure-upstream.ts';

const answerEmpty: Script = (response) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"choices":[],"data":[]}');

/** An upstream before a server that answers by the script; `path` is added to the server's address. */
function pair(more: Partial<AzureProviderConfig> = {}, path = '', script = answerEmpty): Promise<UpstreamPair> {
  const providerAt = (origin: string): AzureProviderConfig => ({
    name: 'azure',
    kind: 'azure',
    baseUrl: `${origin}${path}`,
    apiKey: 'a-key',
    proxy: null,
    tls: null,
    concurrencyMax: null,
    drains: false,
    apiVersion: '2024-10-21',
    tokenFile: null,
    capField: 'max_completion_tokens',
    ...more,
  });
  return startUpstreamPair(script, (origin) => createAzureUpstream(providerAt(origin), TIMEOUTS));
}

interface ChatOptions {
  readonly body?: object;
  readonly deployment?: string;
  readonly cap?: number | null;
}

async function chat({ upstream }: UpstreamPair, { body = {}, deployment = 'dep', cap = null }: ChatOptions = {}) {
  const asked = { model: 'public', messages: [{ role: 'user', content: 'hi' }], ...body };
  const reading = readChatRequest(Buffer.from(JSON.stringify(asked)));
  if (!reading.ok) throw new Error(reading.fault.message);
  const sink = new RecordingSink();
  upstream.chat({ request: reading.request, upstreamModel: deployment, requestId: 'request-1', cap }, sink);
  return { ending: await sink.ended(), sink };
}

function only({ requests }: UpstreamPair['server']): ReceivedRequest {
  if (requests.length !== 1 || requests[0] === undefined) throw new Error(`${requests.length} requests`);
  return requests[0];
}

test.each([
  ['2024-10-21', '', '/openai/deployments/dep/chat/completions?api-version=2024-10-21'],
  ['2025-04-01-preview', '/', '/openai/deployments/dep/chat/completions?api-version=2025-04-01-preview'],
  ['2024-10-21', '/openai/', '/openai/deployments/dep/chat/completions?api-version=2024-10-21'],
  [
    '2024-10-21',
    '/behind/a/proxy?team=7',
    '/behind/a/proxy/openai/deployments/dep/chat/completions?team=7&api-version=2024-10-21',
  ],
  [null, '', '/openai/v1/chat/completions'],
  [null, '/openai/v1/', '/openai/v1/chat/completions'],
  ['preview', '', '/openai/v1/chat/completions?api-version=preview'],
])('a deployment of version %s has its address at "%s"', async (apiVersion, path, target) => {
  const both = await pair({ apiVersion }, path);
  await chat(both);
  const { path: asked, body } = only(both.server);
  expect(asked).toBe(target);
  expect(JSON.parse(body.toString())).toMatchObject({ model: 'dep' });
});

test('a deployment’s odd name stays one part of the path', async () => {
  const both = await pair();
  await chat(both, { deployment: '../ä b?' });
  expect(only(both.server).path).toBe('/openai/deployments/..%2F%C3%A4%20b%3F/chat/completions?api-version=2024-10-21');
});

test('a deployment for embeddings stands beside the others', async () => {
  const both = await pair();
  const sink = new RecordingSink();
  embed(both.upstream, { input: 'x' }, 'dep', sink);
  expect(await sink.ended()).toMatchObject({ kind: 'answer' });
  expect(only(both.server).path).toBe('/openai/deployments/dep/embeddings?api-version=2024-10-21');
});

test('a key goes into Azure’s own header, with our id for Azure’s log', async () => {
  const both = await pair();
  await chat(both);
  const { headers } = only(both.server);
  expect(headers).toMatchObject({ 'api-key': 'a-key', 'x-ms-client-request-id': 'request-1' });
  expect(headers).not.toHaveProperty('authorization');
});

test('a token of Entra goes as a bearer’s, and the key stays here', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'faregate-azure-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const tokenFile = join(folder, 'token');
  await writeFile(tokenFile, 'entra.token\n');
  const both = await pair({ tokenFile });
  await chat(both);
  const { headers } = only(both.server);
  expect(headers.authorization).toBe('Bearer entra.token');
  expect(headers).not.toHaveProperty('api-key');
});

test('without a token nothing is sent, and the next route may be tried', async () => {
  const both = await pair({ tokenFile: join(tmpdir(), 'faregate-no-such-folder', 'token') });
  const { ending } = await chat(both);
  expect(ending).toMatchObject({ kind: 'fault', fault: { kind: 'unreachable' } });
  expect(both.server.requests).toEqual([]);
});

test('credentials are masked where Azure repeats them', async () => {
  const both = await pair({ apiKey: 'odd key?' }, '', (response) =>
    response.writeHead(401).end('{"error":{"code":"401","message":"Access denied for odd key?, sorry."}}'),
  );
  const { ending } = await chat(both);
  expect(ending).toMatchObject({ fault: { kind: 'rejected_credentials', status: 401 } });
  expect(JSON.stringify(ending)).not.toContain('odd key?');
});

const SSE = { 'content-type': 'text/event-stream' };
const FIRST = '{"choices":[],"created":0,"id":"","model":"","object":"","prompt_filter_results":[]}';
const CHUNK = '{"id":"c","model":"gpt","choices":[{"index":0,"delta":{"content":"hi"},"finish_reason":null}]}';

test('a stream of Azure’s passes Azure’s first chunk, which has neither an id nor choices', async () => {
  const both = await pair({}, '', (response) =>
    response.writeHead(200, SSE).end(`data: ${FIRST}\n\ndata: ${CHUNK}\n\ndata: [DONE]\n\n`),
  );
  const { ending, sink } = await chat(both, { body: { stream: true } });
  expect(sink.texts).toEqual([FIRST, CHUNK]);
  expect(ending).toEqual({ kind: 'end', done: true });
});

test.each([
  ['2024-10-21', { include_usage: true }],
  ['2024-09-01-preview', { include_usage: true }],
  [null, { include_usage: true }],
  ['2024-06-01', undefined],
])(
  'a stream of Azure’s of version %s is asked for its usage as far as that version knows how',
  async (apiVersion, expected) => {
    const both = await pair({ apiVersion }, '', (response) => response.writeHead(200, SSE).end('data: [DONE]\n\n'));
    await chat(both, { body: { stream: true, stream_options: { include_usage: false } } });
    expect((JSON.parse(only(both.server).body.toString()) as { stream_options?: object }).stream_options).toEqual(
      expected,
    );
  },
);

test('a cap goes into the field that Azure’s deployments obey', async () => {
  for (const capField of ['max_tokens', 'max_completion_tokens'] as const) {
    const both = await pair({ capField });
    await chat(both, { body: { max_tokens: 9 }, cap: 5 });
    const body = JSON.parse(only(both.server).body.toString()) as object;
    expect(body).toMatchObject({ [capField]: 5 });
    expect(Object.keys(body).filter((key) => key.startsWith('max_'))).toEqual([capField]);
  }
});

test('a prompt that the content policy blocks is the caller’s to mend', async () => {
  const message = "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.";
  const both = await pair({}, '', (response) =>
    response.writeHead(400).end(
      JSON.stringify({
        error: { message, type: null, param: 'prompt', code: 'content_filter', status: 400, innererror: {} },
      }),
    ),
  );
  const { ending } = await chat(both);
  expect(ending).toEqual({
    kind: 'fault',
    fault: {
      kind: 'rejected_request',
      status: 400,
      callerMessage: message,
      code: 'content_filter',
      param: 'prompt',
      message: 'status 400, code content_filter',
    },
  });
});
