import fc from 'fast-check';
import { expect, test } from 'vitest';
import { editChatBody, type ChatEdit } from './chat-request-edit.ts';
import { readChatRequest } from './chat-request.ts';

const MESSAGES = '"messages":[{"role":"user","content":"hi"}]';
const AS_IS: ChatEdit = { upstreamModel: 'm', capField: 'max_tokens', cap: null, includeUsage: false };

function edit(text: string, changes: Partial<ChatEdit>): string {
  const reading = readChatRequest(Buffer.from(text));
  if (!reading.ok) throw new Error(reading.fault.message);
  return Buffer.concat(editChatBody(reading.request, { ...AS_IS, ...changes })).toString();
}

test('a body that needs no change is sent as it is, the very same bytes', () => {
  const body = Buffer.from(
    `{"model":"m","stream":true,"stream_options":{"include_usage":true},"max_tokens":5,${MESSAGES}}`,
  );
  const reading = readChatRequest(body);
  const pieces = reading.ok && editChatBody(reading.request, { ...AS_IS, cap: 5, includeUsage: true });
  expect(pieces).toEqual([body]);
  expect(pieces && pieces[0]).toBe(body);
});

test('only the model changes where only its name differs', () => {
  const text = `{ "seed": 9007199254740993 , "model" : "m", "unknown": 1.0E5, ${MESSAGES} }`;
  expect(edit(text, { upstreamModel: 'vendor/"x"' })).toBe(text.replace('"m"', '"vendor/\\"x\\""'));
});

test.each([
  ['is added where there was none', '', ',"max_tokens":7'],
  ['takes the place of the caller’s', '"max_tokens":9,', '"max_tokens":7,'],
  ['takes the place of null', '"max_tokens":null,', '"max_tokens":7,'],
  ['takes the place of the other field', '"max_completion_tokens":9,', '"max_tokens":7,'],
  ['stands alone', '"max_completion_tokens":9,"max_tokens":9,', '"max_tokens":7,'],
  ['stands alone beside null', '"max_completion_tokens":null,"max_tokens":7,', '"max_tokens":7,'],
])('a cap is sent in the field that the upstream obeys: %s', (_what, given, sent) => {
  const expected = given === '' ? `{"model":"m",${MESSAGES}${sent}}` : `{"model":"m",${sent}${MESSAGES}}`;
  expect(edit(`{"model":"m",${given}${MESSAGES}}`, { cap: 7 })).toBe(expected);
});

test('a cap of the caller’s own stands in the field that the upstream obeys, alone, and says the smaller of two', () => {
  const alone = `{"model":"m","max_tokens":9,${MESSAGES}}`;
  expect(edit(alone, {})).toBe(alone);
  expect(edit(alone.replace('max_tokens', 'max_completion_tokens'), {})).toBe(alone);
  const two = `{"model":"m","max_tokens":9,"max_completion_tokens":4,${MESSAGES}}`;
  expect(edit(two, {})).toBe(alone.replace('9', '4'));
  expect(edit(two, { capField: 'max_completion_tokens' })).toBe(`{"model":"m","max_completion_tokens":4,${MESSAGES}}`);
});

test('a cap that nobody has named is not added', () => {
  const none = `{"model":"m","max_tokens":null,${MESSAGES}}`;
  expect(edit(none, {})).toBe(none);
});

const leaveOut = ['stream_options', 'user'];

test.each([
  [`{"user":"u","model":"m",${MESSAGES}}`, `{"model":"m",${MESSAGES}}`],
  [
    `{"model":"m","stream":true,"stream_options":{"include_usage":false},${MESSAGES},"user":null}`,
    `{"model":"m","stream":true,${MESSAGES}}`,
  ],
  [`{"model":"m","stream":true,${MESSAGES}}`, `{"model":"m","stream":true,${MESSAGES}}`],
])('fields that the upstream refuses to read are left out of %s', (given, sent) => {
  expect(edit(given, { leaveOut, includeUsage: true, omitObfuscation: true })).toBe(sent);
});

const asked = { includeUsage: true };

test.each([
  ['is asked for', '"stream":true,', `"stream":true,${MESSAGES},"stream_options":{"include_usage":true}`],
  [
    'is asked for in the place of null',
    '"stream":true,"stream_options":null,',
    `"stream":true,"stream_options":{"include_usage":true},${MESSAGES}`,
  ],
  [
    'is asked for beside other options',
    '"stream":true,"stream_options":{ "x":1 },',
    `"stream":true,"stream_options":{ "x":1,"include_usage":true },${MESSAGES}`,
  ],
  [
    'is asked for where it was declined',
    '"stream":true,"stream_options":{"include_usage":false},',
    `"stream":true,"stream_options":{"include_usage":true},${MESSAGES}`,
  ],
  ['is no matter of a plain call', '"stream":false,', `"stream":false,${MESSAGES}`],
])('usage in the stream: %s', (_what, given, sent) => {
  expect(edit(`{"model":"m",${given}${MESSAGES}}`, asked)).toBe(`{"model":"m",${sent}}`);
});

test('usage in the stream comes without padding where the upstream knows it and the caller said nothing of it', () => {
  const text = `{"model":"m","stream":true,${MESSAGES}}`;
  const both = { includeUsage: true, omitObfuscation: true };
  expect(JSON.parse(edit(text, both))).toMatchObject({
    stream_options: { include_usage: true, include_obfuscation: false },
  });
  const spoken = text.replace('{"model"', '{"stream_options":{"include_obfuscation":true},"model"');
  expect(edit(spoken, { omitObfuscation: true })).toBe(spoken);
});

test('an edited body holds what the caller sent but for what was edited', () => {
  const cap = fc.option(fc.integer({ min: 1, max: 99 }), { nil: null });
  const capField = fc.constantFrom('max_tokens' as const, 'max_completion_tokens' as const);
  const fields = fc.record(
    {
      max_tokens: fc.integer({ min: 1, max: 99 }),
      max_completion_tokens: fc.constant(null),
      stream: fc.boolean(),
      temperature: fc.double(),
      metadata: fc.jsonValue({ maxDepth: 3 }),
    },
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(fields, capField, cap, fc.boolean(), fc.nat(2), (given, field, wanted, includeUsage, indent) => {
      const request = { ...given, model: 'm', messages: [{ role: 'user', content: 'é\n"' }] };
      const changes = { upstreamModel: 'u', capField: field, cap: wanted, includeUsage };
      const result: unknown = JSON.parse(edit(JSON.stringify(request, null, indent), changes));
      const { max_tokens: named, max_completion_tokens: _null, ...rest } = request;
      const tokens = wanted ?? named;
      const base = tokens === undefined ? request : { ...rest, [field]: tokens };
      const options = includeUsage && given.stream === true ? { stream_options: { include_usage: true } } : {};
      expect(result).toEqual(JSON.parse(JSON.stringify({ ...base, model: 'u', ...options })));
    }),
  );
});
