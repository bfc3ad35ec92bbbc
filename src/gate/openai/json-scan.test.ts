import fc from 'fast-check';
import { expect, test } from 'vitest';
import { MAX_DEPTH, NAME_COST, VALUE_COST } from './json-grammar.ts';
import { NameTable } from './json-names.ts';
import { isJson, JsonScan } from './json-scan.ts';

function isParsed(text: Buffer): boolean {
  try {
    JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(text));
    return true;
  } catch {
    return false;
  }
}

const VALID = [
  '0',
  '-0',
  '1.5e+10',
  '"a"',
  '""',
  'true',
  ' null\n',
  '[]',
  '{}',
  '[1,[2,{"a":[]}]]',
  '{"a":{"b":"c\\u00e9\\n"}}',
  '"\\ud800"',
  '{"a":1,"a":2}',
];
const INVALID = [
  '',
  ' ',
  '01',
  '-',
  '1.',
  '.5',
  '1e',
  '1e+',
  '+1',
  '0x1',
  'NaN',
  'Infinity',
  'tru',
  'nulll',
  'truefalse',
  '1 2',
  '"',
  '"\\',
  '"\\x"',
  '"\\u12g4"',
  '"\\u123',
  '"a\nb"',
  '"a\u0000"',
  "'a'",
  '\ufeff{}',
  '/**/1',
  '1//',
  '[',
  ']',
  '[1,]',
  '[,1]',
  '[1 2]',
  '{',
  '}',
  '{,}',
  '{"a"}',
  '{"a":}',
  '{"a":1,}',
  '{"a":1 "b":2}',
  '{a:1}',
  '{1:1}',
  '[}',
  '{]',
  '[1}',
  '{"a":1]',
];

const SYNTAX = '{}[]",:\\ \n0-.eu"tn';

test.each(VALID)('a scan takes %j, as JSON.parse does', (text) => {
  expect([isJson(Buffer.from(text)), isParsed(Buffer.from(text))]).toEqual([true, true]);
});

test.each(INVALID)('a scan refuses %j, as JSON.parse does', (text) => {
  expect([isJson(Buffer.from(text)), isParsed(Buffer.from(text))]).toEqual([false, false]);
});

test('a scan agrees with JSON.parse on mutated documents, skipped or walked', () => {
  const mutation = fc.tuple(fc.nat(), fc.constantFrom('', ...SYNTAX.split(''), '\u0001', 'é'), fc.nat(2));
  fc.assert(
    fc.property(fc.json(), fc.array(mutation, { maxLength: 3 }), (json, mutations) => {
      let text = json;
      for (const [place, inserted, removed] of mutations) {
        const at = place % (text.length + 1);
        text = text.slice(0, at) + inserted + text.slice(at + removed);
      }
      const bytes = Buffer.from(text);
      expect(isJson(bytes)).toBe(isParsed(bytes));
      expect(isWalked(bytes)).toBe(isParsed(bytes));
    }),
    { numRuns: 3000 },
  );
});

test('a scan agrees with JSON.parse on bytes that may not be UTF-8', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 12 }), (inner) => {
      const bytes = Buffer.concat([Buffer.from('"'), inner, Buffer.from('"')]);
      expect(isJson(bytes)).toBe(isParsed(bytes));
    }),
    { numRuns: 2000 },
  );
});

test('a scan sees every byte that ends a long string early, wherever it stands', () => {
  for (let at = 0; at < 300; at++) {
    for (const byte of [0x00, 0x1f, 0x22, 0x5c]) {
      const bytes = Buffer.from(`  "${'é'.repeat(75)}${'x'.repeat(150)}"`);
      const text = Buffer.concat([bytes.subarray(at % 3, 303), bytes.subarray(303)]);
      if (at + 3 >= text.length - 1) continue;
      text[at + 3] = byte;
      expect(isJson(text)).toBe(isParsed(text));
    }
  }
});

