import { setImmediate as nextTurn } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Script } from '../support/scripted-upstream.ts';
import { Gateway, MARKER, NANO_PER_INPUT, NANO_PER_OUTPUT } from './gateway.ts';
import {
  beginStream,
  chunk,
  DONE,
  event,
  finish,
  gradually,
  payloadsOf,
  rawStreaming,
  streaming,
  text,
  USAGE,
  usageChunk,
} from './upstream-scripts.ts';

// What an upstream streams is what the client gets, byte for byte, but for the usage that only the gate has asked for;
// and however it is framed, it is charged by what it reports.

const CHARGE = 7n * NANO_PER_INPUT + 5n * NANO_PER_OUTPUT;
const ASKED = { stream_options: { include_usage: true } };

let gateway: Gateway;

beforeAll(async () => {
  gateway = await Gateway.start();
});

afterAll(() => gateway.stop());

interface Streamed {
  readonly text: string;
  readonly payloads: readonly string[];
  readonly requestId: string;
}

async function stream(script: Script, fields: object = {}): Promise<Streamed> {
  gateway.script(script);
  const response = await gateway.chat({ stream: true, max_tokens: 100, ...fields });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  const received = await response.text();
  const requestId = response.headers.get('x-request-id') ?? '';
  return { text: received, payloads: payloadsOf(received), requestId };
}

async function expectCharged({ requestId }: Streamed): Promise<void> {
  expect(await gateway.receipt(requestId)).toMatchObject({
    outcome: 'completed',
    certainty: 'exact',
    charge: CHARGE,
    input: 7,
    output: 5,
  });
}

test('usage in a stream is always asked of the upstream, beside what the caller asked for', async () => {
  await stream(streaming(text('hi'), finish(), usageChunk()), { stream_options: { include_obfuscation: false } });
  const sent: unknown = JSON.parse(gateway.upstream.requests.at(-1)?.body.toString() ?? '');
  expect(sent).toMatchObject({ stream_options: { include_usage: true, include_obfuscation: false } });
});

test.each<[string, readonly string[], readonly string[]]>([
  ['in a chunk of its own is left out', [text('hi'), finish(), usageChunk()], [text('hi'), finish()]],
  [
    'that is null is left out',
    [text('hi', 0, { usage: null }), finish({ usage: null }), usageChunk()],
    [text('hi'), finish()],
  ],
  ['on the chunk that finishes is left out', [text('hi'), finish({ usage: USAGE })], [text('hi'), finish()]],
  [
    'that grows with every chunk is left out',
    [
      text('h', 0, { usage: { prompt_tokens: 7, completion_tokens: 1 } }),
      text('i', 0, { usage: { prompt_tokens: 7, completion_tokens: 4 } }),
      finish({ usage: USAGE }),
    ],
    [text('h'), text('i'), finish()],
  ],
  [
    'that is told twice counts once',
    [text('hi'), finish({ usage: USAGE, x_groq: { usage: USAGE } })],
    [text('hi'), finish({ x_groq: { usage: USAGE } })],
  ],
])('a stream hides usage that its caller did not ask for: %s', async (_what, sent, received) => {
  const streamed = await stream(streaming(...sent));
  expect(streamed.payloads).toEqual([...received, '[DONE]']);
  await expectCharged(streamed);
});

test.each<[string, readonly string[]]>([
  ['in a chunk of its own', [text('hi'), finish(), usageChunk()]],
  ['that is null before', [text('hi', 0, { usage: null }), finish({ usage: null }), usageChunk()]],
  ['on the chunk that finishes', [text('hi'), finish({ usage: USAGE })]],
])('usage passes as it is where the caller asked: %s', async (_what, payloads) => {
  const streamed = await stream(streaming(...payloads), ASKED);
  expect(streamed.payloads).toEqual([...payloads, '[DONE]']);
  await expectCharged(streamed);
});

