import fc from 'fast-check';
import { expect, test } from 'vitest';
import { DONE_EVENT, encodeEvent, isDone, PING, SseDecoder } from './sse.ts';

/** All events of a stream that arrives in these pieces. */
function decode(...pieces: (string | Buffer)[]): string[] {
  const events: string[] = [];
  const decoder = new SseDecoder();
  for (const piece of pieces) decoder.push(Buffer.from(piece), (payload) => events.push(payload.toString()));
  decoder.end((payload) => events.push(payload.toString()));
  return events;
}

test.each([
  ['plain events', 'data: {"a":1}\n\ndata: [DONE]\n\n', ['{"a":1}', '[DONE]']],
  ['any kind of line end', 'data: 1\r\rdata: 2\r\n\r\ndata: 3\n\r\n', ['1', '2', '3']],
  ['a colon without a space', 'data:{"a":1}\n\n', ['{"a":1}']],
  ['one space taken, the others kept', 'data:  x\n\n', [' x']],
  [
    'comments, other fields and stray lines',
    ': OPENROUTER PROCESSING\n\nid: 1\nevent: x\nretry: 5\ndataset: no\ndata: 1\nrubbish\n\n',
    ['1'],
  ],
  ['several data lines', 'data: {\ndata: "a":1}\n\n', ['{\n"a":1}']],
  ['an empty line of several', 'data: a\ndata\ndata:\ndata: b\n\n', ['a\n\n\nb']],
  ['a byte order mark', '\ufeffdata: 1\n\n', ['1']],
  ['events without data', 'data\n\ndata:\n\nevent: ping\n\n\n\ndata: 1\n\n', ['1']],
  ['bytes behind [DONE]', 'data: [DONE]\n\ndata: 1\n\n', ['[DONE]', '1']],
  ['nothing', '', []],
])('decoding knows the events of %s', (_what, stream, events) => {
  expect(decode(stream)).toEqual(events);
});

test('decoding takes a last event without its blank line if it is whole, and drops one that was cut off', () => {
  expect(decode('data: {"a":1}\n')).toEqual(['{"a":1}']);
  expect(decode('data: {"a":1}')).toEqual(['{"a":1}']);
  expect(decode('data: [DONE]')).toEqual(['[DONE]']);
  expect(decode('data: {"a":')).toEqual([]);
  expect(decode('data: {"a":1}\n\ndata: {"b"')).toEqual(['{"a":1}']);
  expect(decode('data: {"a":1}\ndata: ')).toEqual(['{"a":1}\n']);
});

test('decoding gives the same events however the bytes are split', () => {
  const piece = fc.constantFrom(
    'data: ',
    'data:',
    'data',
    'a',
    'é',
    '{"x":1}',
    '[DONE]',
    '\n',
    '\r',
    '\r\n',
    '\n\n',
    ': c',
    'id: 1',
    '\ufeff',
    ' ',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), fc.array(fc.nat(200), { maxLength: 12 }), (pieces, cuts) => {
      const stream = Buffer.from(pieces.join(''));
      const places = [
        0,
        ...cuts.filter((cut) => cut < stream.length).toSorted((one, other) => one - other),
        stream.length,
      ];
      const parts = places.slice(1).map((end, index) => stream.subarray(places[index], end));
      expect(decode(...parts)).toEqual(decode(stream));
      expect(decode(...Array.from(stream, (byte) => Buffer.from([byte])))).toEqual(decode(stream));
    }),
    { numRuns: 2000 },
  );
});

test('decoding copies nothing where an event lies within one chunk', () => {
  const chunk = Buffer.from('data: {"a":1}\n\n');
  new SseDecoder().push(chunk, (payload) => expect(payload.buffer).toBe(chunk.buffer));
  expect.assertions(1);
});

test.each([
  ['in one line', `data: ${'x'.repeat(100)}\n\n`],
  ['in many lines', `${'data: x\n'.repeat(100)}\n`],
  ['in a line that has not ended', `data: ${'x'.repeat(100)}`],
])('decoding stops at an event that is too large, %s', (_what, stream) => {
  const events: string[] = [];
  const decoder = new SseDecoder(50);
  const take = (payload: Buffer) => void events.push(payload.toString());
  expect(decoder.push(Buffer.from(`data: 1\n\n${stream}`), take)).toBe(false);
  expect(decoder.push(Buffer.from('\n\ndata: 2\n\n'), take)).toBe(false);
  decoder.end(take);
  expect(events).toEqual(['1']);
});

test('decoding stops at a line without end that comes in small pieces', () => {
  const decoder = new SseDecoder(50);
  const answers = Array.from({ length: 6 }, () => decoder.push(Buffer.from('data: xxxx'), () => undefined));
  expect(answers).toEqual([true, true, true, true, true, false]);
});

test('what was encoded is decoded to the same payload, one event each', () => {
  const payload = fc.string({ unit: 'binary', minLength: 1 });
  fc.assert(
    fc.property(fc.array(payload), (payloads) => {
      const stream = Buffer.from(
        PING + payloads.map((each) => encodeEvent(Buffer.from(each))).join('') + DONE_EVENT,
        'latin1',
      );
      expect(decode(stream)).toEqual([...payloads.map((each) => each.replace(/\r\n|\r/g, '\n')), '[DONE]']);
    }),
  );
});

test('an encoded event is one data line', () => {
  expect(Buffer.from(encodeEvent(Buffer.from('{"a":"é"}')), 'latin1').toString()).toBe('data: {"a":"é"}\n\n');
});

test('the announcement of the end is known by its bytes', () => {
  expect(['[DONE]', '[done]', ' [DONE]', ''].map((text) => isDone(Buffer.from(text)))).toEqual([
    true,
    false,
    false,
    false,
  ]);
});
