import fc from 'fast-check';
import { expect, test } from 'vitest';
import { passInPieces } from '../../openai/json-pieces.ts';
import { readRerankAnswer } from './rerank-answer.ts';

const RESULTS = [
  { index: 3, relevance_score: 0.98 },
  { index: 0, relevance_score: -1.5e-3 },
];
const DOCUMENT = { document: { text: 'a' } };
const bytesOf = (answer: unknown): Buffer => Buffer.from(JSON.stringify(answer));
const NONE = { cached_input: 0, cache_write_5m: 0, cache_write_1h: 0, audio_input: 0, output: 0, audio_output: 0 };

test.each([
  ['Cohere', { id: 'x', results: RESULTS, meta: { billed_units: { search_units: 3 } } }, null, 3],
  [
    'Jina',
    { model: 'j', object: 'list', usage: { total_tokens: 815, prompt_tokens: 815 }, results: RESULTS },
    815,
    undefined,
  ],
  [
    'vLLM',
    { id: 'r', model: 'v', usage: { total_tokens: 56 }, results: RESULTS.map((each) => ({ ...each, ...DOCUMENT })) },
    56,
    undefined,
  ],
  [
    'a server that counts in the total alone',
    { results: RESULTS, usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 9 } },
    9,
    undefined,
  ],
])('an answer of %s is read for what it counts', (_who, answer, input, requests) => {
  const facts = readRerankAnswer(bytesOf(answer));
  expect(facts).toMatchObject({ valid: true, error: null, choices: 0, contentBytes: 0 });
  expect(facts.usage).toEqual(input === null ? null : { input, ...NONE });
  expect(facts.requests).toBe(requests);
});

test.each([
  '',
  'null',
  '[]',
  '{}',
  '"results"',
  '{"results":null}',
  '{"results":{}}',
  '{"results":[]}',
  '{"results":[null]}',
  '{"results":[[0,1]]}',
  '{"results":[{"index":0}]}',
  '{"results":[{"relevance_score":1}]}',
  '{"results":[{"index":"0","relevance_score":1}]}',
  '{"results":[{"index":-1,"relevance_score":1}]}',
  '{"results":[{"index":0.5,"relevance_score":1}]}',
  '{"results":[{"index":0,"relevance_score":null}]}',
  '{"results":[{"index":0,"relevance_score":"1"}]}',
  '{"results":[{"index":00,"relevance_score":1}]}',
  '{"results":[{"index":1e1,"relevance_score":1}]}',
  '{"results":[{"index":0,"relevance_score":NaN}]}',
  '{"results":[{"index":0,"relevance_score":1},{"index":1}]}',
  '{"results":[{"index":0,"relevance_score":1}],"results":7}',
  '{"results":[{"index":0,"relevance_score":1}]',
  '{"results":[{"index":0,"relevance_score":1}]}}',
  '{"data":[{"index":0,"relevance_score":1}]}',
  '{"message":"invalid api token"}',
])('what ranks no document is no answer: %s', (text) => {
  expect(readRerankAnswer(Buffer.from(text))).toEqual({
    valid: false,
    error: null,
    usage: null,
    choices: 0,
    contentBytes: 0,
  });
});

test.each([0, -1, 1.5, 10_001, 1e300, '3', null, [3], {}])(
  'a number of search units is ignored that can be none: %j',
  (units) => {
    const facts = readRerankAnswer(bytesOf({ results: RESULTS, meta: { billed_units: { search_units: units } } }));
    expect(facts).toMatchObject({ valid: true });
    expect(facts).not.toHaveProperty('requests');
  },
);

test.each([null, 7, 'x', [], { billed_units: null }, { billed_units: [1] }, { billed_units: {} }])(
  'a meta that says nothing of units counts nothing: %j',
  (meta) => {
    const facts = readRerankAnswer(bytesOf({ results: RESULTS, meta }));
    expect(facts).toMatchObject({ valid: true });
    expect(facts).not.toHaveProperty('requests');
  },
);

test.each([{ total_tokens: -5 }, { total_tokens: 1.5 }, { total_tokens: 1e12 }, 'many', { total_tokens: 0 }])(
  'a usage of %j reports nothing',
  (usage) => {
    expect(readRerankAnswer(bytesOf({ results: RESULTS, usage }))).toMatchObject({ valid: true, usage: null });
  },
);

test('a large answer, whose documents have been passed, is read the same', async () => {
  const results = RESULTS.map((each) => ({ ...each, document: { text: 'x'.repeat(400_000) } }));
  const answer = bytesOf({ results, usage: { total_tokens: 7 }, meta: { billed_units: { search_units: 2 } } });
  const passed = await passInPieces(answer);
  expect(passed).not.toBeNull();
  expect(readRerankAnswer(answer, passed)).toEqual(readRerankAnswer(answer));
  expect(readRerankAnswer(answer)).toMatchObject({ valid: true, requests: 2, usage: { input: 7 } });
});

test('no JSON makes the reader throw, and none is valid whose results are no list', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (results, usage, meta) => {
      const { valid } = readRerankAnswer(bytesOf({ results, usage, meta }));
      if (valid) expect(results).toBeInstanceOf(Array);
    }),
  );
});
