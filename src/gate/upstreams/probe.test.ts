import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import {
  type ReceivedRequest,
  type ScriptedUpstream,
  startScriptedUpstream,
} from '../../../test/support/scripted-upstream.ts';
import type { OpenAiProviderConfig, ProviderConfig } from '../../config/config.ts';
import { probeProvider, type ProviderProbe } from './probe.ts';

// A probe reports only facts to the operator: if it can't know something, it says so.

let server: ScriptedUpstream | null = null;
afterEach(async () => {
  await server?.stop();
  server = null;
});

type Answer = readonly [status: number, json: unknown];
type Answers = (path: string, request: ReceivedRequest) => Answer;

async function serve(answers: Answers): Promise<string> {
  server = await startScriptedUpstream((response, request) => {
    const [status, json] = answers(request.path, request);
    response
      .writeHead(status, { 'content-type': 'application/json' })
      .end(typeof json === 'string' ? json : JSON.stringify(json));
  });
  return server.origin;
}

const LIMITS = { proxy: null, tls: null, concurrencyMax: null, drains: false };
const REFUSED: Answer = [401, { error: { message: 'Incorrect API key provided: sk-secret' } }];
const list = (...ids: string[]): Answer => [200, { data: ids.map((id) => ({ id, object: 'model' })) }];

function openai(origin: string, more: Partial<OpenAiProviderConfig> = {}): ProviderConfig {
  const own = { kind: 'openai', profile: null, capField: null, needsCap: null, hasCompletions: null } as const;
  return { name: 'p', ...own, ...LIMITS, baseUrl: `${origin}/v1`, apiKey: 'sk-secret', ...more };
}

function probe(provider: ProviderConfig, ...models: string[]): Promise<ProviderProbe> {
  return probeProvider(provider, models, { timeoutMs: 5_000 });
}

const whether = ({ models }: ProviderProbe): readonly (boolean | null)[] => models.map(({ isThere }) => isThere);

/** The answers of a server that requires this header. */
const guarded =
  (header: string, value: string, answers: Answers): Answers =>
  (path, request) =>
    request.headers[header] === value ? answers(path, request) : REFUSED;

test('a probe asks OpenAI for the list, and what is not on it one by one', async () => {
  const origin = await serve(
    guarded('authorization', 'Bearer sk-secret', (path) => {
      if (path === '/v1/models') return list('gpt', 'qwen3:latest', 'models/gem');
      return path === '/v1/models/team%2Falias' ? [200, { id: 'team/alias' }] : [404, { error: {} }];
    }),
  );
  const found = await probe(openai(origin), 'gpt', 'qwen3', 'gem', 'team/alias', 'nowhere');
  expect(found).toMatchObject({ reachable: true, key: 'accepted', problem: null });
  expect(whether(found)).toEqual([true, true, true, true, false]);
});

test.each([
  ['with its models', list('gpt')],
  ['by refusing the key', REFUSED],
])('an address without its /v1 is a problem if the server answers there %s', async (_how, below) => {
  const origin = await serve((path) => (path.startsWith('/v1/') ? below : [404, 'no such page']));
  const found = await probe(openai(origin, { baseUrl: origin }), 'gpt');
  expect(found.problem).toBe('it answers below /v1, which its base_url lacks: add /v1 to it');
});

test('an address without a version is no problem if nothing answers below /v1 either', async () => {
  const origin = await serve((path) => (path === '/models' ? [405, ''] : [404, '']));
  expect(await probe(openai(origin, { baseUrl: origin }), 'gpt')).toMatchObject({ reachable: true, problem: null });
});

test('a probe asks Anthropic page by page, with the version, and aliases one by one', async () => {
  const paths: string[] = [];
  const origin = await serve(
    guarded('x-api-key', 'sk-secret', (path, { headers }) => {
      paths.push(path);
      expect(headers['anthropic-version']).toBe('2023-06-01');
      if (path.endsWith('after_id=b')) return [200, { data: [{ id: 'c' }], has_more: false, last_id: 'c' }];
      if (path.includes('?')) return [200, { data: [{ id: 'a' }, { id: 'b' }], has_more: true, last_id: 'b' }];
      return path === '/v1/models/alias' ? [200, { type: 'model', id: 'a' }] : [404, { type: 'error' }];
    }),
  );
  const provider = { name: 'p', kind: 'anthropic', baseUrl: origin, apiKey: 'sk-secret', ...LIMITS } as const;
  const found = await probe({ ...provider, version: '2023-06-01' }, 'a', 'c', 'alias', 'gone');
  expect(found).toMatchObject({ key: 'accepted', problem: null });
  expect(whether(found)).toEqual([true, true, true, false]);
  expect(paths.slice(0, 2)).toEqual(['/v1/models?limit=1000', '/v1/models?limit=1000&after_id=b']);
});

