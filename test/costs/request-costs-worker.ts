import { parentPort, workerData } from 'node:worker_threads';
import { readChatRequest } from '../../src/gate/openai/chat-request.ts';
import { readMessagesRequest } from '../../src/gate/dialects/messages/messages-request.ts';
import { readResponsesRequest } from '../../src/gate/dialects/responses/responses-request.ts';
import { readEmbeddingsRequest } from '../../src/gate/dialects/embeddings/embeddings-request.ts';
import { readModerationsRequest } from '../../src/gate/dialects/moderations/moderations-request.ts';
import { readRerankRequest } from '../../src/gate/dialects/rerank/rerank-request.ts';
import { readModelRequest } from '../../src/gate/openai/model-request.ts';
import { LISTS, MEMBERS, PLACES } from './body-shapes.ts';
import { computedMs, slowness } from './computing.ts';

// Reads bodies of all shapes as the program does it, and reports those that take too long. In a thread of its own, for
// the test runner rewrites imports, and with them the pace of code that is small.

const MEGABYTE = 1_000_000;
const BODY_BYTES_MAX = 32 * 2 ** 20;
const PLACED_BYTES = 3 * MEGABYTE;
const MS_PER_MEGABYTE = 5;
const PIECE_MS_MAX = 50;
const ATTEMPTS = 10;
/** Reading more takes so long that no clock is too coarse for a few times. */
const LARGE_BYTES = 16 * MEGABYTE;

/** What to read again, in a thread that the engine has not yet made quick for other shapes; null: everything. */
const again = workerData as readonly Finding[] | null;

export interface Finding {
  readonly reader: string;
  readonly what: string;
  readonly took: string;
}

const READERS = {
  chat: readChatRequest,
  embeddings: readEmbeddingsRequest,
  model: readModelRequest,
  messages: readMessagesRequest,
  responses: readResponsesRequest,
  rerank: readRerankRequest,
  moderations: readModerationsRequest,
};
type Reader = keyof typeof READERS;

/** After so many shapes the pace of the machine is measured again. */
const SHAPES_AT_A_PACE = 16;

let shapes = 0;
let pace = 1;

/** What takes too long in these bodies. */
function findDear(what: string, textOf: () => string, all: readonly Reader[]): Finding[] {
  const readers =
    again === null ? all : all.filter((reader) => again.some((each) => each.what === what && each.reader === reader));
  if (readers.length === 0) return [];
  if (shapes++ % SHAPES_AT_A_PACE === 0) pace = slowness();
  const text = textOf();
  const body = Buffer.from(text);
  const responsesBody = text.includes('"input":') ? body : Buffer.from(text.replace('"messages":', '"input":'));
  const most = Math.min(PIECE_MS_MAX, (MS_PER_MEGABYTE * body.length) / MEGABYTE);
  const times = body.length > LARGE_BYTES ? 2 : 8;
  return readers.flatMap((reader) => {
    const read = (): unknown => READERS[reader](reader === 'responses' ? responsesBody : body);
    if (computedMs(read, 1) < most * pace) return [];
    // What shares the processor may come and go between two measures, so a reader is dear only if it always is.
    let finding: Finding = { reader, what, took: '' };
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const tookMs = computedMs(read, times);
      pace = slowness();
      if (tookMs < most * pace) return [];
      const took = `${tookMs.toFixed(1)} ms of ${most.toFixed(1)} ms, at ${pace.toFixed(2)} of the time expected`;
      finding = { reader, what, took };
    }
    return [finding];
  });
}

const dear: Finding[] = [];
for (const [what, filler] of Object.entries(MEMBERS)) {
  const textOf = (): string => PLACES['a part']?.(filler(BODY_BYTES_MAX - 200)) ?? '';
  dear.push(...findDear(`32 MiB of ${what} in a part`, textOf, ['chat', 'messages', 'responses']));
}
for (const [what, filler] of Object.entries(LISTS)) {
  dear.push(
    ...findDear(`32 MiB of ${what}`, () => filler(BODY_BYTES_MAX - 2_000), [
      'chat',
      'embeddings',
      'messages',
      'responses',
      'rerank',
      'moderations',
    ]),
  );
}
for (const [what, filler] of Object.entries(MEMBERS)) {
  const members = filler(PLACED_BYTES);
  for (const [where, place] of Object.entries(PLACES)) {
    dear.push(
      ...findDear(
        `3 MB of ${what} in ${where}`,
        () => place(members),
        where === 'the body'
          ? ['chat', 'embeddings', 'model', 'messages', 'responses', 'rerank', 'moderations']
          : ['chat', 'messages', 'responses'],
      ),
    );
  }
}
parentPort?.postMessage(dear, []);
