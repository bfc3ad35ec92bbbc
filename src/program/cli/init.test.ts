import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { NO_PARTS, surroundingsOf } from '../../../test/support/run-command.ts';
import { type ScriptedUpstream, startScriptedUpstream } from '../../../test/support/scripted-upstream.ts';
import { loadConfig } from '../../config/load-config.ts';
import { runCli } from './cli.ts';

const KEY = 'sk-of-the-operator';

let cwd: string;
let provider: ScriptedUpstream;
let models: readonly string[];
beforeEach(async () => {
  cwd = mkdtempSync(join(tmpdir(), 'faregate-init-'));
  models = ['gpt-5', 'gpt-5-2025-08-07', 'gpt-5-mini', 'whisper-1', 'text-embedding-3-small'];
  provider = await startScriptedUpstream((response, request) => {
    const isRight = request.path === '/v1/models' && request.headers.authorization === `Bearer ${KEY}`;
    const body = isRight ? { data: models.map((id) => ({ id })) } : { error: { message: 'no' } };
    response.writeHead(isRight ? 200 : 401, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
});
afterEach(async () => {
  await provider.stop();
  rmSync(cwd, { recursive: true });
});

interface Terminal {
  readonly env?: Readonly<Record<string, string>>;
  /** What is typed, in order; left out: there is no terminal. */
  readonly typed?: readonly string[];
}

/** Runs `faregate init` for the provider that listens here. */
async function init(line: string, { env = {}, typed }: Terminal = {}) {
  const printed = { stdout: '', stderr: '' };
  const left = typed === undefined ? null : [...typed];
  const questions: string[] = [];
  const answer = (question: string): Promise<string | null> => {
    questions.push(question);
    return Promise.resolve(left === null ? null : (left.shift() ?? ''));
  };
  const surroundings = { ...surroundingsOf({ env, cwd }, printed), ask: answer, askSecret: answer };
  const argv = line.replaceAll('HERE', `${provider.origin}/v1`).split(' ');
  const code = await runCli(['init', ...argv.filter((word) => word !== '')], NO_PARTS, surroundings);
  return { code, questions, ...printed };
}

const FILE = () => join(cwd, 'faregate.yaml');
const written = () => parse(readFileSync(FILE(), 'utf8')) as { providers: Record<string, unknown>; models: object[] };

test('init without a terminal writes a file that sells the listed models whose prices are known, 20 % above cost', async () => {
  const { code, stdout, stderr } = await init('--provider openai --base-url HERE', { env: { OPENAI_API_KEY: KEY } });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('sells 3 models: gpt-5, gpt-5-mini, text-embedding-3-small.');
  expect(stdout).toContain('It lists 1 more');
  expect(written()).toMatchObject({
    providers: { openai: { kind: 'openai', base_url: `${provider.origin}/v1`, api_key: '${OPENAI_API_KEY}' } },
    models: [
      {
        id: 'gpt-5',
        routes: [{ provider: 'openai', model: 'gpt-5', cost: { input: '1.25', output: '10.00' } }],
        markup: '20%',
      },
      { id: 'gpt-5-mini' },
      { id: 'text-embedding-3-small', kind: 'embedding' },
    ],
  });
  expect(readFileSync(FILE(), 'utf8')).not.toContain(KEY);
  const { models: sold } = loadConfig({ flags: {}, env: { OPENAI_API_KEY: KEY }, cwd });
  expect(sold).toHaveLength(3);
  expect(sold[0]?.terms.price.rates).toMatchObject({
    input: 1_500_000_000n,
    cached_input: 150_000_000n,
    output: 12_000_000_000n,
  });
});

test('init at a terminal asks for the provider, its key, the models and the mark-up, and keeps the key in a file', async () => {
  const typed = ['openai', KEY, 'gpt-5-mini', '7.5%'];
  const { code, questions, stdout, stderr } = await init('--base-url HERE', { typed });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(questions).toEqual([
    expect.stringContaining('Provider (openai, anthropic,'),
    expect.stringContaining('Key of openai (not shown'),
    'Models to sell [gpt-5,gpt-5-mini,text-embedding-3-small]: ',
    'Mark-up in percent [20]: ',
  ]);
  expect(stdout).not.toContain(KEY);
  expect(written()).toMatchObject({
    providers: { openai: { api_key_file: 'openai.key' } },
    models: [{ id: 'gpt-5-mini', markup: '7.5%' }],
  });
  const keyFile = join(cwd, 'openai.key');
  expect([readFileSync(keyFile, 'utf8'), statSync(keyFile).mode & 0o777]).toEqual([`${KEY}\n`, 0o600]);
  const { providers, models: sold } = loadConfig({ flags: {}, env: {}, cwd });
  expect([providers[0]?.apiKey, sold[0]?.terms.price.rates.input]).toEqual([KEY, 268_750_000n]);
});

test('init sells the models of any compatible server, at the given cost', async () => {
  models = ['qwen3', 'nomic-embed-text'];
  const keyFile = join(cwd, 'key');
  writeFileSync(keyFile, KEY);
  const options = '--input-price 0.1 --output-price 0.4 --context-window 8192 --mark-up 0 --key-file key';
  expect(await init(`--provider local --base-url HERE ${options}`)).toMatchObject({ code: 0, stderr: '' });
  expect(written()).toMatchObject({
    providers: { local: { kind: 'openai', api_key_file: 'key' } },
    models: [
      { id: 'qwen3', routes: [{ cost: { input: '0.1', output: '0.4' } }], markup: '0%', context_window: 8192 },
      { id: 'nomic-embed-text', kind: 'embedding', routes: [{ cost: { input: '0.1' } }] },
    ],
  });
});

test.each([
  ['a key that is refused', '--provider openai --base-url HERE', { OPENAI_API_KEY: 'wrong' }, /it refuses the key/],
  ['no key', '--provider openai --base-url HERE', {}, /set OPENAI_API_KEY to the key, or say where it is/],
  ['an unset variable', '--provider openai --key-variable MINE', {}, /variable MINE is not set/],
  ['a missing key file', '--provider openai --key-file none', {}, /key file .* cannot be read/],
  ['no provider', '', {}, /name the provider with --provider/],
  ['an unknown provider', '--provider mine', {}, /"mine" is not known; give its .* --base-url/],
  ['a bad address', '--provider mine --base-url nowhere', { MINE_API_KEY: KEY }, /base_url is not a usable address/],
  [
    'no known price',
    '--provider mine --base-url HERE',
    { MINE_API_KEY: KEY },
    /none of its 5 models has a known price/,
  ],
  [
    'an unlisted model',
    '--provider openai --base-url HERE --models gpt-9',
    { OPENAI_API_KEY: KEY },
    /lists no model "gpt-9"/,
  ],
  [
    'a model without a price',
    '--provider openai --base-url HERE --models whisper-1',
    { OPENAI_API_KEY: KEY },
    /price of "whisper-1" is not known/,
  ],
] as const)('init refuses %s, and writes nothing', async (_, line, env, said) => {
  const { code, stderr } = await init(line, { env });
  expect(code).toBe(1);
  expect(stderr).toMatch(said);
  expect(existsSync(FILE())).toBe(false);
});

test('init leaves an existing config file as it is, and asks nothing', async () => {
  writeFileSync(FILE(), 'models: []\n');
  const { code, stderr, questions } = await init('--provider openai', { typed: [] });
  expect([code, questions]).toEqual([1, []]);
  expect(stderr).toMatch(/faregate\.yaml exists, and this never changes one/);
  expect(readFileSync(FILE(), 'utf8')).toBe('models: []\n');
});

test('init takes back the key file if the config file cannot be written', async () => {
  const config = join(cwd, 'gone', 'faregate.yaml');
  const { code } = await init(`--provider openai --base-url HERE --config ${config}`, { typed: [KEY] });
  expect([code, existsSync(join(cwd, 'gone'))]).toEqual([1, false]);
});
