import { embeddings, longChat, pictureChat, schemaChat, smallChat, smallMessage, smallResponse } from './bodies.ts';
import type { Load } from './measure.ts';

// Requests by the names that commands of the bench give them.

/** What a request asks, and how the mock upstream answers it. */
export type Shape = Pick<Load, 'behaviour' | 'endpoint' | 'body'>;

const KB = 1_024;
const CHAT = { behaviour: 'plain', endpoint: 'chat/completions' } as const;
const STREAM = { stream: true };

/** Requests of a dialect, to a provider that speaks it (`native-…`) and to one that is sent chat (`translated-…`). */
function shapesIn(endpoint: 'messages' | 'responses', bodyOf: typeof smallChat): Readonly<Record<string, Shape>> {
  const shape = (behaviour: string, rest = {}): Shape => ({ endpoint, behaviour, body: bodyOf(behaviour, rest) });
  return {
    [`native-${endpoint}`]: shape(`plain-${endpoint}`),
    [`native-${endpoint}-burst`]: shape(`burst-${endpoint}`, STREAM),
    [`translated-${endpoint}`]: shape('plain'),
    [`translated-${endpoint}-burst`]: shape('burst', STREAM),
  };
}

const SHAPES: Readonly<Record<string, Shape>> = {
  small: { ...CHAT, body: smallChat('plain') },
  'prompt-100k': { ...CHAT, body: longChat('plain', 100 * KB) },
  'prompt-1m': { ...CHAT, body: pictureChat('plain') },
  embeddings: { behaviour: 'embeddings', endpoint: 'embeddings', body: embeddings('embeddings') },
  stream: { ...CHAT, behaviour: 'stream', body: smallChat('stream', STREAM) },
  people: { ...CHAT, behaviour: 'people', body: smallChat('people', { max_tokens: 1_024 }) },
  schema: { ...CHAT, behaviour: 'people', body: schemaChat('people') },
  burst: { ...CHAT, behaviour: 'burst', body: smallChat('burst', STREAM) },
  ...shapesIn('messages', smallMessage),
  ...shapesIn('responses', smallResponse),
};

/** The request of that name. @throws if there is none */
export function shapeNamed(name: string): Shape {
  const shape = SHAPES[name];
  if (shape === undefined) throw new Error(`--load must be one of ${Object.keys(SHAPES).join(', ')}`);
  return shape;
}
