import OpenAI, { APIError, BadRequestError, InternalServerError } from 'openai';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { ReceivedRequest, ScriptedUpstream } from '../support/scripted-upstream.ts';
import { readChunks, readCompletion } from './openai-reading.ts';
import { type Said, saidOf, type UsageSaid } from './answers.ts';
import { CALLER_FAILURES, PROVIDER_FAILURES } from './failures.ts';
import { CHAT_SCENARIOS, type ChatScenario, EMBEDDED_TOKENS, LONG_ANSWER, SHORT_ANSWER, VECTORS } from './scenarios.ts';
import { shapeOf } from './shape.ts';
import { RATES, type Stage, startStage } from './stage.ts';
import { EMBEDDING, twin } from './stand-in.ts';
import type { Vendor } from './vendor.ts';
import { VENDORS } from './vendors.ts';

// One suite for every kind of provider: whoever speaks to the gateway with OpenAI's SDK can't tell which vendor answers,
// and what each vendor's server gets is what its own SDK would have sent.

const MESSAGES: OpenAI.ChatCompletionMessageParam[] = [{ role: 'user', content: 'hello' }];

let stage: Stage;
let client: OpenAI;

beforeAll(async () => {
  stage = await startStage(VENDORS);
  client = new OpenAI({ apiKey: stage.key, baseURL: `${stage.program.url}/v1`, maxRetries: 0 });
});

afterAll(() => stage.program.dispose());

interface Outcome {
  readonly said: Said;
  readonly requestId: string;
}

async function ask(vendor: Vendor, { name, request }: ChatScenario, streamed: boolean): Promise<Outcome> {
  const params = { ...request, model: `${vendor.kind}/${name}` };
  if (!streamed) {
    const { data, request_id: id } = await client.chat.completions.create(params).withResponse();
    return { said: readCompletion(data), requestId: id ?? '' };
  }
  const options = { stream: true, stream_options: { include_usage: true } } as const;
  const { data, request_id: id } = await client.chat.completions.create({ ...params, ...options }).withResponse();
  return { said: readChunks(await Array.fromAsync(data)), requestId: id ?? '' };
}

/** What the receipt must say of this usage, its charge to the nano-USD. */
function receiptOf({ input, cached, written, output }: UsageSaid): object {
  const plain = input - cached - written;
  const charge =
    BigInt(plain) * RATES.input +
    BigInt(cached) * RATES.cached +
    BigInt(written) * RATES.written +
    BigInt(output) * RATES.output;
  return {
    outcome: 'completed',
    charge_nano_usd: String(charge),
    write_off_nano_usd: '0',
    usage: { certainty: 'exact', tokens: { input: plain, cached_input: cached, cache_write_5m: written, output } },
  };
}

/** The error of a call that must fail. */
async function failing(call: PromiseLike<unknown>): Promise<APIError> {
  const error = await Promise.resolve(call).then(
    () => null,
    (reason: unknown) => reason,
  );
  if (error instanceof APIError) return error;
  throw new Error('the call was to fail with an error of the API', { cause: error });
}

function lastRequest(standIn: ScriptedUpstream): ReceivedRequest {
  const request = standIn.requests.at(-1);
  if (request === undefined) throw new Error('the stand-in has not been asked');
  return request;
}

