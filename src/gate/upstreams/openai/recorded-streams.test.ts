import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import OpenAI from 'openai';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RecordingSink } from '../../../../test/support/recording-sink.ts';
import { type ScriptedUpstream, startScriptedUpstream } from '../../../../test/support/scripted-upstream.ts';
import { StreamMeter } from '../../gateway/answers/stream-meter.ts';
import { inspectChunk } from '../../openai/chat-chunk.ts';
import { DONE_EVENT, encodeEvent } from '../../openai/sse.ts';
import type { ReportedUsage } from '../../openai/usage.ts';
import { runExchange } from '../answer-reader.ts';
import { DIRECT } from '../http/destination.ts';
import { createHttpClient, type ExchangeHandler, type HttpClient } from '../http/http-client.ts';
import { OpenAiAnswer } from './openai-answer.ts';

// Streams of known servers, each file with its source. The result is the same for any network and framing.

const FOLDER = join(import.meta.dirname, '../../../../test/fixtures/openai-streams');
const STREAMS = new Map(
  readdirSync(FOLDER).map((file) => [file.replace('.sse', ''), readFileSync(join(FOLDER, file), 'utf8')] as const),
);

/** The counts of each server, in the gateway's classes. */
const USAGE: Readonly<Record<string, Partial<ReportedUsage>>> = {
  azure: { input: 11, output: 2 },
  deepseek: { input: 19, cached_input: 320, output: 83 },
  gemini: { input: 10, output: 52 },
  groq: { input: 45, output: 662 },
  llamacpp: { input: 1, cached_input: 236, output: 35 },
  mistral: { input: 124, output: 22 },
  moonshot: { input: 11, cached_input: 8, output: 13 },
  ollama: { input: 26, output: 8 },
  openai: { input: 86, cached_input: 1_920, output: 300 },
  openrouter: { input: 94, cached_input: 100, output: 2 },
  perplexity: { input: 11, output: 434 },
  qwen: { input: 24, output: 1_355 },
  vllm: { input: 9, output: 3 },
  xai: { input: 1, cached_input: 11, output: 291 },
};

const NOTHING: ReportedUsage = {
  input: 0,
  cached_input: 0,
  cache_write_5m: 0,
  cache_write_1h: 0,
  audio_input: 0,
  output: 0,
  audio_output: 0,
};

function dataOf(stream: string): readonly string[] {
  return [...stream.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => data);
}

function payloadsOf(stream: string): readonly unknown[] {
  return dataOf(stream)
    .filter((data) => data !== '[DONE]')
    .map((data) => JSON.parse(data) as unknown);
}

/** A client whose one exchange the test plays by hand. */
class HandClient implements HttpClient {
  handler: ExchangeHandler | null = null;

