import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { APIError } from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ROOT } from '../repository/tree.ts';
import { type ScriptedUpstream, startScriptedUpstream } from '../support/scripted-upstream.ts';
import { litellmRaises } from './litellm-rules.ts';
import { COUNTERPARTS } from './counterparts.ts';
import { type Stage, startStage } from './stage.ts';

// Clients tell errors from each other by more than the status. Each refusal here must become the exception that OpenAI's own
// error becomes: programs are written for those.

/** A Python that has what test/sdk/python/requirements.txt names; `npm run clients:python` makes one. */
const PYTHON = process.env['FAREGATE_PYTHON'];
const PYTHON_MS_MAX = 110_000;

let stage: Stage;

beforeAll(async () => {
  stage = await startStage();
});

afterAll(() => stage.program.dispose());

async function refused(key: string, model: string): Promise<{ status: number; body: { error: object } }> {
  const response = await fetch(`${stage.baseURL}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, messages: [{ role: 'user', content: 'hi' }] }),
  });
  return { status: response.status, body: (await response.json()) as { error: object } };
}

const nodeRaises = (status: number, error: object): unknown =>
  APIError.generate(status, { error }, undefined, new Headers()).constructor;

test.each(COUNTERPARTS)(
  "an answer is to OpenAI's SDK and to LiteLLM's rules what it is at OpenAI: $what",
  async (counterpart) => {
    const { status, error } = counterpart;
    const key = await counterpart.key(stage);
    const ours = await refused(key, counterpart.model);
    expect(ours.status).toBe(status);
    expect(nodeRaises(ours.status, ours.body.error)).toBe(nodeRaises(status, error));
    expect(litellmRaises(ours.status, ours.body)).toBe(litellmRaises(status, { error }));
    if (status === 401) expect(JSON.stringify(ours.body)).not.toContain(key.slice(-6));
  },
);

test('what has no counterpart at OpenAI is an error of the server, or a bad request, to LiteLLM', async () => {
  const ask = async (key: string, model: string): Promise<string> => {
    const { status, body } = await refused(key, model);
    return litellmRaises(status, body);
  };
  expect(await ask(stage.tenant.key, 'embed')).toBe('BadRequestError');
  expect(await ask(stage.tenant.key, 'silent')).toBe('Timeout');
  const poor = await stage.program.createTenant({ credit: null });
  expect(await ask(poor.key, 'vendor/chat')).toBe('APIError');
});

interface Raised {
  readonly openai: string | null;
  readonly litellm: string | null;
}

async function pythonRaises(calls: readonly object[]): Promise<readonly Raised[]> {
  const { PATH, HOME } = process.env;
  const running = promisify(execFile)(PYTHON ?? '', [join(ROOT, 'test/sdk/python/raised.py')], {
    timeout: PYTHON_MS_MAX,
    env: { PATH, HOME, LITELLM_LOCAL_MODEL_COST_MAP: 'True', LITELLM_LOG: 'CRITICAL' },
  });
  running.child.stdin?.end(JSON.stringify(calls));
  const { stdout } = await running;
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as readonly Raised[];
}

describe.runIf(PYTHON !== undefined)("Python's openai and litellm", () => {
  let openAi: ScriptedUpstream;

  beforeAll(async () => {
    openAi = await startScriptedUpstream((response, { body }) => {
      const { model } = JSON.parse(body.toString()) as { model: string };
      const { status, error } = COUNTERPARTS[Number(model)] ?? { status: 500, error: {} };
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify({ error }));
    });
  });

  afterAll(() => openAi.stop());

  test('the openai and litellm of Python raise what they raise at OpenAI for each refusal, and LiteLLM keeps its rules', async () => {
    const ours = await Promise.all(
      COUNTERPARTS.map(async ({ key, model }) => ({ base_url: stage.baseURL, key: await key(stage), model })),
    );
    const theirs = COUNTERPARTS.map((_, at) => ({ base_url: `${openAi.origin}/v1`, key: 'sk-1', model: String(at) }));
    const raised = await pythonRaises([...ours, ...theirs]);
    const [atGateway, atOpenAi] = [raised.slice(0, ours.length), raised.slice(ours.length)];
    const named = (each: readonly Raised[]): object =>
      each.map((one, at) => ({ what: COUNTERPARTS[at]?.what, ...one }));
    expect(named(atGateway)).toEqual(named(atOpenAi));
    expect(atOpenAi.map(({ litellm }) => litellm)).toEqual(
      COUNTERPARTS.map(({ status, error }) => litellmRaises(status, { error })),
    );
  });
});

test.runIf(PYTHON === undefined)("Python's clients are not here: npm run clients:python gets them", () => {
  expect(PYTHON).toBeUndefined();
});
