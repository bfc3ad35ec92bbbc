import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { mergeEntries } from './merge-entries.ts';
import { entriesText, type ModelEntry } from './model-entries.ts';

const NEW: ModelEntry = {
  id: 'new',
  routes: [{ provider: 'openai', model: 'gpt' }],
  price: { input: '1.25', output: '10.00' },
  context_window: 400_000,
  max_output: 128_000,
};
const NEW_TEXT = `  - id: new
    routes:
      - provider: openai
        model: gpt
    price:
      input: "1.25"
      output: "10.00"
    context_window: 400000
    max_output: 128000
`;

const FILE = `# All that we sell.
server: {port: 80}   # public

models:
  # The small one.
  - id: small
    routes: [{ provider: home, model: m }]
    price:
      input: "0.30"   # with our markup
      audio_input: "9"
      output: "2.00"
    context_window: 9000  # measured
    max_output: 99
    media: { image_tokens: 5 }
    # that was it

  - { id: flow, routes: [{ provider: home, model: f }], price: { input: "1" }, context_window: 1, max_output: 1 } # short

# The rest.
log_level: warn
`;

function entry(id: string, price: ModelEntry['price'], more: Partial<ModelEntry> = {}): ModelEntry {
  return { ...NEW, id, price, ...more };
}

test('an entry that is new follows the last model, and nothing else changes', () => {
  const { text, ...outcome } = mergeEntries(FILE, [NEW]);
  expect(outcome).toEqual({ added: ['new'], updated: [], unchanged: [], untouched: [] });
  expect(text).toBe(FILE.replace(' # short\n', ` # short\n${NEW_TEXT}`));
});

