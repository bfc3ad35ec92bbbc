import { expect, test, vi } from 'vitest';
import { until } from '../../../test/support/eventually.ts';
import { RecordingSink } from '../../../test/support/recording-sink.ts';
import { hear } from '../../../test/support/spoken-answer.ts';
import { runExchange } from './answer-reader.ts';
import type { ExchangeHandler } from './http/http-client.ts';
import { OpenAiAnswer } from './openai/openai-answer.ts';

// Answers that are large enough to be read in turns of the event loop.

const PICTURE = 'A'.repeat(3_000_000);
const CHOICES = `"choices":[{"message":{"content":"${PICTURE}"},"finish_reason":"stop"}]`;
const TYPE = { 'content-type': 'application/json' };

async function heard(text: string): Promise<RecordingSink> {
  const pieces = [Buffer.from(text.slice(0, 100)), Buffer.from(text.slice(100))];
  const sink = hear(new OpenAiAnswer(null), false, { status: 200, contentType: 'application/json', pieces });
  expect(sink.endings).toEqual([]);
  await until(() => sink.endings.length > 0);
  return sink;
}

test('a large answer is passed on as it came', async () => {
  const text = `{${CHOICES},"usage":{"prompt_tokens":3,"completion_tokens":4}}`;
  const [ending] = (await heard(text)).endings;
  expect(ending?.kind === 'answer' && ending.body.toString() === text).toBe(true);
});

test.each([
  ['has usage without end', `{${CHOICES},"usage":{"prompt_tokens":3,"x":"${PICTURE}"}}`],
  ['has timings of many members', `{${CHOICES},"timings":{${'"a":1,'.repeat(200_000)}"b":1}}`],
  ['is no JSON', `{${CHOICES}`],
])('a large answer is malformed that %s', async (_what, text) => {
  expect((await heard(text)).endings).toMatchObject([{ kind: 'fault', fault: { kind: 'malformed', status: 200 } }]);
});

test('a large answer may be an error all the same', async () => {
  const { endings } = await heard(`{"x":"${PICTURE}","error":{"message":"busy","code":429}}`);
  expect(endings).toMatchObject([{ kind: 'fault', fault: { kind: 'overloaded', status: 429 } }]);
});

test('a large answer is not heard of after an abort', async () => {
  const sink = new RecordingSink();
  let handler: ExchangeHandler | null = null;
  const exchange = { pause: vi.fn<() => void>(), resume: vi.fn<() => void>(), abort: vi.fn<() => void>() };
  const client = {
    send: (_request: unknown, listener: ExchangeHandler) => {
      handler = listener;
      return exchange;
    },
    close: () => Promise.resolve(),
  };
  const translator = new OpenAiAnswer(null);
  const request = { method: 'POST', path: '/', headers: {}, body: null } as const;
  const running = runExchange(client, request, { streamed: false, sink, secret: null, translator });
  const listener = handler as ExchangeHandler | null;
  listener?.start(200, TYPE);
  listener?.data(Buffer.from(`{${CHOICES}}`));
  listener?.end();
  running.abort();
  const after = await heard(`{${CHOICES}}`);
  expect([after.endings.length, sink.endings, exchange.abort.mock.calls]).toEqual([1, [], []]);
});

test.each([
  ['has more values than any', `{"choices":[],"x":[${'1,'.repeat(300_000)}1]}`],
  ['is no JSON', `{"choices":[],"x":"${'a'.repeat(70_000)}`],
])('a large event that %s is malformed', (_what, text) => {
  const pieces = [Buffer.from(`data: ${text}\n\n`)];
  const spoken = { status: 200, contentType: 'text/event-stream', pieces };
  const { endings } = hear(new OpenAiAnswer(null), true, spoken);
  expect(endings).toMatchObject([{ kind: 'fault', fault: { kind: 'malformed' } }]);
});
