import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { editChatBody, type ChatEdit } from './chat-request-edit.ts';
import { readChatRequest } from './chat-request.ts';

const MESSAGES = '"messages":[{"role":"user","content":"hi"}]';
const AS_IS: ChatEdit = { upstreamModel: 'm', cap: null, includeUsage: false };

function edit(text: string, changes: Partial<ChatEdit>): string {
  const reading = readChatRequest(Buffer.from(text));
  if (!reading.ok) throw new Error(reading.fault.message);
  return editChatBody(reading.request, { ...AS_IS, ...changes }).toString();
}

test('a body that needs no change is sent as it is, the very same bytes', () => {
  const body = Buffer.from(
    `{"model":"m","stream":true,"stream_options":{"include_usage":true},"max_tokens":5,${MESSAGES}}`,
  );
  const reading = readChatRequest(body);
  const cap = { field: 'max_tokens', tokens: 5 } as const;
  expect(reading.ok && editChatBody(reading.request, { upstreamModel: 'm', cap, includeUsage: true })).toBe(body);
});

test('only the model changes where only its name differs', () => {
  const text = `{ "seed": 9007199254740993 , "model" : "m", "unknown": 1.0E5, ${MESSAGES} }`;
  expect(edit(text, { upstreamModel: 'vendor/"x"' })).toBe(text.replace('"m"', '"vendor/\\"x\\""'));
});

describe('a cap', () => {
  const cap = { field: 'max_tokens', tokens: 7 } as const;

  test.each([
    ['is added where there was none', '', ',"max_tokens":7'],
    ['takes the place of the caller’s', '"max_tokens":9,', '"max_tokens":7,'],
    ['takes the place of null', '"max_tokens":null,', '"max_tokens":7,'],
    ['takes the place of the other field', '"max_completion_tokens":9,', '"max_tokens":7,'],
    ['stands alone', '"max_completion_tokens":9,"max_tokens":9,', '"max_tokens":7,'],
    ['stands alone beside null', '"max_completion_tokens":null,"max_tokens":7,', '"max_tokens":7,'],
  ])('%s', (_what, given, sent) => {
    const expected = given === '' ? `{"model":"m",${MESSAGES}${sent}}` : `{"model":"m",${sent}${MESSAGES}}`;
    expect(edit(`{"model":"m",${given}${MESSAGES}}`, { cap })).toBe(expected);
  });

  test('of the caller’s own is left alone unless it differs from its other one, then both say the smaller', () => {
    const alone = `{"model":"m","max_completion_tokens":9,${MESSAGES}}`;
    expect(edit(alone, {})).toBe(alone);
    const same = `{"model":"m","max_tokens":9,"max_completion_tokens":9,${MESSAGES}}`;
    expect(edit(same, {})).toBe(same);
    expect(edit(same.replace('9', '4'), {})).toBe(same.replaceAll('9', '4'));
  });
});

describe('usage in the stream', () => {
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
  ])('%s', (_what, given, sent) => {
    expect(edit(`{"model":"m",${given}${MESSAGES}}`, asked)).toBe(`{"model":"m",${sent}}`);
  });

  test('comes without padding where the upstream knows it and the caller said nothing of it', () => {
    const text = `{"model":"m","stream":true,${MESSAGES}}`;
    const both = { includeUsage: true, omitObfuscation: true };
    expect(JSON.parse(edit(text, both))).toMatchObject({
      stream_options: { include_usage: true, include_obfuscation: false },
    });
    const spoken = text.replace('{"model"', '{"stream_options":{"include_obfuscation":true},"model"');
    expect(edit(spoken, { omitObfuscation: true })).toBe(spoken);
  });
});

test('an edited body holds what the caller sent but for what was edited', () => {
  const cap = fc.option(
    fc.record({
      field: fc.constantFrom('max_tokens' as const, 'max_completion_tokens' as const),
      tokens: fc.integer({ min: 1, max: 99 }),
    }),
    { nil: null },
  );
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
    fc.property(fields, cap, fc.boolean(), fc.nat(2), (given, wanted, includeUsage, indent) => {
      const request = { ...given, model: 'm', messages: [{ role: 'user', content: 'é\n"' }] };
      const result: unknown = JSON.parse(
        edit(JSON.stringify(request, null, indent), { upstreamModel: 'u', cap: wanted, includeUsage }),
      );
      const { max_tokens: _one, max_completion_tokens: _other, ...rest } = request;
      const base = wanted === null ? request : { ...rest, [wanted.field]: wanted.tokens };
      const options = includeUsage && given.stream === true ? { stream_options: { include_usage: true } } : {};
      expect(result).toEqual(JSON.parse(JSON.stringify({ ...base, model: 'u', ...options })));
    }),
  );
});
