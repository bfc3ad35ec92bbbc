import OpenAI from 'openai';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { geminiVendor } from './gemini-vendor.ts';
import { SHORT_ANSWER } from './scenarios.ts';
import { SIGNATURE } from './gemini-wire.ts';
import { RATES, type Stage, startStage } from './stage.ts';

// What Gemini alone does, through the whole program: it counts in every event, and signs the thoughts behind its calls.

/** Output tokens that the stand-in's first event counts of its short answer. */
const COUNTED = 1;

let stage: Stage;
let client: OpenAI;

beforeAll(async () => {
  stage = await startStage([geminiVendor]);
  client = new OpenAI({ apiKey: stage.key, baseURL: `${stage.program.url}/v1`, maxRetries: 0 });
});

afterAll(() => stage.program.dispose());

const stream = (name: string) =>
  client.chat.completions
    .create({ model: `gemini/${name}`, messages: [{ role: 'user', content: 'hello' }], stream: true })
    .withResponse();

async function receiptOf(requestId: string | null) {
  return vi.waitUntil(() => stage.program.admin.showReceipt(requestId ?? '').catch(() => null), { timeout: 10_000 });
}

// A guess from what was seen would leave the thoughts to the operator.
test.each(['cut_midway', 'error_midway'])(
  'a stream of Gemini’s with %s is charged for its last count',
  async (name) => {
    const { data, request_id: id } = await stream(name);
    await expect(Array.fromAsync(data)).rejects.toThrow('broke off');
    const { input } = SHORT_ANSWER.usage;
    expect(await receiptOf(id)).toMatchObject({
      outcome: 'interrupted',
      usage: { certainty: 'exact', tokens: { input, output: COUNTED } },
      charge_nano_usd: String(BigInt(input) * RATES.input + BigInt(COUNTED) * RATES.output),
    });
  },
);

test('a stream of Gemini’s that its caller leaves is charged for its last count', async () => {
  const { data, request_id: id } = await stream('endless');
  for await (const chunk of data) if (chunk.choices[0]?.delta.content?.includes('word2') === true) break;
  const receipt = await receiptOf(id);
  expect(receipt).toMatchObject({ outcome: 'abandoned', usage: { certainty: 'exact' } });
  expect(BigInt(receipt.charge_nano_usd)).toBeGreaterThanOrEqual(BigInt(SHORT_ANSWER.usage.input) * RATES.input);
});

const asking = (name: string) => ({ model: `gemini/${name}`, messages: [{ role: 'user' as const, content: 'hello' }] });

test.each<[string, () => PromiseLike<OpenAI.ChatCompletion>]>([
  ['plain', () => client.chat.completions.create(asking('parallel_calls'))],
  ['streamed', () => client.chat.completions.stream(asking('parallel_calls')).finalChatCompletion()],
])('a %s message that its client sends back as it came brings its signature back to Gemini', async (_mode, ask) => {
  const { choices } = await ask();
  const message = choices[0]?.message;
  if (message === undefined) throw new Error('no choice');
  const answers = (message.tool_calls ?? []).map(({ id }) => ({
    role: 'tool' as const,
    tool_call_id: id,
    content: 'done',
  }));
  expect(answers).toHaveLength(3);
  const { messages } = asking('text');
  await client.chat.completions.create({ model: 'gemini/text', messages: [...messages, message, ...answers] });
  const request = stage.standIn(geminiVendor).requests.at(-1);
  const { contents } = JSON.parse(String(request?.body)) as { contents: { parts: { thoughtSignature?: string }[] }[] };
  expect(contents[1]?.parts.map(({ thoughtSignature }) => thoughtSignature)).toEqual([SIGNATURE, undefined, undefined]);
});
