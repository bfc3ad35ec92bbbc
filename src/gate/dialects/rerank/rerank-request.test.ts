import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readRerankRequest, type RerankRequest } from './rerank-request.ts';

function read(text: string): RerankRequest {
  const reading = readRerankRequest(Buffer.from(text));
  if (!reading.ok) throw new Error(reading.fault.message);
  return reading.request;
}

test('the sizes of query and documents are those of the texts that they decode to', () => {
  const text = fc.string({ unit: 'grapheme' });
  const document = fc.oneof(text, fc.record({ text }));
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', minLength: 1 }),
      fc.array(document, { minLength: 1 }),
      (query, documents) => {
        const { querySize, documentSizes } = read(JSON.stringify({ model: 'm', query, documents }));
        const texts = documents.map((each) => (typeof each === 'string' ? each : each.text));
        expect([querySize, ...documentSizes]).toEqual([query, ...texts].map((each) => Buffer.byteLength(each)));
      },
    ),
  );
});

test('an instruction counts with the query, and null is none', () => {
  expect(read('{"model":"m","query":"abc","instruction":"de","documents":["f"]}').querySize).toBe(5);
  expect(read('{"model":"m","query":"abc","instruction":null,"documents":["f"]}').querySize).toBe(3);
});

test('a document that gives its text twice counts for both, whichever a server reads', () => {
  expect(read('{"model":"m","query":"q","documents":[{"text":"ab","text":"c"},""]}').documentSizes).toEqual([3, 0]);
});

const manyDocuments = JSON.stringify(Array.from({ length: 10_001 }, () => 'a'));
test.each([
  ['documents', '[]'],
  ['documents', 'null'],
  ['documents', '"a"'],
  ['documents', '{"0":"a"}'],
  ['documents', manyDocuments],
  ['documents[0]', '[null]'],
  ['documents[0]', '[["a"]]'],
  ['documents[1]', '["a",7]'],
  ['documents[1]', '["a",{}]'],
  ['documents[0].text', '[{"text":null}]'],
  ['documents[0].text', '[{"text":["a"]}]'],
  ['documents[1].text', '["a",{"Text":"b"}]'],
  ['documents[0].image', '[{"text":"a","image":"https://x/y.png"}]'],
  ['documents[2].multi_modal', '["a","b",{"multi_modal":[]}]'],
])('a rerank body is refused for %s where its documents are %.40s', (param, documents) => {
  const body = `{"model":"m","query":"q","documents":${documents}}`;
  expect(readRerankRequest(Buffer.from(body))).toMatchObject({ ok: false, fault: { param } });
});

test.each([
  ['{"query":"q","documents":["a"]}', 'model'],
  ['{"model":"m","documents":["a"]}', 'query'],
  ['{"model":"m","query":"q"}', 'documents'],
  ['{"model":"m","query":"","documents":["a"]}', 'query'],
  ['{"model":"m","query":null,"documents":["a"]}', 'query'],
  ['{"model":"m","query":{"text":"q"},"documents":["a"]}', 'query'],
  [`{"model":"m","query":"${'q'.repeat(65_537)}","documents":["a"]}`, 'query'],
  ['{"model":"m","query":"q","instruction":["i"],"documents":["a"]}', 'instruction'],
  ['{"model":"m","query":"q","documents":["a"],"top_n":-1}', 'top_n'],
  ['{"model":"m","query":"q","documents":["a"],"top_n":1.5}', 'top_n'],
  ['{"model":"m","query":"q","documents":["a"],"top_n":"1"}', 'top_n'],
  ['{"model":"m","query":"q","documents":["a"],"return_documents":"yes"}', 'return_documents'],
  ['{"model":"m","query":"q","documents":["a"],"max_tokens_per_doc":0}', 'max_tokens_per_doc'],
  ['{"model":"m","query":"q","documents":["a"],"overlap_tokens":80}', 'overlap_tokens'],
  ['{"model":"m","query":"q","documents":["a"],"models":["n"]}', 'models'],
  ['{"model":"m","query":"q","documents":["a"],"documents":["b"]}', 'documents'],
  ['{"model":"m","query":"q","documents":["a"],"Documents":["b"]}', 'documents'],
  ['{"model":"m","query":"q","documents":["a"', null],
  ['{"model":"m","query":"q","documents":["a\\ud8"]}', null],
  ['["m"]', null],
])('a rerank body is refused: %.80s', (text, param) => {
  expect(readRerankRequest(Buffer.from(text))).toMatchObject({ ok: false, fault: { param } });
});

test('fields and members of documents without a verdict are named, each once', () => {
  const documents = [{ text: 'a', title: 'x' }, 'b', { text: 'c', title: 'y', year: null }];
  const { unknown } = read(JSON.stringify({ model: 'm', query: 'q', documents, of_2030: 1, user: 'u' }));
  expect(unknown).toEqual([
    { name: 'documents.title', where: 'documents[0].title' },
    { name: 'of_2030', where: 'of_2030' },
  ]);
});

test('no bytes make the reader throw', () => {
  const start = '{"model":"m","query":"q","documents":';
  const bytes = fc.uint8Array({ maxLength: 40 });
  fc.assert(
    fc.property(fc.constantFrom('', '{', start, `${start}[`, `${start}[{"text":`), bytes, (before, rest) => {
      const reading = readRerankRequest(Buffer.concat([Buffer.from(before), rest]));
      if (!reading.ok) expect(reading.fault.message.length).toBeGreaterThan(0);
    }),
  );
});
