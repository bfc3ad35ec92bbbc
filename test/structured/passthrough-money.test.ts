import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import {
  ANSWER_COST,
  BAD,
  GOOD,
  MESSAGES,
  type PassthroughStage,
  RESPONSES,
  SCHEMA,
  startPassthroughStage,
} from './passthrough-stage.ts';

// What answers by a schema cost that pass as they are, and those that would have and didn't conform: as in chat, within the
// request's one hold.

let stage: PassthroughStage;

beforeAll(async () => {
  // One answer an hour is free.
  const perHour = (Number(ANSWER_COST) / 1e9).toFixed(9);
  stage = await startPassthroughStage(
    `structured_output: { free_per_hour: "${perHour}" }\ntimeouts: { ping: 100ms, usage: 300ms }`,
  );
});

afterAll(() => stage.program.dispose());

const STREAM = '"stream":true,';
const NOTHING_CONFORMS = '{"type":"object","not":{}}';

describe.each([RESPONSES, MESSAGES].map((speaker) => [speaker.endpoint, speaker] as const))('%s', (_name, speaker) => {
  test('answers that pass as they are and do not conform are free up to the bound, and then charged within the hold', async () => {
    stage.say(BAD, BAD, GOOD);
    // The first one in this file is free.
    const isFirst = speaker === RESPONSES;
    const unsayable = speaker.body(SCHEMA, '"of_next_year":true,');
    const response = await stage.send(speaker, unsayable);
    expect(response.status).toBe(200);
    const receipt = await stage.receiptOf(response);
    const charged = expect.objectContaining({ tokens: expect.objectContaining({ input: 20, output: 10 }) });
    expect(receipt).toMatchObject({
      outcome: 'completed',
      charge_nano_usd: String((isFirst ? 2n : 3n) * ANSWER_COST),
      attempts: [
        { strategy: 'passthrough', fault: 'not_conforming', charged: isFirst ? null : charged },
        { strategy: 'passthrough', fault: 'not_conforming', charged },
        { strategy: 'passthrough', fault: null, charged: null },
      ],
    });
    expect(BigInt(receipt.charge_nano_usd)).toBeLessThanOrEqual(BigInt(receipt.hold_nano_usd));
  });

  test('a schema that nothing satisfies is charged for each answer of a stream, and no more is asked than the hold has', async () => {
    stage.say(GOOD);
    const response = await stage.send(speaker, speaker.body(NOTHING_CONFORMS, `${STREAM}"of_next_year":true,`));
    // A status, or the last event behind a ping.
    expect(await response.text()).toContain('OUTPUT_NOT_CONFORMING');
    expect(await stage.receiptOf(response)).toMatchObject({
      outcome: 'failed',
      charge_nano_usd: String(3n * ANSWER_COST),
    });
    const usage = { input: 3_000, cached: 0, written: 0, output: 400, reasoning: 0 };
    stage.say({ text: [GOOD], refusal: null, calls: [], finish: 'stop', usage });
    const dear = await stage.send(speaker, speaker.body(NOTHING_CONFORMS, cap(speaker.endpoint)));
    expect(dear.status).toBe(502);
    const receipt = await stage.receiptOf(dear);
    const charge = BigInt(receipt.charge_nano_usd);
    expect(charge).toBe(BigInt(receipt.attempts.length) * (3_000n * 1_000n + 400n * 10_000n));
    expect(charge).toBeLessThanOrEqual(BigInt(receipt.hold_nano_usd));
    expect(receipt.attempts.length).toBeLessThan(3);
  });

  test('a caller that leaves before its stream is known to conform is charged for what came', async () => {
    const over = Promise.withResolvers<string>();
    const begun = await beginningOf(speaker.endpoint);
    stage.say({ status: 200, body: begun, rest: over.promise });
    const leaving = new AbortController();
    const response = await stage.send(speaker, speaker.body(SCHEMA, STREAM), { signal: leaving.signal });
    // A ping has come, and nothing of the answer.
    const first = await response.body!.getReader().read();
    expect(new TextDecoder().decode(first.value as Uint8Array)).toMatch(/ping/);
    leaving.abort();
    const receipt = await stage.receiptOf(response);
    expect(receipt.outcome).toBe('abandoned');
    expect(BigInt(receipt.charge_nano_usd)).toBeGreaterThan(0n);
    await vi.waitUntil(() => stage.upstream.sockets.size === 0, { timeout: 30_000, interval: 20 });
    over.resolve('');
  });

  test('a repeat with the same Idempotency-Key gets the bytes that passed, and is charged once', async () => {
    for (const [way, more] of [
      ['plain', ''],
      ['streamed', STREAM],
    ]) {
      stage.say(GOOD);
      const headers = { 'idempotency-key': `${speaker.endpoint}-${way}` };
      const first = await stage.send(speaker, speaker.body(SCHEMA, more), { headers });
      const text = (await first.text()).replaceAll(PINGS, '');
      const repeat = await stage.send(speaker, speaker.body(SCHEMA, more), { headers });
      expect((await repeat.text()).replaceAll(PINGS, '')).toBe(text);
      expect(repeat.headers.get('x-faregate-replayed')).toBe(first.headers.get('x-request-id'));
      expect(await stage.receiptOf(first)).toMatchObject({ charge_nano_usd: String(ANSWER_COST) });
      expect(stage.asked).toHaveLength(1);
    }
  });
});

