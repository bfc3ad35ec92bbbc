import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Gateway, MARKER, NANO_PER_INPUT } from './gateway.ts';
import { answering } from './upstream-scripts.ts';

// Vectors come in the form that was asked for, whichever the upstream speaks, and inputs of all four shapes are paid by
// what the upstream counts.

let gateway: Gateway;

beforeAll(async () => {
  gateway = await Gateway.start();
});

afterAll(() => gateway.stop());

function base64(vector: readonly number[]): string {
  return Buffer.from(new Float32Array(vector).buffer).toString('base64');
}

function answer(embeddings: readonly unknown[], usage?: object): object {
  const data = embeddings.map((embedding, index) => ({ object: 'embedding', index, embedding }));
  return { object: 'list', data, model: 'ada', ...(usage === undefined ? {} : { usage }) };
}

interface Embeddings {
  readonly data: readonly { readonly embedding: unknown; readonly index: number }[];
}

async function embed(fields: object): Promise<{ body: Embeddings; requestId: string }> {
  const response = await gateway.post('/v1/embeddings', JSON.stringify({ model: 'embed', input: MARKER, ...fields }));
  expect(response.status).toBe(200);
  return { body: (await response.json()) as Embeddings, requestId: response.headers.get('x-request-id') ?? '' };
}

const VECTOR = [0.25, -0.5, 1, 1.5e-3];
const ROUNDED = [...new Float32Array(VECTOR)];

test.each<[string, unknown, object, unknown]>([
  ['floats, asked as base64, become base64', VECTOR, { encoding_format: 'base64' }, base64(VECTOR)],
  ['base64, asked as base64, stays', base64(VECTOR), { encoding_format: 'base64' }, base64(VECTOR)],
  ['floats, asked as floats, stay', VECTOR, { encoding_format: 'float' }, VECTOR],
  ['floats, asked as nothing, stay', VECTOR, {}, VECTOR],
])('embeddings come in the form that was asked for: %s', async (_what, given, fields, expected) => {
  gateway.script(answering(200, answer([given, given], { prompt_tokens: 3, total_tokens: 3 })));
  const { body } = await embed(fields);
  expect(body.data.map(({ embedding }) => embedding)).toEqual([expected, expected]);
});

test.each([{ encoding_format: 'float' }, {}])('embeddings: base64, asked as %j, become floats', async (fields) => {
  gateway.script(answering(200, answer([base64(VECTOR)], { prompt_tokens: 3, total_tokens: 3 })));
  const { body } = await embed(fields);
  expect([...new Float32Array(body.data[0]?.embedding as number[])]).toEqual(ROUNDED);
});

test('embeddings: of any numbers survive the way there and back', async () => {
  const vectors = fc.array(fc.float({ noNaN: true, noDefaultInfinity: true }), { minLength: 1, maxLength: 50 });
  await fc.assert(
    fc.asyncProperty(vectors, async (vector) => {
      gateway.script(answering(200, answer([vector])));
      const asBase64 = (await embed({ encoding_format: 'base64' })).body.data[0]?.embedding;
      expect(asBase64).toBe(base64(JSON.parse(JSON.stringify(vector)) as number[]));
      gateway.script(answering(200, answer([base64(vector)])));
      const asFloats = (await embed({ encoding_format: 'float' })).body.data[0]?.embedding as number[];
      expect(asFloats.map((value) => Math.fround(value) + 0)).toEqual(vector.map((value) => Math.fround(value) + 0));
    }),
    { numRuns: 30 },
  );
});

test.each<[string, unknown]>([
  ['a text', 'hello'],
  ['texts', ['hello', 'žluťoučký']],
  ['tokens', [1, 2, 3]],
  ['lists of tokens', [[1, 2], [3]]],
])('embedded inputs of %s reach the upstream as they are, and are paid by what it counts', async (_what, input) => {
  gateway.script(answering(200, answer([VECTOR], { prompt_tokens: 3, total_tokens: 3 })));
  const { requestId } = await embed({ input });
  expect(JSON.parse(gateway.upstream.requests.at(-1)?.body.toString() ?? '')).toEqual({ model: 'ada', input });
  expect(await gateway.receipt(requestId)).toMatchObject({
    outcome: 'completed',
    certainty: 'exact',
    input: 3,
    output: 0,
    charge: 3n * NANO_PER_INPUT,
  });
});

test('embedded inputs that nobody counts are estimated, and marked', async () => {
  gateway.script(answering(200, answer([VECTOR])));
  const { requestId } = await embed({ input: 'x'.repeat(40) });
  expect(await gateway.receipt(requestId)).toMatchObject({ certainty: 'estimated', input: 10, output: 0 });
});

test('after all embeddings the ledger is whole, and no text has been printed', async () => {
  expect(await gateway.books()).toEqual({ ok: true, difference: 0n });
  expect(await gateway.log()).not.toContain(MARKER);
});