  send(_request: unknown, handler: ExchangeHandler) {
    this.handler = handler;
    return { pause() {}, resume() {}, abort() {} };
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}

const REQUEST = { method: 'POST', path: '/', headers: {}, body: null } as const;

/** The sink's calls for a 200 whose body arrives in these pieces. */
function hear(pieces: readonly Buffer[], type = 'text/event-stream'): RecordingSink {
  const client = new HandClient();
  const sink = new RecordingSink();
  const streamed = type === 'text/event-stream';
  runExchange(client, REQUEST, { streamed, sink, secret: null, translator: new OpenAiAnswer(null) });
  client.handler?.start(200, { 'content-type': type });
  for (const piece of pieces) client.handler?.data(piece);
  client.handler?.end();
  return sink;
}

function parsed(sink: RecordingSink): readonly unknown[] {
  return sink.texts.map((text) => JSON.parse(text) as unknown);
}

function meterOf(sink: RecordingSink): StreamMeter {
  const meter = new StreamMeter(1);
  for (const payload of sink.payloads) meter.add(inspectChunk(payload));
  return meter;
}

test('every recorded stream says what it was modelled on, and what it has used', () => {
  expect([...STREAMS.keys()].toSorted()).toEqual(Object.keys(USAGE).toSorted());
  for (const stream of STREAMS.values()) expect(stream).toMatch(/^: Modelled on .*20\d\d/s);
});

describe.each([...STREAMS])('the stream of %s', (name, stream) => {
  test('a recorded stream passes as it is, and is understood to its end', () => {
    const sink = hear([Buffer.from(stream)]);
    expect(sink.texts).toEqual(dataOf(stream).slice(0, -1));
    expect(sink.endings).toEqual([{ kind: 'end', done: true }]);
    const meter = meterOf(sink);
    expect(meter.isWhole).toBe(true);
    expect(meter.usage).toEqual({ ...NOTHING, ...USAGE[name] });
  });

  test('a recorded stream is the same to OpenAI’s own client when it has passed', async () => {
    const bytes = [...hear([Buffer.from(stream)]).payloads.map(encodeEvent), DONE_EVENT].join('');
    const passed = Buffer.from(bytes, 'latin1').toString();
    const chunks = await readByClient(stream);
    expect(chunks).toHaveLength(payloadsOf(stream).length);
    expect(await readByClient(passed)).toEqual(chunks);
  });
});

/** The result of OpenAI's SDK for a stream. */
async function readByClient(stream: string): Promise<readonly OpenAI.ChatCompletionChunk[]> {
  const response = () => new Response(stream, { headers: { 'content-type': 'text/event-stream' } });
  const client = new OpenAI({ apiKey: 'none', fetch: () => Promise.resolve(response()) });
  return Array.fromAsync(await client.chat.completions.create({ model: 'm', messages: [], stream: true }));
}

test('xAI’s own cost is what our classes cost at its prices', () => {
  // grok-3-mini: 0.30, 0.075 and 0.50 USD per million tokens; a tick is a ten-billionth of a dollar.
  const { input, cached_input: cached, output } = { ...NOTHING, ...USAGE['xai'] };
  expect(STREAMS.get('xai')).toContain(`"cost_in_usd_ticks":${input * 3_000 + cached * 750 + output * 5_000}`);
});

interface Framing {
  readonly lineEnd: string;
  readonly space: string;
  readonly before: readonly string[];
  readonly spread: boolean;
}

const framing: fc.Arbitrary<Framing> = fc.record({
  lineEnd: fc.constantFrom('\n', '\r\n', '\r'),
  space: fc.constantFrom(' ', ''),
  before: fc.array(fc.constantFrom(': ping', ':', 'event: message', 'id: 7', 'retry: 10', '', 'unknown'), {
    maxLength: 3,
  }),
  /** Over several lines, as a server sends that prints its JSON for people. */
  spread: fc.boolean(),
});

function frame(payload: unknown, { lineEnd, space, before, spread }: Framing): string {
  const text = payload === '[DONE]' ? payload : JSON.stringify(payload, null, spread ? 1 : 0);
  const lines = [...before, ...text.split('\n').map((line) => `data:${space}${line}`)];
  return [...lines, '', ''].join(lineEnd);
}

/** The bytes in pieces, cut at places that are given as shares of the whole; without any, byte by byte. */
function cut(bytes: Buffer, cuts: readonly number[]): readonly Buffer[] {
  if (cuts.length === 0) return [...bytes].map((byte) => Buffer.from([byte]));
  const places = [0, ...cuts.map((share) => Math.floor(share * bytes.length)).toSorted((a, b) => a - b), bytes.length];
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
}

const share = fc.double({ min: 0, max: 1, noNaN: true });

test('any framing in any pieces, with or without an announced end and whatever follows it, gives the same', () => {
  const quirks = fc.record({
    name: fc.constantFrom(...STREAMS.keys()),
    framings: fc.array(framing, { minLength: 1, maxLength: 8 }),
    bom: fc.boolean(),
    ending: fc.constantFrom('announced', 'followed', 'open', 'cut short'),
    rest: fc.string({ unit: 'binary' }),
    cuts: fc.array(share, { maxLength: 20 }),
  });
  fc.assert(
    fc.property(quirks, ({ name, framings, bom, ending, rest, cuts }) => {
      const payloads = payloadsOf(STREAMS.get(name) ?? '');
      const isAnnounced = ending === 'announced' || ending === 'followed';
      const events = [...payloads, ...(isAnnounced ? ['[DONE]'] : [])].map((payload, index) =>
        frame(payload, framings[index % framings.length] as Framing),
      );
      const whole = `${bom ? '\uFEFF' : ''}${events.join('')}`;
      // The blank line after the last event is missing; the event still counts, because it is complete.
      const text = ending === 'cut short' ? whole.replace(/[\r\n]+$/, '') : whole;
      const sink = hear(cut(Buffer.from(ending === 'followed' ? text + rest : text), cuts));
      expect(parsed(sink)).toEqual(payloads);
      expect(sink.endings).toEqual([{ kind: 'end', done: isAnnounced }]);
      expect(meterOf(sink).usage).toEqual({ ...NOTHING, ...USAGE[name] });
    }),
    { numRuns: 300 },
  );
});

test('an event of many megabytes in many pieces is one event', () => {
  const chunk = { choices: [{ index: 0, delta: { content: 'é👋'.repeat(1_000_000) } }] };
  const bytes = Buffer.from(`data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`);
  const pieces = Array.from({ length: Math.ceil(bytes.length / 16_381) }, (_, at) =>
    bytes.subarray(at * 16_381, (at + 1) * 16_381),
  );
  const sink = hear(pieces);
  expect(sink.payloads.map((payload) => payload.length)).toEqual([bytes.length - 6 - 2 - 14]);
  expect(meterOf(sink).contentBytes).toBe(6_000_000);
});

test('blank lines before a plain answer, as DeepSeek sends them while it thinks, are none of it', () => {
  const answer = {
    id: 'd',
    choices: [{ index: 0, message: { role: 'assistant', content: 'Grüße 👋' }, finish_reason: 'stop' }],
    usage: { prompt_tokens: 5, completion_tokens: 3, total_tokens: 8 },
  };
  fc.assert(
    fc.property(fc.nat(5), fc.array(share, { maxLength: 8 }), (blankLines, cuts) => {
      const bytes = Buffer.from('\n'.repeat(blankLines) + JSON.stringify(answer));
      const { endings } = hear(cut(bytes, cuts), 'application/json');
      const [ending] = endings;
      expect(ending?.kind === 'answer' && JSON.parse(ending.body.toString())).toEqual(answer);
    }),
  );
});

describe('over the network, compressed though it was not asked for', () => {
  const encoders = {
    gzip: gzipSync,
    deflate: deflateSync,
    'raw deflate': deflateRawSync,
    br: brotliCompressSync,
    zstd: zstdCompressSync,
  } as const;

  let server: ScriptedUpstream;
  let client: HttpClient;

  beforeAll(async () => {
    server = await startScriptedUpstream((response, { headers, path }) => {
      const encode = encoders[headers['x-encoder'] as keyof typeof encoders];
      const body = encode(Buffer.from(STREAMS.get(path.slice(1)) ?? ''));
      const encoding = String(headers['x-encoder']).replace('raw ', '');
      response.writeHead(200, { 'content-type': 'text/event-stream', 'content-encoding': encoding });
      for (const piece of cut(body, [0.1, 0.3, 0.35, 0.8])) response.write(piece);
      response.end();
    });
    client = createHttpClient(
      server.origin,
      { connectMs: 1_000, firstByteMs: 10_000, idleMs: 10_000, keepAliveMs: 60_000 },
      DIRECT,
    );
  });

  afterAll(async () => {
    await client.close();
    await server.stop();
  });

  test.each(Object.keys(encoders))(
    'a recorded stream is decoded that comes compressed, though nobody asked for it: %s',
    async (encoder) => {
      for (const [name, stream] of STREAMS) {
        const sink = new RecordingSink();
        const request = { ...REQUEST, path: `/${name}`, headers: { 'x-encoder': encoder } };
        runExchange(client, request, { streamed: true, sink, secret: null, translator: new OpenAiAnswer(null) });
        expect(await sink.ended()).toEqual({ kind: 'end', done: true });
        expect(parsed(sink)).toEqual(payloadsOf(stream));
      }
    },
  );
});
