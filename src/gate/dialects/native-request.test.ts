import fc from 'fast-check';
import { expect, test } from 'vitest';
import { EMBEDDINGS_DIALECT } from './embeddings/embeddings-dialect.ts';
import { RERANK_DIALECT } from './rerank/rerank-dialect.ts';

/** The request's body as a provider is sent it that calls its model by this name, or is asked to count it. */
function sent(dialect: typeof RERANK_DIALECT, body: Buffer, upstreamModel: string): readonly Buffer[] {
  const result = dialect.read(body, {});
  if (!result.ok) throw new Error(result.fault.message);
  const { native } = result.request;
  const pieces = native?.body({ upstreamModel, cap: 0, reasoning: false }) ?? [];
  expect(native?.countBody(upstreamModel).map(String)).toEqual(pieces.map(String));
  return pieces;
}

test('of a request that is sent as it is, only the model’s name is edited', () => {
  const body = Buffer.from('{ "input":["a"], "model":"m" , "user":"u"}');
  expect(Buffer.concat(sent(EMBEDDINGS_DIALECT, body, 'n')).toString()).toBe(
    '{ "input":["a"], "model":"n" , "user":"u"}',
  );
  expect(sent(EMBEDDINGS_DIALECT, body, 'm')[0]).toBe(body);
});

test('whatever a rerank request has, a provider gets the same but for the model’s name', () => {
  const text = fc.string({ unit: 'grapheme', minLength: 1 });
  const document = fc.oneof(fc.string({ unit: 'grapheme' }), fc.record({ text: fc.string({ unit: 'grapheme' }) }));
  const fields = fc.record(
    {
      query: text,
      documents: fc.array(document, { minLength: 1 }),
      top_n: fc.option(fc.nat()),
      return_documents: fc.option(fc.boolean()),
      metadata: fc.jsonValue(),
    },
    { requiredKeys: ['query', 'documents'] },
  );
  fc.assert(
    fc.property(fields, text, (rest, upstreamModel) => {
      const written = sent(RERANK_DIALECT, Buffer.from(JSON.stringify({ model: 'm', ...rest })), upstreamModel);
      expect(Buffer.concat(written).toString()).toBe(JSON.stringify({ model: upstreamModel, ...rest }));
    }),
  );
});
