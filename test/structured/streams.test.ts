import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { Tenant } from '../support/tenant.ts';
import { ANSWER_COST, type Stage, startStage } from './stage.ts';

// A stream by a schema is kept until it is known to conform. Meanwhile its caller is told that it is under way, and what
// becomes of it when that caller leaves is what becomes of any stream.

let stage: Stage;
let tenant: Tenant;

beforeAll(async () => {
  stage = await startStage('timeouts: { ping: 100ms, usage: 300ms }');
  tenant = await stage.program.createTenant({ credit: '10' });
});

afterAll(() => stage.program.dispose());

const GOOD = '{"a":1}';

function request(more: object = {}): object {
  const schema = { type: 'object', required: ['a'] };
  const response_format = { type: 'json_schema', json_schema: { name: 'a', schema } };
  return { model: 'native', messages: [{ role: 'user', content: 'x' }], stream: true, response_format, ...more };
}

interface Receipt {
  readonly outcome: string;
  readonly charge_nano_usd: string;
}

function gateOf(): { readonly opened: Promise<void>; readonly open: () => void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}

/** What a response has said, as it comes. */
class Reading {
  text = '';
  readonly #chunks: AsyncIterator<Uint8Array>;
  readonly #decoder = new TextDecoder();

  constructor(response: Response) {
    if (response.body === null) throw new Error('a response has a body');
    this.#chunks = response.body[Symbol.asyncIterator]();
  }

  /** Reads until the text holds this. */
  async until(part: string): Promise<void> {
    while (!this.text.includes(part)) {
      if (!(await this.#readOn())) throw new Error(`the stream ended without ${part}`);
    }
  }

  /** Reads to the end, and answers with all of it. */
  async whole(): Promise<string> {
    while (await this.#readOn());
    return this.text;
  }

  async #readOn(): Promise<boolean> {
    const { value, done } = await this.#chunks.next();
    if (done !== true) this.text += this.#decoder.decode(value, { stream: true });
    return done !== true;
  }
}

test('a stream by a schema pings while it is kept, and then comes as a whole', async () => {
  const gate = gateOf();
  stage.answer(() => ({ content: GOOD, until: gate.opened }));
  const response = await stage.program.chat(tenant.key, request());
  const reading = new Reading(response);
  await reading.until(': ping\n: ping');
  gate.open();
  const text = await reading.whole();
  expect(text).toContain('\\"a\\":1');
  expect(text.endsWith('data: [DONE]\n\n')).toBe(true);
});

test('a stream by a schema that conforms to nothing after a ping ends with an error event', async () => {
  const gate = gateOf();
  stage.answer(() => ({ content: '[]', until: gate.opened }));
  const response = await stage.program.chat(tenant.key, request());
  const reading = new Reading(response);
  await reading.until(': ping');
  gate.open();
  const text = await reading.whole();
  const [, payload] = /^data: (.*)$/m.exec(text) ?? [];
  expect(JSON.parse(payload ?? '')).toMatchObject({ error: { code: 'OUTPUT_NOT_CONFORMING' } });
  expect(text).not.toContain('[DONE]');
});

test('a stream by a schema whose caller leaves is read on for its usage, and charged for what came', async () => {
  const gate = gateOf();
  stage.answer(() => ({ content: GOOD, until: gate.opened }));
  const leaving = new AbortController();
  const response = await stage.program.chat(tenant.key, request(), { signal: leaving.signal });
  await new Reading(response).until(': ping');
  leaving.abort();
  const id = response.headers.get('x-request-id') ?? '';
  const receipt = await stage.receipt<Receipt>(tenant.key, id);
  expect(receipt.outcome).toBe('abandoned');
  const charge = BigInt(receipt.charge_nano_usd);
  expect(charge).toBeGreaterThan(0n);
  await vi.waitUntil(() => stage.upstream.sockets.size === 0, { timeout: 30_000, interval: 20 });
  gate.open();
});

test('a stream by a schema is repeated with its Idempotency-Key as the answer that conformed, and charged once', async () => {
  let turn = 0;
  stage.answer(() => (turn++ === 0 ? '[]' : '```json\n{"a":1}\n```'));
  const headers = {
    authorization: `Bearer ${tenant.key}`,
    'content-type': 'application/json',
    'idempotency-key': 'k1',
  };
  const first = await stage.program.chat(tenant.key, request(), { headers });
  const text = (await first.text()).replaceAll(': ping\n', '');
  const repeat = await stage.program.chat(tenant.key, request(), { headers });
  expect(await repeat.text()).toBe(text);
  expect(repeat.headers.get('x-faregate-replayed')).toBe(first.headers.get('x-request-id'));
  const receipt = await stage.receipt<Receipt>(tenant.key, first.headers.get('x-request-id') ?? '');
  expect(receipt).toMatchObject({ outcome: 'completed', charge_nano_usd: String(ANSWER_COST) });
  expect(stage.asked).toHaveLength(2);
});
