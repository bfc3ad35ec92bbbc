import { afterEach, expect, test } from 'vitest';
import { startScriptedUpstream, type Script } from '../../../test/support/scripted-upstream.ts';
import { discoverLocalServers, USUAL_CANDIDATES, type Candidate } from './discovery.ts';
import type { LocalServerKind } from './local-models.ts';

/** Time for an answer on a busy machine. */
const FETCH_TIMEOUT_MS = 1_500;

const cleanups: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0)) await cleanup();
});

async function candidate(kind: LocalServerKind, isExclusive: boolean, script: Script): Promise<Candidate> {
  const server = await startScriptedUpstream(script);
  cleanups.push(() => server.stop());
  return { kind, isExclusive, baseUrl: `${server.origin}/v1` };
}

function listing(...data: readonly object[]): Script {
  return (response, request) => {
    response.writeHead(request.path === '/v1/models' ? 200 : 404).end(JSON.stringify({ object: 'list', data }));
  };
}

function discover(candidates: readonly Candidate[], ownPort?: number) {
  const own = ownPort === undefined ? {} : { ownPort };
  return discoverLocalServers({ fetchTimeoutMs: FETCH_TIMEOUT_MS, candidates, ...own });
}

test('local servers are found with their models, which cost nothing', async () => {
  const candidates = [
    await candidate(
      'ollama',
      true,
      listing({ id: 'qwen3:8b', owned_by: 'library' }, { id: 'nomic-embed-text', owned_by: 'library' }),
    ),
    await candidate(
      'llamacpp',
      false,
      listing({ id: '/srv/models/tiny.gguf', owned_by: 'llamacpp', meta: { n_ctx_train: 4096 } }),
    ),
    await candidate(
      'vllm',
      false,
      listing(
        { id: 'Qwen/Qwen3-8B', owned_by: 'vllm', max_model_len: 131_072 },
        { id: 'BAAI/bge-reranker-v2-m3', owned_by: 'vllm', max_model_len: 8_192 },
      ),
    ),
    await candidate('lmstudio', true, listing({ id: 'gemma', owned_by: 'organization_owner' })),
  ];
  const { providers, models } = await discover(candidates);
  expect(providers).toMatchObject(
    ['ollama', 'llamacpp', 'vllm', 'lmstudio'].map((name) => ({ name, profile: name, needsCap: null, apiKey: null })),
  );
  expect(providers.map((provider) => provider.baseUrl)).toEqual(candidates.map(({ baseUrl }) => baseUrl));
  expect(models.map(({ id, terms }) => [id, terms.kind, terms.contextWindow, terms.maxOutput])).toEqual([
    ['ollama/qwen3:8b', 'chat', 32_768, 16_384],
    ['ollama/nomic-embed-text', 'embedding', 32_768, 0],
    ['llamacpp/tiny', 'chat', 4_096, 2_048],
    ['vllm/Qwen/Qwen3-8B', 'chat', 131_072, 32_768],
    ['vllm/BAAI/bge-reranker-v2-m3', 'rerank', 8_192, 0],
    ['lmstudio/gemma', 'chat', 32_768, 16_384],
  ]);
  expect(models[2]?.routes).toEqual([{ provider: 'llamacpp', upstreamModel: '/srv/models/tiny.gguf' }]);
  for (const { terms } of models) expect(Object.values(terms.price.rates).every((rate) => rate === 0n)).toBe(true);
});

test('local servers are known by what they say rather than by their port', async () => {
  const { providers } = await discover([await candidate('llamacpp', false, listing({ id: 'm', owned_by: 'vllm' }))]);
  expect(providers.map((provider) => provider.name)).toEqual(['vllm']);
});

test('local servers are not taken for free where a list on a common port doesn’t say whose it is', async () => {
  const candidates = [await candidate('vllm', false, listing({ id: 'gpt-5', owned_by: 'openai' }))];
  expect(await discover(candidates)).toEqual({ providers: [], models: [] });
});

test.each<[string, Script]>([
  ['answers nothing', () => {}],
  ['answers nothing more after its headers', (response) => void response.writeHead(200).write('{')],
  ['refuses', (response) => void response.writeHead(401).end('{"data":[]}')],
  ['redirects', (response) => void response.writeHead(302, { location: '/v1/models' }).end()],
  ['answers HTML', (response) => void response.writeHead(200).end('<html>')],
  ['answers another JSON', (response) => void response.writeHead(200).end('{"data":{"id":1}}')],
  ['drops the connection', (response) => void response.socket?.destroy()],
  [
    'answers without end',
    (response) => {
      const timer = setInterval(() => response.write('x'.repeat(200_000)), 1);
      response.on('close', () => clearInterval(timer));
    },
  ],
])('a local peer that %s is not waited for without end, and the others are found', async (_case, script) => {
  const candidates = [
    await candidate('ollama', true, script),
    await candidate('lmstudio', true, listing({ id: 'gemma' }, { id: 7 }, null as unknown as object)),
  ];
  const { models } = await discover(candidates);
  expect(models.map((model) => model.id)).toEqual(['lmstudio/gemma']);
});

test('local servers are not looked for on this program’s own port', async () => {
  let asked = 0;
  const own = await candidate('llamacpp', true, (response) => {
    asked++;
    response.end();
  });
  await discover([own], Number(new URL(own.baseUrl).port));
  expect(asked).toBe(0);
});

test('local servers are looked for on this machine only', () => {
  expect(USUAL_CANDIDATES.map(({ baseUrl }) => new URL(baseUrl).hostname)).toEqual(Array(4).fill('127.0.0.1'));
});