test('a scan knows whether a value is longer than so much, wherever that cuts it', () => {
  const json = fc.oneof(fc.json(), fc.constantFrom('"\\u00e9\\n"', '-12.5e10', '{"\\u00e9":[true,null]}'));
  fc.assert(
    fc.property(json, fc.nat(60), fc.constantFrom('', ' ', ',1]'), (text, limit, rest) => {
      const bytes = Buffer.from(`[${text}${rest}`);
      const scan = new JsonScan(bytes);
      scan.enterArray();
      scan.nextElement();
      expect(scan.exceeds(limit)).toBe(Buffer.byteLength(text) > limit);
      // The position is unchanged.
      scan.skip();
      expect([scan.at, scan.fault]).toEqual([1 + Buffer.byteLength(text), null]);
    }),
    { numRuns: 3000, examples: [[`"${'é'.repeat(9)}"`, 10, '']] },
  );
});

test('a scan parses a value of as many bytes as it may have, and takes a longer one for a fault', () => {
  const bytes = Buffer.from('"four"');
  expect(new JsonScan(bytes).parsed(bytes.length)).toBe('four');
  const scan = new JsonScan(bytes);
  expect([scan.parsed(bytes.length - 1), scan.fault?.message]).toEqual([null, 'a value is longer than any']);
});

test('a scan goes as deep as it says and no deeper, however it gets there', () => {
  const deep = (levels: number) => Buffer.from('['.repeat(levels) + ']'.repeat(levels));
  expect([isJson(deep(MAX_DEPTH)), isWalked(deep(MAX_DEPTH))]).toEqual([true, true]);
  expect([isJson(deep(MAX_DEPTH + 1)), isWalked(deep(MAX_DEPTH + 1))]).toEqual([false, false]);
  const scan = new JsonScan(deep(1_000_000));
  scan.skip();
  expect(scan.fault?.message).toBe('nested more than 256 levels deep');
});

test('a scan takes as much structure as it may and not a byte more, whatever its strings hold', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(2), (value, indent) => {
      const bytes = Buffer.from(JSON.stringify(value, null, indent));
      const isTaken = (structureMax: number): boolean => {
        const scan = new JsonScan(bytes, structureMax);
        scan.skip();
        return scan.finish();
      };
      const structure = structureOf(value, indent);
      expect([isTaken(structure), isTaken(structure - 1)]).toEqual([true, false]);
    }),
  );
});

test.each([
  ['white space', ' '.repeat(100_000)],
  ['digits', '1'.repeat(100_000)],
])('a scan takes no endless %s', (_what, run) => {
  expect([isJson(Buffer.from(`[${run.slice(-60_000)}1]`)), isJson(Buffer.from(`[${run}1]`))]).toEqual([true, false]);
});

test('a scan says where a document breaks, and quotes nothing of it', () => {
  const scan = new JsonScan(Buffer.from('{"a":1,"b":secret}'));
  scan.skip();
  expect(scan.fault).toEqual({ message: 'unexpected character at byte 11', offset: 11 });
});

test('a scan shows members as spans, keys decoded, every duplicate', () => {
  const text = Buffer.from('{ "mod\\u0065l" : "a" ,"model":[1, 2],"é":{"x":null}}');
  const scan = new JsonScan(text);
  const seen: [string, string][] = [];
  expect(scan.enterObject()).toBe(true);
  while (scan.nextMember()) {
    const key = scan.key();
    const start = scan.at;
    scan.skip();
    seen.push([key, text.toString('utf8', start, scan.at)]);
  }
  expect(scan.finish()).toBe(true);
  expect(seen).toEqual([
    ['model', '"a"'],
    ['model', '[1, 2]'],
    ['é', '{"x":null}'],
  ]);
});

test('a scan knows how many bytes a string decodes to, half a surrogate pair being three', () => {
  const unit = fc.oneof(fc.string({ unit: 'binary', maxLength: 3 }), fc.constantFrom('\ud83d', '\ude00', '\ud800'));
  fc.assert(
    fc.property(fc.array(unit), fc.nat(200), fc.boolean(), (units, before, escapes) => {
      const text = 'x'.repeat(before) + units.join('');
      const json = JSON.stringify(text);
      const scan = new JsonScan(Buffer.from(escapes ? escapeAll(json) : json));
      expect([scan.decodedBytes(), scan.fault]).toEqual([Buffer.byteLength(text), null]);
    }),
  );
});