test('a probe asks Gemini page by page, the key in a header; a wrong one is told by 400', async () => {
  const wrong: Answer = [400, [{ error: { message: 'API key not valid.', details: [{ reason: 'API_KEY_INVALID' }] } }]];
  const origin = await serve((path, { headers }) => {
    if (headers['x-goog-api-key'] === undefined) return [403, {}];
    if (headers['x-goog-api-key'] !== 'right') return wrong;
    if (path.endsWith('pageToken=t%2F2')) return [200, { models: [{ name: 'models/two' }] }];
    if (path.includes('?')) return [200, { models: [{ name: 'models/one' }], nextPageToken: 't/2' }];
    return path === '/v1beta/tunedModels/mine' ? [200, { name: 'tunedModels/mine' }] : [404, {}];
  });
  const provider = { name: 'p', kind: 'gemini', baseUrl: `${origin}/v1beta`, ...LIMITS } as const;
  const found = await probe({ ...provider, apiKey: 'right' }, 'one', 'models/two', 'tunedModels/mine', 'no');
  expect(found.key).toBe('accepted');
  expect(whether(found)).toEqual([true, true, true, false]);
  expect(await probe({ ...provider, apiKey: 'wrong' }, 'one')).toMatchObject({ key: 'refused' });
});

test.each([
  [null, '/openai/v1/models'],
  ['2024-10-21', '/openai/models?api-version=2024-10-21'],
])('a probe of Azure %s finds that the key is accepted and the deployments are unknown', async (apiVersion, path) => {
  const origin = await serve(guarded('api-key', 'sk-secret', (asked) => (asked === path ? list('gpt-4o') : [404, {}])));
  const own = { kind: 'azure', apiVersion, tokenFile: null, capField: 'max_tokens' } as const;
  const found = await probe({ name: 'p', ...own, baseUrl: origin, apiKey: 'sk-secret', ...LIMITS }, 'gpt-4o', 'mine');
  expect(found).toMatchObject({ reachable: true, key: 'accepted', problem: null });
  expect(whether(found)).toEqual([null, null]);
});

test('a probe of Azure counts the token of a file, and one that is not there is the problem', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'faregate-probe-'));
  const tokenFile = join(folder, 'token');
  await writeFile(tokenFile, 'ey.1\n');
  const origin = await serve(guarded('authorization', 'Bearer ey.1', () => list('gpt-4o')));
  const own = { kind: 'azure', apiVersion: null, capField: 'max_tokens', baseUrl: origin, apiKey: null } as const;
  expect(await probe({ name: 'p', ...own, tokenFile, ...LIMITS })).toMatchObject({ key: 'accepted' });
  await rm(folder, { recursive: true });
  expect(await probe({ name: 'p', ...own, tokenFile, ...LIMITS })).toMatchObject({
    reachable: false,
    problem: 'its key or token cannot be read',
  });
});

test('a probe needs not ask the sandbox', async () => {
  const sandbox = { name: 's', kind: 'sandbox', baseUrl: '', apiKey: null, ...LIMITS } as const;
  const found = await probe(sandbox, 'echo', 'embedding', 'oracle');
  expect(found).toMatchObject({ reachable: true, key: 'none', problem: null });
  expect(whether(found)).toEqual([true, true, false]);
});

test('a list that is given to everybody says nothing of the key', async () => {
  const found = await probe(openai(await serve(() => list('m'))), 'm');
  expect(found).toMatchObject({ key: 'unknown', problem: null, models: [{ isThere: true }] });
  const keyless = await probe(openai(server?.origin ?? '', { apiKey: null }), 'm');
  expect(keyless).toMatchObject({ key: 'none', problem: null });
});

test.each([404, 405, 501])('a server that answers %d has no list, and nothing is wrong with it', async (status) => {
  const found = await probe(openai(await serve(() => [status, 'not here'])), 'm');
  expect(found).toMatchObject({ reachable: true, key: 'unknown', problem: null, models: [{ isThere: null }] });
});

test('a page that is no list tells of no model, whatever it is', async () => {
  const found = await probe(openai(await serve(() => [200, '<html>welcome</html>'])), 'm');
  expect(found).toMatchObject({ reachable: true, key: 'unknown', models: [{ isThere: null }] });
});

test('a probe tells apart a refused key, and one that is missing', async () => {
  const origin = await serve(() => REFUSED);
  expect(await probe(openai(origin), 'm')).toMatchObject({
    reachable: true,
    key: 'refused',
    problem: 'it refuses the key',
    models: [{ isThere: null }],
  });
  expect(await probe(openai(origin, { apiKey: null }))).toMatchObject({
    key: 'none',
    problem: 'it requires a key, and none is configured',
  });
});

test('a probe tells apart a server in trouble, one that nobody runs, and one that says nothing', async () => {
  const origin = await serve(() => [503, {}]);
  expect(await probe(openai(origin))).toMatchObject({ reachable: true, problem: 'it answers 503' });
  await server?.stop();
  const nobody = await probe(openai(origin));
  expect(nobody).toMatchObject({ reachable: false, problem: expect.stringContaining('ECONNREFUSED') });
  server = await startScriptedUpstream(() => undefined);
  const silent = await probeProvider(openai(server.origin), ['m'], { timeoutMs: 200 });
  expect(silent).toMatchObject({ reachable: false, problem: expect.stringMatching(/^no answer within \d+ ms$/) });
});

test('a probe repeats no word of the key or of what the server says', async () => {
  for (const answer of [REFUSED, [500, 'sk-secret'], [200, { data: 'sk-secret' }]] satisfies Answer[]) {
    const origin = await serve(() => answer);
    expect(JSON.stringify(await probe(openai(origin), 'm'))).not.toContain('secret');
    await server?.stop();
  }
  server = null;
});
