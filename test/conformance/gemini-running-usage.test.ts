import OpenAI from 'openai';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { geminiVendor } from './gemini-vendor.ts';
import { SHORT_ANSWER } from './scenarios.ts';
import { RATES, type Stage, startStage } from './stage.ts';

// Gemini counts in every event. A stream that never comes to its end is charged for what its last event has counted,
// thoughts that nobody saw included, and not for a guess from what was seen.

/** Output tokens that the stand-in's first event counts of its short answer. */
const COUNTED = 1;

let stage: Stage;
let client: OpenAI;

beforeAll(async () => {
  stage = await startStage([geminiVendor]);
  client = new OpenAI({ apiKey: stage.key, baseURL: `${stage.program.url}/v1`, maxRetries: 0 });
});

afterAll(() => stage.dispose());

const stream = (name: string) =>
  client.chat.completions
    .create({ model: `gemini/${name}`, messages: [{ role: 'user', content: 'hello' }], stream: true })
    .withResponse();

async function receiptOf(requestId: string | null) {
  return vi.waitUntil(() => stage.admin.showReceipt(requestId ?? '').catch(() => null), { timeout: 10_000 });
}

test.each(['cut_midway', 'error_midway'])('of a stream with %s the last count is paid for', async (name) => {
  const { data, request_id: id } = await stream(name);
  await expect(Array.fromAsync(data)).rejects.toThrow('broke off');
  const { input } = SHORT_ANSWER.usage;
  expect(await receiptOf(id)).toMatchObject({
    outcome: 'interrupted',
    usage: { certainty: 'exact', tokens: { input, output: COUNTED } },
    charge_nano_usd: String(BigInt(input) * RATES.input + BigInt(COUNTED) * RATES.output),
  });
});

test('of a stream that its caller leaves the last count is paid for', async () => {
  const { data, request_id: id } = await stream('endless');
  for await (const chunk of data) if (chunk.choices[0]?.delta.content?.includes('word2') === true) break;
  const receipt = await receiptOf(id);
  expect(receipt).toMatchObject({ outcome: 'abandoned', usage: { certainty: 'exact' } });
  expect(BigInt(receipt.charge_nano_usd)).toBeGreaterThanOrEqual(BigInt(SHORT_ANSWER.usage.input) * RATES.input);
});
