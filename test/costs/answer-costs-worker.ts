import { parentPort } from 'node:worker_threads';
import { convertEmbeddingsInPieces } from '../../src/gate/dialects/embeddings/embeddings-answer.ts';
import { inspectChunk } from '../../src/gate/openai/chat-chunk.ts';
import { AnthropicAnswer } from '../../src/gate/upstreams/anthropic/anthropic-answer.ts';
import type { AnswerTranslator } from '../../src/gate/upstreams/answer-translator.ts';
import { readEmbeddings } from '../../src/gate/upstreams/gemini/embeddings.ts';
import { EMBEDDINGS_LIMITS, GeminiAnswer } from '../../src/gate/upstreams/gemini/gemini-answer.ts';
import { readPlainAnswer } from '../../src/gate/upstreams/gemini/plain-answer.ts';
import { OpenAiAnswer, RerankAnswer } from '../../src/gate/upstreams/openai/openai-answer.ts';
import { hear } from '../support/spoken-answer.ts';
import { MEMBERS } from './body-shapes.ts';
import { longestPiece, slowness } from './computing.ts';

// Lets providers of each kind answer with as much as they may, of every shape, and reports what takes too long in one piece
// of the event loop.

const MEGABYTE = 1_000_000;
const PIECE_MS_MAX = 50;
const CHUNK_BYTES = 65_536;

const context = { choices: 1, parallelCalls: true, upstreamModel: 'm', requestId: 'r', askedAtMs: 0 };

/** What each kind makes of an answer's members, and how much of them may come. */
const KINDS: Readonly<
  Record<string, { make: () => AnswerTranslator; bytes: number; wrap: (members: string) => string }>
> = {
  openai: {
    make: () => new OpenAiAnswer(null),
    bytes: 30 * MEGABYTE,
    wrap: (members) => `{"choices":[{"message":{"content":"a"}}],${members}}`,
  },
  'openai, in a message': {
    make: () => new OpenAiAnswer(null),
    bytes: 30 * MEGABYTE,
    wrap: (members) => `{"choices":[{"message":{"content":"a",${members.replace('"x":', '"arguments":')}}}]}`,
  },
  'openai, in audio': {
    make: () => new OpenAiAnswer(null),
    bytes: 30 * MEGABYTE,
    wrap: (members) => `{"choices":[{"message":{"content":null,"audio":{${members.replace('"x":', '"data":')}}}}]}`,
  },
  'openai, in usage': {
    make: () => new OpenAiAnswer(null),
    bytes: 30 * MEGABYTE,
    wrap: (members) => `{"choices":[{"message":{"content":"a"}}],"usage":{${members}},"timings":{}}`,
  },
  'openai, in an error': {
    make: () => new OpenAiAnswer(null),
    bytes: 30 * MEGABYTE,
    wrap: (members) => `{"error":{${members}}}`,
  },
  anthropic: {
    make: () => new AnthropicAnswer(null, 0),
    bytes: 2 * MEGABYTE,
    wrap: (members) =>
      `{"content":[{"type":"tool_use","id":"i","name":"n","input":{${members}}}],"stop_reason":"end_turn"}`,
  },
  gemini: {
    make: () => new GeminiAnswer(context, (view, status) => readPlainAnswer(view, status, context), null),
    bytes: 3 * MEGABYTE,
    wrap: (members) =>
      `{"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":{${members}}}}]},"finishReason":"STOP"}]}`,
  },
  'gemini, embeddings': {
    make: () => new GeminiAnswer(context, (view, status) => readEmbeddings(view, status, 'm'), null, EMBEDDINGS_LIMITS),
    bytes: 8 * MEGABYTE,
    wrap: (members) => `{"embeddings":[{"values":[${members.slice(members.indexOf(':') + 1)}]}]}`,
  },
};

/** Shapes that cost much for their bytes, of each sort one. */
const SHAPES = [
  'short names',
  'a long text of line feeds',
  'a long text of code units',
  'short numbers',
  'long numbers',
  'texts of 20 bytes',
];

const dear: string[] = [];

async function expectCheap(what: string, start: () => () => boolean): Promise<void> {
  for (let tries = 0; tries < 4; tries++) {
    const isOver = start();
    const tookMs = await longestPiece(isOver);
    if (tookMs < PIECE_MS_MAX) return;
    const pace = slowness();
    if (tookMs < PIECE_MS_MAX * pace) return;
    if (tries === 3) dear.push(`${what} takes ${tookMs.toFixed(1)} ms, at ${pace.toFixed(2)} of the time expected`);
  }
}

for (const shape of SHAPES) {
  for (const [kind, { make, bytes, wrap }] of Object.entries(KINDS)) {
    const body = Buffer.from(wrap(MEMBERS[shape]?.(bytes - 1_000) ?? ''));
    const pieces = Array.from({ length: Math.ceil(body.length / CHUNK_BYTES) }, (_, index) =>
      body.subarray(index * CHUNK_BYTES, (index + 1) * CHUNK_BYTES),
    );
    await expectCheap(`${shape} from ${kind}`, () => {
      const sink = hear(make(), false, { status: 200, contentType: 'application/json', pieces });
      return () => sink.endings.length > 0;
    });
  }
  const event = Buffer.from(`{"choices":[{"delta":{"content":"a"}}],${MEMBERS[shape]?.(15 * MEGABYTE) ?? ''}}`);
  await expectCheap(`an event with ${shape}`, () => {
    setImmediate(() => {
      const framed = Buffer.concat([Buffer.from('data: '), event, Buffer.from('\n\n')]);
      const sink = hear(new OpenAiAnswer(null), true, {
        status: 200,
        contentType: 'text/event-stream',
        pieces: [framed],
      });
      for (const payload of sink.payloads) inspectChunk(payload);
    });
    let turns = 0;
    return () => turns++ > 2;
  });
}

// 100 vectors of 3,072 numbers, which is the most that Gemini's models give.
const batch = Buffer.from(
  JSON.stringify({ embeddings: Array.from({ length: 100 }, () => ({ values: Array(3_072).fill(-0.012345678901) })) }),
);
await expectCheap('100 long vectors from gemini', () => {
  const { make } = KINDS['gemini, embeddings'] as (typeof KINDS)[string];
  const sink = hear(make(), false, { status: 200, contentType: 'application/json', pieces: [batch] });
  return () => sink.endings.length > 0;
});

const vector = `{"embedding":[${Array.from({ length: 1_536 }, () => '-0.0123456789').join(',')}]}`;
const vectors = Buffer.from(
  `{"data":[${Array.from({ length: 2_048 }, () => vector).join(',')}],"usage":{"prompt_tokens":1}}`,
);
await expectCheap('2,048 vectors as base64', () => {
  let isOver = false;
  convertEmbeddingsInPieces(vectors, 'base64').then(
    () => (isOver = true),
    () => (isOver = true),
  );
  return () => isOver;
});

const result = '{"index":0,"relevance_score":0.5}';
const results = Buffer.from(`{"results":[${result}${`,${result}`.repeat((30 * MEGABYTE) / result.length)}]}`);
await expectCheap('30 MB of short results', () => {
  const sink = hear(new RerankAnswer(null), false, { status: 200, contentType: 'application/json', pieces: [results] });
  return () => sink.endings.length > 0;
});
parentPort?.postMessage(dear, []);
