import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { Duplex } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readPlainHead } from './plain-head.ts';

// What is taken for a plain request here must be one that node:http reads in the very same way: a head that two readers
// read differently is how a request is smuggled past one of them. What isn't accepted goes to node:http, so the reader may
// be as narrow as it likes.

const LINE = 'POST /v1/embeddings HTTP/1.1';

function headOf(fields: readonly string[], line = LINE): string {
  return [line, ...fields, ''].join('\r\n');
}

test('what is plain is read with the values that mean something here, whatever the case of their names', () => {
  const head = readPlainHead(
    headOf([
      'HOST: gateway',
      'Authorization:Bearer k',
      'content-TYPE: \t application/json \t',
      'Content-Encoding: identity',
      'Content-Length: 0012',
      'X-Faregate-Max-Cost: 0.5',
      'Idempotency-Key: a b',
      'X-Request-Id:',
      'X-Other: {"a":"b:c"}',
      'X-Other: again',
      'Connection: Keep-Alive',
    ]),
  );
  expect(head).toEqual({
    line: LINE,
    length: 12,
    closes: false,
    authorization: 'Bearer k',
    contentType: 'application/json',
    contentEncoding: 'identity',
    maxCost: '0.5',
    idempotencyKey: 'a b',
    requestId: '',
  });
});

test('what is plain has no body where it names no length, and ends its connection where it says so', () => {
  expect(readPlainHead(headOf(['host: x', 'connection: CLOSE']))).toMatchObject({ length: 0, closes: true });
});

test('what is plain has a hundred fields at most', () => {
  const others = Array.from({ length: 99 }, (_, index) => `x-${index}: a`);
  expect(readPlainHead(headOf(['host: x', ...others]))).not.toBeNull();
  expect(readPlainHead(headOf(['host: x', ...others, 'x: a']))).toBeNull();
});

test.each<[string, string]>([
  ['no host', headOf(['content-length: 2'])],
  ['two hosts', headOf(['host: x', 'Host: x'])],
  ['two lengths', headOf(['host: x', 'content-length: 2', 'Content-Length: 2'])],
  ['a list of lengths', headOf(['host: x', 'content-length: 2, 2'])],
  ['no digits in a length', headOf(['host: x', 'content-length:'])],
  ['a signed length', headOf(['host: x', 'content-length: +2'])],
  ['a length in hex', headOf(['host: x', 'content-length: 0x2'])],
  ['digits that are not ASCII', headOf(['host: x', 'content-length: \u0662'])],
  ['a length that a double cannot hold', headOf(['host: x', `content-length: ${'9'.repeat(16)}`])],
  ['a coding', headOf(['host: x', 'transfer-encoding: chunked'])],
  ['a coding and a length', headOf(['host: x', 'content-length: 2', 'Transfer-Encoding: identity'])],
  ['a trailer', headOf(['host: x', 'trailer: x-a'])],
  ['an expectation', headOf(['host: x', 'expect: 100-continue'])],
  ['an upgrade', headOf(['host: x', 'upgrade: websocket'])],
  ['a connection with options', headOf(['host: x', 'connection: close, x-a'])],
  ['a connection without options', headOf(['host: x', 'connection:'])],
  ['a connection for a proxy, which node:http takes for its own', headOf(['host: x', 'proxy-connection: close'])],
  ['two authorizations', headOf(['host: x', 'authorization: a', 'authorization: b'])],
  ['a folded field', headOf(['host: x', 'x-a: b', ' c'])],
  ['a space before the colon', headOf(['host: x', 'content-length : 2'])],
  ['a field without a colon', headOf(['host: x', 'content-length'])],
  ['a field without a name', headOf(['host: x', ': 2'])],
  ['a lone line feed', headOf(['host: x\ncontent-length: 2'])],
  ['a lone carriage return', headOf(['host: x\rcontent-length: 2'])],
  ['a null byte', headOf(['host: x\0'])],
  ['a byte beyond ASCII', headOf(['host: x', 'x-a: \xe9'])],
  ['an empty line first', `\r\n${headOf(['host: x'])}`],
  ['an empty line within', headOf(['host: x', '', 'content-length: 2'])],
  ['another version', headOf(['host: x'], 'POST /v1/embeddings HTTP/1.0')],
  ['two spaces in the line', headOf(['host: x'], 'POST  /v1/embeddings HTTP/1.1')],
  ['a tab in the line', headOf(['host: x'], 'POST\t/v1/embeddings HTTP/1.1')],
  ['a space behind the line', headOf(['host: x'], `${LINE} `)],
  ['no last line end', headOf(['host: x']).slice(0, -2)],
  ['nothing', ''],
])('what is not plain is left to node:http: %s', (_what, text) => {
  expect(readPlainHead(text)).toBeNull();
});