test('a name table finds the names that a key is, in plain and in escapes', () => {
  const table = new NameTable(['model', 'n']);
  const scan = new JsonScan(Buffer.from('{"model":1,"\\u006e":1,"node":1,"models":1,"mode":1,"":1}'));
  const found: (string | undefined)[] = [];
  scan.enterObject();
  while (scan.nextMember()) {
    found.push(scan.keyIn(table));
    scan.skip();
  }
  expect(found).toEqual(['model', 'n', undefined, undefined, undefined, undefined]);
});

test.each([
  ['Stop', 'stop'],
  ['ſtop', 'stop'],
  ['max_to\u212Aens', 'max_tokens'],
  ['MAX_TOKENS', 'max_tokens'],
  ['max_completıon_tokens', 'max_completion_tokens'],
  ['max_completİon_tokens', 'max_completion_tokens'],
  ['meßages', 'messages'],
  ['meẞages', 'messages'],
  ['ｍａｘ＿ｔｏｋｅｎｓ', 'max_tokens'],
  ['oﬃce', 'office'],
  ['\u{1d426}essages', 'messages'],
  ['stop', undefined],
  ['stops', undefined],
  ['stöp', undefined],
  ['max\u007ftokens', undefined],
  ['s'.repeat(1_000), undefined],
])('a name table knows that some readers take the key %s for %s', (key, name) => {
  const table = new NameTable(['stop', 'max_tokens', 'max_completion_tokens', 'messages', 'office']);
  for (const written of [JSON.stringify(key), escapeAll(JSON.stringify(key))]) {
    const scan = new JsonScan(Buffer.from(`{${written}:1}`));
    scan.enterObject();
    scan.nextMember();
    expect(scan.lookalikeIn(table)).toBe(name);
  }
  expect(table.lookalike(key)).toBe(name);
});

test('a name table knows every key that lower case, upper case or folding makes a name', () => {
  const table = new NameTable(['abcdefghijklmnopqrstuvwxyz_0']);
  const name = 'abcdefghijklmnopqrstuvwxyz_0';
  for (let point = 0x80; point < 0x1_0000; point++) {
    const character = String.fromCharCode(point);
    const forms = [character.toLowerCase(), character.toUpperCase(), character.normalize('NFKC')];
    for (const form of forms.map((each) => each.toLowerCase())) {
      if (!/^[a-z_0]+$/.test(form) || !name.includes(form)) continue;
      expect(table.lookalike(name.replace(form, character)), `U+${point.toString(16)}`).toBe(name);
    }
  }
});

/** The structure of a document: everything but strings and names, and a few bytes for each value. */
function structureOf(value: unknown, indent: number): number {
  let [values, strings] = [0, 0];
  const walkValue = (each: unknown): void => {
    values++;
    if (typeof each === 'string') strings += Buffer.byteLength(JSON.stringify(each));
    else if (typeof each === 'object' && each !== null) {
      Object.values(each).forEach(walkValue);
      if (!Array.isArray(each)) {
        strings += Object.keys(each).reduce((sum, key) => sum + Buffer.byteLength(JSON.stringify(key)) - NAME_COST, 0);
      }
    }
  };
  walkValue(value);
  return Buffer.byteLength(JSON.stringify(value, null, indent)) - strings + VALUE_COST * values;
}

/** Whether a scan that enters every container gets to the document's end. */
function isWalked(bytes: Buffer): boolean {
  const scan = new JsonScan(bytes);
  walk(scan);
  return scan.finish();
}

function walk(scan: JsonScan): void {
  if (scan.enterArray()) while (scan.nextElement()) walk(scan);
  else if (scan.enterObject()) while (scan.nextMember()) walk(scan);
  else scan.skip();
}

/** Writes all characters of a JSON string that aren't part of an escape as `\u` escapes. */
function escapeAll(json: string): string {
  const inner = json
    .slice(1, -1)
    .replace(/\\u....|\\.|[^]/g, (unit) =>
      unit.startsWith('\\') ? unit : `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    );
  return `"${inner}"`;
}