describe.each(VENDORS.map((vendor) => [vendor.kind, vendor] as const))('%s', (_kind, vendor) => {
  const scenarios = CHAT_SCENARIOS.filter(({ needs }) => needs === undefined || !vendor.lacks.has(needs));
  const bothWays = scenarios.flatMap((scenario) => [
    [scenario.name, 'plain', scenario] as const,
    [scenario.name, 'streamed', scenario] as const,
  ]);
  const chat = (name: string) =>
    client.chat.completions.create({ model: `${vendor.kind}/${name}`, messages: MESSAGES });
  const stream = (name: string) =>
    client.chat.completions.create({ model: `${vendor.kind}/${name}`, messages: MESSAGES, stream: true });

  test.each(bothWays)('a client understands what the vendor said, and pays for that: %s, %s', async (...args) => {
    const [, mode, scenario] = args;
    const { said, requestId } = await ask(vendor, scenario, mode === 'streamed');
    expect(said).toEqual(saidOf(scenario.answer));
    expect(vendor.readAsked(lastRequest(stage.standIn(vendor)))).toEqual(scenario.asked);
    expect(await stage.program.admin.showReceipt(requestId)).toMatchObject(receiptOf(scenario.answer.usage));
  });

  test.each(bothWays)("a vendor's own SDK asks the same and understands the same: %s, %s", async (...args) => {
    const [, mode, scenario] = args;
    const standIn = stage.standIn(vendor);
    await ask(vendor, scenario, mode === 'streamed');
    const ours = lastRequest(standIn);
    const said = await vendor.callWithSdk(standIn.origin, scenario, mode === 'streamed');
    const theirs = lastRequest(standIn);
    expect(theirs).not.toBe(ours);
    expect(said).toEqual(saidOf(scenario.answer));
    expect(vendor.readAsked(theirs)).toEqual(scenario.asked);
    expect([ours.method, ours.path]).toEqual([theirs.method, theirs.path]);
    expect(vendor.headers.map((name) => [name, ours.headers[name]])).toEqual(
      vendor.headers.map((name) => [name, theirs.headers[name]]),
    );
    expect(shapeOf(JSON.parse(ours.body.toString()))).toEqual(shapeOf(JSON.parse(theirs.body.toString())));
  });

  test.runIf(!vendor.lacks.has('embeddings'))('a vendor’s embeddings come as they are asked for', async () => {
    for (const encoding of [undefined, 'float', 'base64'] as const) {
      const params = { model: `${vendor.kind}/${EMBEDDING}`, input: ['one', 'two'] };
      const call = client.embeddings.create(encoding === undefined ? params : { ...params, encoding_format: encoding });
      const { data, request_id: id } = await call.withResponse();
      const vectors = data.data.map(({ embedding }) =>
        typeof embedding === 'string'
          ? [...new Float32Array(Uint8Array.from(Buffer.from(embedding, 'base64')).buffer)]
          : embedding,
      );
      expect(vectors).toEqual(VECTORS);
      expect(data.usage).toEqual({ prompt_tokens: EMBEDDED_TOKENS, total_tokens: EMBEDDED_TOKENS });
      const charge = String(BigInt(EMBEDDED_TOKENS) * RATES.input);
      expect(await stage.program.admin.showReceipt(id ?? '')).toMatchObject({ charge_nano_usd: charge });
    }
  });

  const callerFailures = CALLER_FAILURES.filter(({ needs }) => needs === undefined || !vendor.lacks.has(needs));
  const calls = { plain: chat, streamed: (name: string) => stream(twin(name)) };
  const inBothModes = <Failure extends object>(failures: readonly Failure[]) =>
    (['plain', 'streamed'] as const).flatMap((mode) => failures.map((failure) => ({ ...failure, mode })));

  test.each(inBothModes(callerFailures))(
    'a $mode call that fails with $name is the caller’s to mend, and free',
    async ({ name, message, mode }) => {
      const error = await failing(calls[mode](name));
      expect(error).toBeInstanceOf(BadRequestError);
      expect(error.type).toBe('invalid_request_error');
      // A provider's own code is kept, because clients look for it; ours stands beside it then.
      const { details } = error.error as { details?: { code?: string } };
      if (/^[a-z_]+$/.test(error.code ?? '')) expect(details?.code).toBe('INVALID_REQUEST');
      else expect(error.code).toBe('INVALID_REQUEST');
      expect(error.message).toContain(message);
      await expectFree(error.requestID);
    },
  );

  test.each(inBothModes(PROVIDER_FAILURES))(
    'a $mode call that fails with $name tells the caller when to try again, and no more',
    async ({ name, message, retryAfter, mode }) => {
      const error = await failing(calls[mode](name));
      expect(error).toBeInstanceOf(InternalServerError);
      expect(error).toMatchObject({ status: 503, code: 'MODEL_UNAVAILABLE' });
      expect(error.message).not.toContain(message);
      const seconds = Number(error.headers?.get('retry-after'));
      if (retryAfter === null) expect(seconds).toBeGreaterThan(0);
      else expect(seconds).toBe(retryAfter);
      await expectFree(error.requestID);
    },
  );

  test.each(['error_first', 'garbage_first'])('a stream that begins with %s is refused, and free', async (name) => {
    const error = await failing(stream(name));
    expect(error).toMatchObject({ status: 503, code: 'MODEL_UNAVAILABLE' });
    await expectFree(error.requestID);
  });

  test.each(['error_first', 'garbage_first', 'server_error'])(
    'a stream that fails with %s is answered by the next route',
    async (name) => {
      const { data, request_id: id } = await stream(`${name}/next`).withResponse();
      const chunks = await Array.fromAsync(data);
      expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe(SHORT_ANSWER.text.join(''));
      expect(await stage.program.admin.showReceipt(id ?? '')).toMatchObject({
        ...receiptOf(SHORT_ANSWER.usage),
        attempts: [{ upstream_model: name }, { upstream_model: 'text', status: 200, fault: null }],
      });
    },
  );

  test.each(['error_midway', 'cut_midway'])(
    'a stream that fails with %s ends with an error after what has come, which is charged',
    async (name) => {
      const { data, request_id: id } = await stream(name).withResponse();
      let text = '';
      const error = await failing(
        (async () => {
          for await (const chunk of data) text += chunk.choices[0]?.delta.content ?? '';
        })(),
      );
      expect(text).toBe(SHORT_ANSWER.text[0]);
      expect(error).toMatchObject({ code: 'MODEL_UNAVAILABLE' });
      const receipt = await stage.program.admin.showReceipt(id ?? '');
      expect(receipt).toMatchObject({ outcome: 'interrupted' });
      expect(BigInt(receipt.charge_nano_usd)).toBeGreaterThan(0n);
    },
  );

  test('a vendor’s stream that its caller leaves is read on for a while, then ended and charged', async () => {
    const standIn = stage.standIn(vendor);
    const { data, request_id: id } = await stream('endless').withResponse();
    let text = '';
    for await (const chunk of data) {
      text += chunk.choices[0]?.delta.content ?? '';
      if (text.includes('word3')) break;
    }
    expect(LONG_ANSWER.text.join('')).toContain(text);
    const receipt = await vi.waitUntil(() => stage.program.admin.showReceipt(id ?? '').catch(() => null), {
      timeout: 10_000,
    });
    expect(receipt).toMatchObject({ outcome: 'abandoned', write_off_nano_usd: '0' });
    expect(BigInt(receipt.charge_nano_usd)).toBeGreaterThan(0n);
    await vi.waitUntil(() => standIn.running() === 0, { timeout: 10_000 });
  });

  async function expectFree(requestId: string | null | undefined): Promise<void> {
    const receipt = await vi.waitUntil(() => stage.program.admin.showReceipt(requestId ?? '').catch(() => null), {
      timeout: 10_000,
    });
    expect(receipt).toMatchObject({ outcome: 'failed', charge_nano_usd: '0' });
  }
});