interface Heard {
  readonly method: string | undefined;
  readonly target: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A connection that only says what it is given. */
class OneWay extends Duplex {
  override _read(): void {
    // What there is has been pushed already.
  }

  override _write(_chunk: unknown, _encoding: unknown, done: () => void): void {
    done();
  }
}

/** What node:http makes of these bytes: the requests whose bodies were whole, and whether it refused what came then. */
async function heardByNode(bytes: string): Promise<{ requests: readonly Heard[]; isRefused: boolean }> {
  const requests: Heard[] = [];
  let isRefused = false;
  const server = createServer({ requireHostHeader: false }, (message) => {
    const chunks: Buffer[] = [];
    message.on('data', (chunk: Buffer) => chunks.push(chunk));
    message.on('end', () => {
      const { method, url: target, headers } = message;
      requests.push({ method, target, headers, body: Buffer.concat(chunks).toString('latin1') });
    });
  });
  server.on('clientError', () => {
    isRefused = true;
  });
  const connection = new OneWay();
  server.emit('connection', connection);
  connection.push(Buffer.from(bytes, 'latin1'));
  connection.push(null);
  await once(connection, 'end');
  // What the parser has said by then is passed on before this turn is over.
  await setImmediate();
  connection.destroy();
  return { requests, isRefused };
}

const LAST = 'GET /last HTTP/1.1\r\nhost: x\r\n\r\n';
const BODY_BYTES_MAX = 200;
const RUNS = 5_000;

const names = fc.constantFrom(
  'host',
  'content-length',
  'connection',
  'proxy-connection',
  'transfer-encoding',
  'expect',
  'upgrade',
  'trailer',
  'te',
  'keep-alive',
  'authorization',
  'content-type',
  'x-request-id',
  'x-a',
);
const values = fc.oneof(
  fc.constantFrom('keep-alive', 'close', 'chunked', 'identity', 'gzip, chunked', 'upgrade', 'websocket', '', '0', '7'),
  fc.nat(BODY_BYTES_MAX).map(String),
  fc.string({ maxLength: 12 }),
);
const spelled = (name: string): fc.Arbitrary<string> =>
  fc.constantFrom(
    name,
    name.toUpperCase(),
    name.replace(/^./, (first) => first.toUpperCase()),
  );
const field = fc
  .tuple(names.chain(spelled), fc.constantFrom(': ', ':', ':\t', ' :', ':  '), values, fc.constantFrom('', ' ', '\t'))
  .map((parts) => parts.join(''));
const plainField = fc.constantFrom('content-length: 5', 'connection: keep-alive', 'content-type: a/b', 'x-a: b');
const heads = fc
  .array(fc.oneof({ weight: 2, arbitrary: plainField }, field), { maxLength: 4 })
  .map((fields) => headOf(['host: x', ...fields]));

/** A byte that says something in HTTP, or any. */
const odd = fc.oneof(
  fc.constantFrom('\r', '\n', '\r\n', '\0', '\t', ' ', ':', ',', ';', '\x0b', '\x7f', '\x85', '\xa0', '\xff', '0', '1'),
  fc.nat(255).map((code) => String.fromCharCode(code)),
);
const change = fc.record({ at: fc.nat(), removed: fc.nat(2), inserted: fc.oneof(odd, fc.constant('')) });

const mutated = fc.tuple(heads, fc.array(change, { maxLength: 2 })).map(([head, changes]) =>
  changes.reduce((text, { at, removed, inserted }) => {
    const start = at % (text.length + 1);
    return text.slice(0, start) + inserted + text.slice(start + removed);
  }, head),
);

test(
  'node:http reads what is accepted in the same way, whatever has been done to it',
  { timeout: 60_000 },
  async () => {
    let accepted = 0;
    const examined = fc.asyncProperty(mutated, async (text) => {
      const head = readPlainHead(text);
      // Other lines than those that are answered here go to node:http, whatever they say.
      if (head?.line !== LINE || head.length > BODY_BYTES_MAX) return;
      accepted += 1;
      const body = LAST.repeat(BODY_BYTES_MAX / LAST.length + 1).slice(0, head.length);
      const { requests, isRefused } = await heardByNode(`${text}\r\n${body}${head.closes ? '' : LAST}`);
      const [first, ...others] = requests;
      expect(isRefused).toBe(false);
      expect(`${first?.method} ${first?.target} HTTP/1.1`).toBe(LINE);
      expect(first?.body).toBe(body);
      expect(first?.headers['content-type']).toBe(head.contentType);
      expect(first?.headers.authorization).toBe(head.authorization);
      expect(first?.headers['x-request-id']).toBe(head.requestId);
      expect(others.map(({ target }) => target)).toEqual(head.closes ? [] : ['/last']);
    });
    await fc.assert(examined, { numRuns: RUNS });
    expect(accepted).toBeGreaterThan(RUNS / 10);
  },
);