test('a model that is there gets price and limits, and keeps its routes and what is written about it', () => {
  const price = { input: '0.25', cached_input: '0.03', output: '2.00', tiers: [{ above_input_tokens: 9, input: '1' }] };
  const { text, ...outcome } = mergeEntries(FILE, [entry('small', price)]);
  expect(outcome).toEqual({ added: [], updated: ['small'], unchanged: [], untouched: [] });
  expect(parse(text)).toEqual({
    ...parse(FILE),
    models: [{ ...parse(FILE).models[0], price, context_window: 400_000, max_output: 128_000 }, parse(FILE).models[1]],
  });
  const comments = FILE.match(/#.*/g) ?? [];
  expect(text.match(/#.*/g)).toEqual(comments);
  const [head, tail] = [FILE.indexOf('  - id: small'), FILE.indexOf('  - { id: flow')];
  expect(text.startsWith(FILE.slice(0, head)) && text.endsWith(FILE.slice(tail))).toBe(true);
});

test('a model in braces stays in them', () => {
  const { text } = mergeEntries(FILE, [entry('flow', { input: '2.00', output: '3.00' })]);
  expect(text.split('\n')).toContain(
    '  - { id: flow, routes: [ { provider: home, model: f } ], price: { input: "2.00", output: "3.00" }, context_window: 400000, max_output: 128000 } # short',
  );
});

test('what is there already changes not a byte', () => {
  const once = mergeEntries(FILE, [NEW, entry('small', { input: '9' })]).text;
  expect(mergeEntries(once, [NEW, entry('small', { input: '9' })])).toEqual({
    text: once,
    added: [],
    updated: [],
    unchanged: ['new', 'small'],
    untouched: [],
  });
});

test.each([
  ['', `models:\n${NEW_TEXT}`],
  ['log_level: warn', `log_level: warn\nmodels:\n${NEW_TEXT}`],
  ['# none\n', `# none\nmodels:\n${NEW_TEXT}`],
  ['models:\nlog_level: warn\n', `models:\n${NEW_TEXT}log_level: warn\n`],
  ['models: # none\n# yet\nlog_level: warn\n', `models: # none\n${NEW_TEXT}# yet\nlog_level: warn\n`],
  ['models: [] # none\n', `models:  # none\n${NEW_TEXT}`],
  ['models: []', `models: \n${NEW_TEXT}`],
])('a file without models gets its first: %j', (before, after) => {
  expect(mergeEntries(before, [NEW]).text).toBe(after);
});

test.each([
  ['a list that is not indented', 'models:\n- id: a\n  price: { input: "1" }\nx: 1\n'],
  ['a list in brackets', 'models: [{ id: a, price: { input: "1" } }]\n'],
  ['a last line that is open', 'models:\n    - id: a\n      price: { input: "1" }'],
])('a model is added to %s', (_, before) => {
  const { text } = mergeEntries(before, [NEW]);
  expect(parse(text)).toEqual({ ...parse(before), models: [...parse(before).models, NEW] });
});

test('what can not be changed from here is left as it is, and said', () => {
  const anchored = 'models:\n  - id: a\n    price: &p { input: "1" }\n  - { id: b, price: *p }\n';
  const changed = [entry('a', { input: '2.00' }), entry('b', { input: '2.00' })];
  expect(mergeEntries(anchored, changed)).toMatchObject({ text: anchored, untouched: ['a', 'b'] });
  expect(mergeEntries('{ models: [] }', [NEW])).toMatchObject({ text: '{ models: [] }', untouched: ['new'] });
});

test('a model that is sold at a mark-up gets its price as the cost of the route, and stays at its mark-up', () => {
  const text =
    'models:\n  - id: new\n    routes: [{ provider: openai, model: gpt, cost: { input: "9" } }]\n    markup: 10%\n';
  const merged = mergeEntries(text, [NEW]);
  expect(parse(merged.text).models).toEqual([
    {
      id: 'new',
      routes: [{ provider: 'openai', model: 'gpt', cost: NEW.price }],
      markup: '10%',
      context_window: 400_000,
      max_output: 128_000,
    },
  ]);
  const elsewhere = text.replace('openai', 'azure');
  expect(mergeEntries(elsewhere, [NEW])).toMatchObject({ text: elsewhere, untouched: ['new'] });
});

test('entries alone are a file of their own', () => {
  expect(entriesText([NEW])).toBe(`models:\n${NEW_TEXT}`);
});

const anyPrice = fc.record(
  {
    input: fc.constantFrom('1.00', '2.50'),
    cached_input: fc.constantFrom('0.10', '0.20'),
    output: fc.constant('3.00'),
  },
  { requiredKeys: ['input', 'output'] },
);
const anyEntries = fc
  .uniqueArray(fc.tuple(fc.constantFrom('a', 'b', 'c', 'd'), anyPrice), { selector: ([id]) => id })
  .map((entries) => entries.map(([id, price]) => entry(id, price)));

test('whatever was there, each entry is in the file afterwards, once, and every comment still is', () => {
  const anyFile = fc.tuple(anyEntries, fc.boolean(), fc.boolean()).map(([entries, indent, flow]) => {
    const items = entries.map((each) => {
      const text = flow
        ? `- ${JSON.stringify(each)}`
        : entriesText([each]).split('\n').slice(1, -1).join('\n').replace(/^ {2}/gm, '');
      return `# about ${each.id}\n${text} # after ${each.id}\n`;
    });
    const list = items.join('').replace(/^(?=.)/gm, indent ? '  ' : '');
    return { entries, text: `# first\nmodels:${items.length === 0 ? ' []' : ''}\n${list}# last\nx: 1\n` };
  });
  fc.assert(
    fc.property(anyFile, anyEntries, ({ entries, text }, more) => {
      const merged = mergeEntries(text, more);
      const models = new Map([...entries, ...more].map((each) => [each.id, each]));
      expect(parse(merged.text)).toEqual({ models: [...models.values()], x: 1 });
      expect((merged.text.match(/#.*/g) ?? []).toSorted()).toEqual((text.match(/#.*/g) ?? []).toSorted());
      expect(mergeEntries(merged.text, more).text).toBe(merged.text);
    }),
  );
});
