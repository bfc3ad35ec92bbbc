import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ResponseHead } from './response-head.ts';
import { type AnswerListener, ResponseParser } from './response-parser.ts';

/** Records a parser's calls. */
class Heard implements AnswerListener {
  heads: ResponseHead[] = [];
  body = Buffer.alloc(0);
  ends: boolean[] = [];
  faults: string[] = [];

  head(head: ResponseHead): void {
    this.heads.push(head);
  }

  data(bytes: Buffer): void {
    this.body = Buffer.concat([this.body, bytes]);
  }

  end(rest: boolean): void {
    this.ends.push(rest);
  }

  malformed(message: string): void {
    this.faults.push(message);
  }
}

/** Parses the bytes in pieces of these sizes, repeated; `closes`: whether the connection ends after them. */
function parse(text: string | Buffer, sizes: readonly number[] = [], closes = false): Heard {
  const heard = new Heard();
  const parser = new ResponseParser(heard);
  const bytes = Buffer.from(text as string, 'latin1');
  parser.begin();
  for (let at = 0, piece = 0; at < bytes.length; piece += 1) {
    const size = sizes.length === 0 ? bytes.length : (sizes[piece % sizes.length] ?? 1);
    // The next read overwrites what was pushed.
    const view = Buffer.from(bytes.subarray(at, at + size));
    parser.push(view);
    view.fill(0);
    at += size;
  }
  if (closes) parser.close();
  return heard;
}

const OK = 'HTTP/1.1 200 OK\r\n';
const CHUNKED = `${OK}Transfer-Encoding: chunked\r\n\r\n`;

test.each([
  ['of known length', `${OK}content-length: 5\r\n\r\nhello`, 'hello'],
  ['without a body', `${OK}content-length: 0\r\n\r\n`, ''],
  ['that says its length twice alike', `${OK}content-length: 5\r\ncontent-length: 5\r\n\r\nhello`, 'hello'],
  ['that has no content', 'HTTP/1.1 204 No Content\r\n\r\n', ''],
  ['without a reason', 'HTTP/1.1 200\r\ncontent-length: 2\r\n\r\nok', 'ok'],
  ['in chunks', `${CHUNKED}3\r\nhel\r\n2\r\nlo\r\n0\r\n\r\n`, 'hello'],
  ['in chunks with extensions', `${CHUNKED}3;a=b\r\nhel\r\nA ;c\r\n0123456789\r\n000\r\n\r\n`, 'hel0123456789'],
  ['in chunks with trailers', `${CHUNKED}1\r\nx\r\n0\r\nx-sum: 1\r\nx-other: 2\r\n\r\n`, 'x'],
  [
    'after interim ones',
    `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early\r\nlink: <a>\r\n\r\n${OK}content-length: 1\r\n\r\nx`,
    'x',
  ],
  ['with an empty header', `${OK}x-empty:\r\ncontent-length: 1\r\n\r\nx`, 'x'],
])('an answer: %s is the same in any pieces', (_what, text, body) => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 8 }), (sizes) => {
      const heard = parse(text, sizes);
      expect(heard).toMatchObject({ ends: [false], faults: [] });
      expect(heard.heads).toHaveLength(1);
      expect(heard.body.toString('latin1')).toBe(body);
    }),
  );
});

test('an answer of any bytes in any chunks is those bytes', () => {
  const chunks = fc.array(fc.uint8Array({ minLength: 1, maxLength: 300 }), { maxLength: 10 });
  fc.assert(
    fc.property(chunks, fc.array(fc.integer({ min: 1, max: 200 }), { minLength: 1 }), (parts, sizes) => {
      const framed = parts.flatMap((part) => [`${part.length.toString(16)}\r\n`, part, '\r\n']);
      const bytes = Buffer.concat([CHUNKED, ...framed, '0\r\n\r\n'].map((part) => Buffer.from(part as string)));
      const heard = parse(bytes, sizes);
      expect(heard.body.equals(Buffer.concat(parts))).toBe(true);
      expect(heard).toMatchObject({ ends: [false], faults: [] });
    }),
  );
});

test('an answer that ends with the connection ends there, and not before', () => {
  const text = `${OK}\r\nall of it`;
  expect(parse(text).ends).toEqual([]);
  expect(parse(text, [7], true)).toMatchObject({ ends: [false], body: Buffer.from('all of it') });
});

test.each([`${OK}content-length: 5\r\n\r\nhell`, `${CHUNKED}5\r\nhell`, OK])(
  'an answer that is cut short does not end: %j',
  (text) => {
    expect(parse(text, [3], true)).toMatchObject({ ends: [], faults: [] });
  },
);

test.each([`${OK}content-length: 1\r\n\r\nxHTTP/1.1 200 OK`, `${CHUNKED}0\r\n\r\n\r\n`])(
  'an answer says that something came after it: %j',
  (text) => {
    expect(parse(text)).toMatchObject({ ends: [true], faults: [] });
  },
);