test('usage in a stream that never comes is estimated from the bytes on both sides, and marked', async () => {
  const said = 'twelve bytes';
  const { requestId } = await stream(streaming(text(said), finish()));
  const receipt = await gateway.receipt(requestId);
  expect(receipt).toMatchObject({ outcome: 'completed', certainty: 'estimated', output: said.length / 4 });
  expect(receipt.input).toBeGreaterThan(0);
  expect(receipt.charge).toBe(BigInt(receipt.input) * NANO_PER_INPUT + 3n * NANO_PER_OUTPUT);
});

test('input that is longer than the context window is estimated as the window, and the output is charged beside it', async () => {
  const messages = [{ role: 'user', content: 'x'.repeat(600_000) }];
  const { requestId } = await stream(streaming(text('twelve bytes'), finish()), { messages });
  const charge = 128_000n * NANO_PER_INPUT + 3n * NANO_PER_OUTPUT;
  const receipt = { certainty: 'estimated', input: 128_000, output: 3, charge, write_off: 0n };
  expect(await gateway.receipt(requestId)).toMatchObject(receipt);
});

test('usage in a stream beyond the hold is written off', async () => {
  const { payloads, requestId } = await stream(
    streaming(text('hi'), finish(), usageChunk({ prompt_tokens: 7, completion_tokens: 5_000 })),
  );
  expect(payloads).toEqual([text('hi'), finish(), '[DONE]']);
  const receipt = await gateway.receipt(requestId);
  expect(receipt).toMatchObject({ outcome: 'completed', charge: receipt.hold });
  expect(receipt.charge + receipt.write_off).toBe(7n * NANO_PER_INPUT + 5_000n * NANO_PER_OUTPUT);
});

const azure = chunk([], { id: '', model: '', prompt_filter_results: [{ prompt_index: 0 }] });
const nested = chunk([{ index: 0, delta: { content: [{ type: 'text', text: 'hi' }], x: 1e2 }, finish_reason: null }]);
const tool = chunk([{ index: 0, delta: { tool_calls: [{ id: 'a', function: { name: 'f', arguments: '{}' } }] } }]);

test.each<[string, readonly string[]]>([
  ['a first chunk without choices', [azure, text('hi'), finish(), usageChunk()]],
  ['content in parts', [nested, finish(), usageChunk()]],
  ['a tool call without index', [tool, finish(), usageChunk()]],
  ['empty ids and unknown fields', [text('hi', 0, { id: '', new_thing: { a: [1.0] } }), finish(), usageChunk()]],
  [
    'a chunk without a list of choices',
    [JSON.stringify({ id: 'c', warming_up: true }), text('hi'), finish(), usageChunk()],
  ],
])('a stream passes what single vendors send: %s', async (_what, payloads) => {
  const streamed = await stream(streaming(...payloads));
  expect(streamed.payloads).toEqual([...payloads.slice(0, -1), '[DONE]']);
  await expectCharged(streamed);
});

test('an error that is null is left out, for some clients take it for one', async () => {
  const streamed = await stream(
    streaming(text('hi', 0, { error: null }), finish({ error: null }), usageChunk()),
    ASKED,
  );
  expect(streamed.payloads).toEqual([text('hi'), finish(), usageChunk(), '[DONE]']);
});

test('choices that interleave pass in their order, and the last one that finishes ends the answer', async () => {
  const payloads = [text('a', 1), text('b', 0), finish({}, 1), text('c', 0), finish({}, 0)];
  const streamed = await stream(streaming(...payloads, usageChunk()), { n: 2 });
  expect(streamed.payloads).toEqual([...payloads, '[DONE]']);
  await expectCharged(streamed);
});

test('the end of a stream that an upstream forgets to announce is announced', async () => {
  const streamed = await stream(rawStreaming([text('hi'), finish(), usageChunk()].map(event).join('')));
  expect(streamed.payloads).toEqual([text('hi'), finish(), '[DONE]']);
  await expectCharged(streamed);
});