/** What keeps a silent stream open, in either API. */
const PINGS = /^(?:: ping\n|event: ping\ndata: .*\n\n)/gm;

/** A maximum that makes the hold cover one dear answer, and not several. */
const cap = (endpoint: string): string => (endpoint === 'responses' ? '"max_output_tokens":500,' : '');

/** The events with which a stream begins, with a piece of its text. */
async function beginningOf(endpoint: string): Promise<string> {
  const events =
    endpoint === 'responses'
      ? [
          { type: 'response.created', response: { id: 'resp_1', status: 'in_progress', output: [] } },
          { type: 'response.output_text.delta', delta: '{"n":' },
        ]
      : [
          { type: 'message_start', message: { id: 'msg_1', usage: { input_tokens: 20, output_tokens: 1 } } },
          { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
          { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: '{"n":' } },
        ];
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('');
}

test('searches of an answer that did not conform are charged with it; those of the chat that follows are none', async () => {
  const search = { type: 'web_search_call', id: 'ws_1', status: 'completed', action: { type: 'search', query: 'q' } };
  const response = (text: string): string =>
    JSON.stringify({
      id: 'resp_1',
      object: 'response',
      status: 'completed',
      output: [search, search, { type: 'message', id: 'msg_1', content: [{ type: 'output_text', text }] }],
      usage: { input_tokens: 20, output_tokens: 10, total_tokens: 30 },
    });
  const body = RESPONSES.body(SCHEMA, '"tools":[{"type":"web_search"}],"max_tool_calls":2,');
  const FEES = 20_000_000n;
  stage.say({ status: 200, body: response('{"n":1}') });
  const passed = await stage.send(RESPONSES, body);
  expect(await passed.text()).toBe(response('{"n":1}'));
  expect(passed.headers.get('x-faregate-left-out')).toBeNull();
  expect(await stage.receiptOf(passed)).toMatchObject({
    uses: { web_search: 2 },
    charge_nano_usd: String(ANSWER_COST + FEES),
  });
  stage.say({ status: 200, body: response(BAD) }, '{"n":1}');
  const repaired = await stage.send(RESPONSES, body);
  expect(repaired.status).toBe(200);
  expect(repaired.headers.get('x-faregate-left-out')).toBe('web_search');
  expect(await stage.receiptOf(repaired)).toMatchObject({
    uses: { web_search: 2 },
    fees_nano_usd: String(FEES),
    charge_nano_usd: String(2n * ANSWER_COST + FEES),
  });
});

test('after all of these the ledger is whole', async () => {
  expect(await stage.program.admin.verifyLedger()).toMatchObject({ ok: true });
});