const headersOf = (lines: string): unknown => parse(`${OK}${lines}content-length: 0\r\n\r\n`).heads[0]?.headers;

test('headers of an answer are known by their lower-case names, without the space around their values', () => {
  expect(headersOf('X-Kind:  tea \t\r\nRetry-After: 3\r\n')).toMatchObject({ 'x-kind': 'tea', 'retry-after': '3' });
});

test('headers of an answer that are repeated come as an array', () => {
  expect(headersOf('Set-Cookie: a\r\nset-cookie: b\r\nset-cookie: c\r\n')).toMatchObject({
    'set-cookie': ['a', 'b', 'c'],
  });
});

test('headers of an answer may be called like what objects have by themselves', () => {
  expect(headersOf('__proto__: x\r\nconstructor: y\r\n')).toMatchObject({ constructor: 'y' });
});

const keptBy = (text: string): unknown => {
  const head = parse(text).heads[0];
  return [head?.isKept, head?.keptMs];
};

test.each([
  [true, null, `${OK}content-length: 0\r\n\r\n`],
  [true, 5_000, `${OK}content-length: 0\r\nkeep-alive: timeout=5, max=100\r\n\r\n`],
  [true, null, `HTTP/1.0 200 OK\r\ncontent-length: 0\r\nconnection: Keep-Alive\r\n\r\n`],
  [true, null, CHUNKED],
  [false, null, `HTTP/1.0 200 OK\r\ncontent-length: 0\r\n\r\n`],
  [false, null, `${OK}content-length: 0\r\nconnection: close\r\n\r\n`],
  [false, null, `${OK}content-length: 0\r\nconnection: keep-alive, Close\r\n\r\n`],
  [false, null, `${OK}\r\n`],
  // A server that writes both may mean either.
  [false, null, `${OK}content-length: 5\r\ntransfer-encoding: chunked\r\n\r\n`],
])('a connection is kept as its answer says: %s, %s ms: %j', (isKept, keptMs, text) => {
  expect(keptBy(text)).toEqual([isKept, keptMs]);
});

test.each([
  'SSH-2.0-OpenSSH_9.9\r\n',
  'HTTP/2 200\r\n\r\n',
  'HTTP/1.1 OK\r\n\r\n',
  'HTTP/1.1 099 No\r\n\r\n',
  'HTTP/1.1 101 Switching Protocols\r\n\r\n',
  `${OK}no colon\r\n\r\n`,
  `${OK}: no name\r\n\r\n`,
  `${OK}spaced name: x\r\n\r\n`,
  `${OK}x: y\r\n folded\r\n\r\n`,
  `${OK}x: a\0b\r\n\r\n`,
  `${OK}x: a\nb: c\r\n\r\n`,
  `${OK}content-length: 5\r\ncontent-length: 6\r\n\r\nhello!`,
  `${OK}content-length: -1\r\n\r\n`,
  `${OK}content-length: 0x5\r\n\r\nhello`,
  `${OK}content-length: 1e3\r\n\r\nhello`,
  `${OK}content-length:\r\n\r\nhello`,
  `${OK}transfer-encoding: gzip, chunked\r\n\r\n`,
  `${CHUNKED}x\r\n`,
  `${CHUNKED}-3\r\nabc\r\n`,
  `${CHUNKED}3\r\nabcd\r\n`,
  `${CHUNKED}fffffffffffff\r\n`,
  `${CHUNKED}1;${'x'.repeat(2_000)}\r\n`,
  `${CHUNKED}0\r\n${'x-y: z\r\n'.repeat(20_000)}\r\n`,
  `${OK}${'x-y: z\r\n'.repeat(20_000)}\r\n`,
  `${OK}x: ${'y'.repeat(100_000)}`,
])('an answer is malformed in any pieces: %.60j', (text) => {
  // Bytes one by one cost seconds where there are a hundred thousand.
  for (const sizes of text.length > 10_000 ? [[], [7, 1, 300]] : [[], [1], [7, 1, 300]]) {
    const heard = parse(text, sizes);
    expect(heard.ends).toEqual([]);
    expect(heard.faults).toHaveLength(1);
  }
});

test('random bytes are never an answer, and nothing is thrown', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), fc.boolean(), (noise, hasHead) => {
      const heard = parse(Buffer.concat([Buffer.from(hasHead ? CHUNKED : ''), noise]), [13], true);
      expect(heard.ends.length + heard.faults.length).toBeLessThanOrEqual(1);
    }),
  );
});

test.each([
  ['connection', `${OK}connection: ${' '.repeat(60_000)}x${' '.repeat(100)}x\r\ncontent-length: 1\r\n\r\nx`],
  ['content-length', `${OK}content-length: 1${' '.repeat(60_000)}1\r\n\r\nx`],
])('a head whose %s is mostly spaces costs no more than another', (_what, text) => {
  const before = process.threadCpuUsage();
  parse(text);
  const { user, system } = process.threadCpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(200);
});
