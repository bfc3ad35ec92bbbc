import { readdirSync, readFileSync } from 'node:fs';
import { type GenerateContentResponse, GoogleGenAI, type Part } from '@google/genai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startScriptedUpstream, type ScriptedUpstream } from '../../../../test/support/scripted-upstream.ts';
import { heardStream } from '../../../../test/support/spoken-answer.ts';
import { understand, type Understood } from '../../../../test/support/understood-chunks.ts';
import { GeminiAnswer } from './gemini-answer.ts';
import { readPlainAnswer } from './plain-answer.ts';

// Streams as Google's servers send them, read by Google's own SDK and by this upstream: both must understand the same.

const FIXTURES = new URL('../../../../test/fixtures/gemini/', import.meta.url);
const NAMES = readdirSync(FIXTURES).map((name) => name.replace(/\.jsonl$/, ''));
const FINISHES: Readonly<Record<string, string>> = { STOP: 'stop', MAX_TOKENS: 'length', SAFETY: 'content_filter' };

/** The events of a fixture, whose first line names its source. */
function eventsOf(name: string): readonly string[] {
  return readFileSync(new URL(`${name}.jsonl`, FIXTURES), 'utf8')
    .trimEnd()
    .split('\n')
    .slice(1);
}

const streamOf = (name: string): Buffer =>
  Buffer.from(
    eventsOf(name)
      .map((event) => `data: ${event}\r\n\r\n`)
      .join(''),
  );

function ours(name: string): Understood {
  const choices = name === 'two-candidates' ? 2 : 1;
  const context = {
    choices,
    parallelCalls: true,
    upstreamModel: 'gemini-3-pro-preview',
    requestId: 'a-b',
    askedAtMs: 1_700_000_000_000,
  };
  const translator = new GeminiAnswer(context, (view, status) => readPlainAnswer(view, status, context), null);
  const sink = heardStream(translator, [streamOf(name)]);
  expect(sink.endings).toEqual([{ kind: 'end', done: true }]);
  return understand(sink.payloads);
}

/** The SDK's result for one candidate. */
function theirs(responses: readonly GenerateContentResponse[], index: number) {
  const candidates = responses
    .flatMap((response) => response.candidates ?? [])
    .filter((each) => (each.index ?? 0) === index);
  const parts = candidates.flatMap(({ content }) => content?.parts ?? []);
  const textOf = (some: readonly Part[]): string => some.map(({ text }) => text ?? '').join('');
  const begun = parts.flatMap(({ functionCall }) => (functionCall?.name === undefined ? [] : [functionCall]));
  const finish = FINISHES[candidates.at(-1)?.finishReason ?? ''];
  return {
    text: textOf(parts.filter(({ thought }) => thought !== true)),
    reasoning: textOf(parts.filter(({ thought }) => thought === true)),
    calls: begun.map(({ name, id, args }) => ({ name, id, args })),
    signatures: parts.flatMap(({ thoughtSignature }) => thoughtSignature ?? []),
    finish: finish === 'stop' && begun.length > 0 ? 'tool_calls' : finish,
  };
}

let server: ScriptedUpstream;
let sdk: GoogleGenAI;

beforeAll(async () => {
  server = await startScriptedUpstream((response, { path }) => {
    const name = /models\/([\w-]+):/.exec(path)?.[1] ?? '';
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(streamOf(name));
  });
  sdk = new GoogleGenAI({ apiKey: 'k', httpOptions: { baseUrl: server.origin } });
});

afterAll(() => server.stop());

describe.each(NAMES)('%s', (name) => {
  test("a recorded stream is understood as Google's own SDK understands it", async () => {
    const stream = await sdk.models.generateContentStream({ model: name, contents: 'hello' });
    const responses = await Array.fromAsync(stream);
    const { choices, usage } = ours(name);
    expect(choices.size).toBeGreaterThan(0);
    for (const [index, choice] of choices) {
      const expected = theirs(responses, index);
      const { text, reasoning, finish, signatures } = choice;
      expect({ text, reasoning, finish, signatures }).toEqual({
        text: expected.text,
        reasoning: expected.reasoning,
        finish: expected.finish,
        signatures: expected.signatures,
      });
      expect(choice.calls.map((call) => call.name)).toEqual(expected.calls.map((call) => call.name));
      for (const [at, call] of choice.calls.entries()) {
        const { id, args } = expected.calls[at] ?? {};
        if (id !== undefined) expect(call.id).toBe(id);
        if (args !== undefined) expect(JSON.parse(call.arguments)).toEqual(args);
      }
    }
    const counted = responses.at(-1)?.usageMetadata;
    expect(usage).toMatchObject({
      prompt_tokens: counted?.promptTokenCount,
      total_tokens: counted?.totalTokenCount,
      prompt_tokens_details: { cached_tokens: counted?.cachedContentTokenCount ?? 0 },
      completion_tokens_details: { reasoning_tokens: counted?.thoughtsTokenCount ?? 0 },
    });
  });
});

test('arguments that come in pieces are put together, for the SDK leaves that to its users', () => {
  const { choices } = ours('partial-arguments');
  expect(choices.get(0)?.calls.map((call) => [call.name, JSON.parse(call.arguments)])).toEqual([
    [
      'sell',
      {
        tickets: [
          { zone: 'A', price: 2.5 },
          { zone: 'B and C', price: 4 },
        ],
        return: true,
        discount: null,
      },
    ],
    ['now', {}],
    ['greet', { name: 'Éva', times: 2 }],
  ]);
});
