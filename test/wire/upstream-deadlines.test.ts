import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ReceivedRequest, Script } from '../support/scripted-upstream.ts';
import { Gateway, type SendOptions } from './gateway.ts';
import { expectRefusal } from './refusal.ts';
import {
  answering,
  beginStream,
  completion,
  event,
  finish,
  payloadsOf,
  streaming,
  text,
  usageChunk,
} from './upstream-scripts.ts';

// What takes too long, as a whole or until it begins. Each test has a model of its own, so that they can wait side by side.

/** Longer than an answer that isn't held back takes on a busy machine. */
const FIRST_EVENT_MS = 3_000;
const PLAIN_MS = 3_000;
const STREAM_MS = 8_000;

let gateway: Gateway;
/** What the providers do, by model. */
const scripts = new Map<string, Readonly<Record<string, Script>>>();

function configure(origin: string): { providers: string; models: string } {
  const provider = (name: string): string => `\n  ${name}: { kind: openai, base_url: "${origin}/${name}/v1" }`;
  const model = (id: string, more = ''): string => `
  - id: ${id}
    routes: [{ provider: main, model: ${id} }, { provider: side, model: ${id} }]
    price: { input: "1", output: "10" }
    context_window: 128000
    max_output: 16384${more}`;
  return {
    providers: provider('main') + provider('side'),
    models:
      ['talking', 'late', 'dripping', 'silent'].map((id) => model(id)).join('') +
      model('left', '\n    reasoning: true'),
  };
}

function providerOf({ path }: ReceivedRequest): string {
  return path.split('/')[1] ?? '';
}

beforeAll(async () => {
  gateway = await Gateway.start({
    timeouts: `{ plain: ${PLAIN_MS}ms, stream: ${STREAM_MS}ms, upstream_first_event: ${FIRST_EVENT_MS}ms, usage: 200ms }`,
    more: configure,
  });
  gateway.script((response, request) => {
    const { model } = JSON.parse(request.body.toString()) as { model: string };
    scripts.get(model)?.[providerOf(request)]?.(response, request);
  });
});

afterAll(() => gateway.stop());

async function ask(model: string, fields: object = {}, init: SendOptions = {}): Promise<Response> {
  return await gateway.chat({ model, ...fields }, init);
}

async function receiptOf(response: Response) {
  return await gateway.receipt(response.headers.get('x-request-id') ?? '');
}

async function triedBy(response: Response): Promise<readonly string[]> {
  return (await receiptOf(response)).attempts.map(({ provider }) => provider);
}

/** Says something every now and then until its connection is closed. */
function repeating(words: string, onClosed: () => void = () => undefined): Script {
  return (response) => {
    beginStream(response);
    const talk = setInterval(() => response.write(words), 50);
    response.once('close', () => {
      clearInterval(talk);
      onClosed();
    });
  };
}

const SPARE = streaming(text('hi'), finish(), usageChunk());

describe.concurrent('what takes too long', () => {
  test('a stream that takes too long until its first event, though headers and comments come, has the next route tried', async () => {
    scripts.set('talking', { main: repeating(': thinking\n\n'), side: SPARE });
    const response = await ask('talking', { stream: true });
    expect(payloadsOf(await response.text())).toEqual([text('hi'), finish(), '[DONE]']);
    const { attempts } = await receiptOf(response);
    expect(attempts).toMatchObject([{ provider: 'main', fault: 'timeout' }, { provider: 'side' }]);
  });

  test('a plain call that takes too long is a timeout, and no other route is tried', async () => {
    scripts.set('late', { main: () => undefined, side: answering(200, completion()) });
    const response = await ask('late');
    await expectRefusal(response, 'UPSTREAM_TIMEOUT');
    expect(await triedBy(response)).toEqual(['main']);
  });

  test('a stream that takes too long is broken off, and charged for what came', async () => {
    scripts.set('dripping', { main: repeating(event(text('drip'))) });
    const response = await ask('dripping', { stream: true });
    const payloads = payloadsOf(await response.text());
    expect(payloads.at(-1)).toContain('"code":"UPSTREAM_TIMEOUT"');
    const receipt = await receiptOf(response);
    expect(receipt).toMatchObject({ outcome: 'interrupted', certainty: 'estimated', output: payloads.length - 1 });
    expect(receipt.attempts).toMatchObject([{ status: 200, fault: 'timeout' }]);
  });

  test('a stream without an event that takes too long is a 504, over all routes together', async () => {
    scripts.set('silent', { main: () => undefined, side: () => undefined });
    const response = await ask('silent', { stream: true });
    await expectRefusal(response, 'UPSTREAM_TIMEOUT');
    expect(await triedBy(response)).toEqual(['main', 'side']);
  });

  test('an abandoned stream is read on until the request’s deadline at most', async () => {
    const cut = Promise.withResolvers<void>();
    scripts.set('left', {
      main: (response) => {
        beginStream(response);
        response.write(event(text('hi')));
        response.once('close', cut.resolve);
      },
    });
    const leave = new AbortController();
    const beganMs = performance.now();
    const response = await ask('left', { stream: true }, { signal: leave.signal });
    await response.body?.getReader().read();
    leave.abort();
    await cut.promise;
    expect(performance.now() - beganMs).toBeGreaterThanOrEqual(STREAM_MS);
    const receipt = await receiptOf(response);
    expect(receipt).toMatchObject({ outcome: 'abandoned', certainty: 'estimated', output: 1 });
  });
});