test('the end of a stream is the end: what follows is passed over', async () => {
  const bytes = [text('hi'), finish(), usageChunk()].map(event).join('') + DONE;
  const streamed = await stream(rawStreaming(`${bytes}${event(text(MARKER))}${DONE}: more\n\nrubbish`));
  expect(streamed.payloads).toEqual([text('hi'), finish(), '[DONE]']);
  await expectCharged(streamed);
});

test('the end of a stream comes soon where an upstream finishes and then says nothing', async () => {
  const streamed = await stream((response) => {
    beginStream(response);
    response.write([text('hi'), finish()].map(event).join(''));
  });
  expect(streamed.payloads).toEqual([text('hi'), finish(), '[DONE]']);
});

const payloads = [text('žluťoučký 🐎 kůň'), text('\u2028"data: x"\\n'), finish()];
const wholeOf = (lineEnd: string): Buffer =>
  Buffer.from([...payloads, usageChunk(), '[DONE]'].map((each) => `data: ${each}${lineEnd}${lineEnd}`).join(''));
const EXPECTED = `${payloads.map(event).join('')}: faregate-charge 0.000057\n${DONE}`;

test.each<[string, string]>([
  ['CR and LF', '\r\n'],
  ['CR', '\r'],
])('a stream’s framing with %s is read, and LF is sent', async (_what, lineEnd) => {
  expect((await stream(rawStreaming(wholeOf(lineEnd)))).text).toBe(EXPECTED);
});

test('a stream’s framing with comments, ids, names of events, retries and a byte order mark: only data is sent', async () => {
  const noisy = payloads.map((each) => `: hi\nid: 1\nevent: message\nretry: 5\ndata:${each}\n\n:\n\n`).join('');
  const streamed = await stream(rawStreaming(`\ufeff${noisy}${event(usageChunk())}${DONE}`));
  expect(streamed.text).toBe(EXPECTED);
});

test('a stream’s framing over several data lines is read as one event, and sent as JSON that means the same', async () => {
  const lines = JSON.stringify(JSON.parse(text('hi')), null, 1);
  const bytes = `${lines
    .split('\n')
    .map((line) => `data: ${line}\n`)
    .join('')}\n`;
  const streamed = await stream(rawStreaming(bytes + event(finish()) + event(usageChunk()) + DONE));
  const first = streamed.text.slice(0, streamed.text.indexOf('\n\n')).replaceAll(/^data: /gm, '');
  expect(JSON.parse(first)).toEqual(JSON.parse(text('hi')));
});

test('a stream’s framing of huge events is passed on whole', async () => {
  const huge = text('hi', 0, { padding: 'x'.repeat(5 * 2 ** 20) });
  const streamed = await stream(streaming(huge, finish(), usageChunk()));
  expect(streamed.payloads[0] === huge).toBe(true);
  expect(streamed.payloads).toHaveLength(3);
});

test('a stream’s framing split anywhere gives the client the same bytes', async () => {
  const whole = wholeOf('\n');
  const cuts = fc.uniqueArray(fc.integer({ min: 1, max: whole.length - 1 }), { minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(cuts, fc.constantFrom('\n', '\r\n', '\r'), async (at, lineEnd) => {
      const bytes = wholeOf(lineEnd);
      const edges = [0, ...at.toSorted((a, b) => a - b), bytes.length];
      const script = gradually(async (response) => {
        beginStream(response);
        for (const [index, edge] of edges.entries()) {
          response.write(bytes.subarray(edges[index - 1] ?? 0, edge));
          await nextTurn();
        }
        response.end();
      });
      const streamed = await stream(script);
      expect(streamed.text).toBe(EXPECTED);
    }),
    { numRuns: 60 },
  );
});

test('after all streams the ledger is whole, and no text has been printed', async () => {
  expect(await gateway.books()).toEqual({ ok: true, difference: 0n });
  expect(await gateway.log()).not.toContain(MARKER);
});
