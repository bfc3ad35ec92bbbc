import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { makeKeySecret } from '../../../control/accounts/key-secret.ts';
import { FIRST_SHARD } from '../../../domain/key.ts';
import { WARM_MODEL } from './warm-gate.ts';

// The callers of the warm-up, and its upstream: bare sockets on this machine's own address.

const CALLERS = 8;
const KEYS = Array.from({ length: 2 }, () => makeKeySecret(FIRST_SHARD).key);
/** One request of so many is a stream. */
const STREAM_EVERY = 4;
const CHUNKS = 4;

const USAGE = '{"prompt_tokens":20,"completion_tokens":10,"total_tokens":30}';
const ID = '"id":"chatcmpl-1","created":1760000000,"model":"mock"';
const TEXT = 'Nothing opens, and nobody passes, until somebody has paid.';

function plainAnswer(): string {
  const body =
    `{${ID},"object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"${TEXT}",` +
    `"refusal":null},"logprobs":null,"finish_reason":"stop"}],"usage":${USAGE}}`;
  return `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

function streamedAnswer(): string {
  const event = (choices: string, usage: string): string =>
    `data: {${ID},"object":"chat.completion.chunk","choices":[${choices}],"usage":${usage}}\n\n`;
  const chunk = event('{"index":0,"delta":{"content":" word"},"finish_reason":null}', 'null');
  const last = event('{"index":0,"delta":{},"finish_reason":"stop"}', 'null') + event('', USAGE);
  const body = `${chunk.repeat(CHUNKS)}${last}data: [DONE]\n\n`;
  const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n';
  return `${head}${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n`;
}

function request(key: string, isStream: boolean): string {
  const body = JSON.stringify({
    model: WARM_MODEL,
    messages: [
      { role: 'system', content: 'You are a careful assistant. Answer in one sentence.' },
      { role: 'user', content: 'What does a gate do when nobody has paid for the way through it?' },
    ],
    temperature: 0.2,
    max_tokens: 64,
    ...(isStream && { stream: true, stream_options: { include_usage: true } }),
  });
  return (
    'POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\naccept: */*\r\n' +
    `authorization: Bearer ${key}\r\ncontent-length: ${body.length}\r\n\r\n${body}`
  );
}

/** An upstream that answers each request as soon as it is there. Returns its base URL. */
export async function startWarmUpstream(closing: AsyncDisposableStack): Promise<string> {
  const [plain, streamed] = [plainAnswer(), streamedAnswer()];
  const sockets = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    socket.on('data', (bytes) => {
      const text = bytes.toString('latin1');
      if (text.endsWith('}')) socket.write(text.includes('"stream":true') ? streamed : plain);
    });
  });
  await once(server.listen({ host: '127.0.0.1', port: 0 }), 'listening');
  closing.defer(() => {
    // One that is accepted later ends with its other side, which is closed before.
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
}

/** How many requests are sent; fewer, if the signal comes before. */
export interface WarmRequests {
  readonly requests: number;
  readonly signal: AbortSignal;
}

/** Sends requests over several connections until so many are answered, the signal comes, or an answer is not a 200. */
export async function sendWarmRequests(port: number, { requests, signal }: WarmRequests): Promise<number> {
  let sent = 0;
  let answered = 0;
  const call = async (key = ''): Promise<void> => {
    const [plain, streamed] = [request(key, false), request(key, true)];
    const socket = connect({ host: '127.0.0.1', port, noDelay: true });
    const over = Promise.withResolvers<void>();
    socket.on('close', () => over.resolve());
    let isStream = false;
    const next = (): void => {
      if (sent >= requests || signal.aborted) {
        socket.destroy();
        return;
      }
      sent += 1;
      isStream = sent % STREAM_EVERY === 0;
      socket.write(isStream ? streamed : plain);
    };
    let text = '';
    socket.on('connect', next);
    socket.on('error', () => socket.destroy());
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1');
      if (!text.endsWith(isStream ? '0\r\n\r\n' : '}')) return;
      const isRight = text.startsWith('HTTP/1.1 200');
      text = '';
      if (!isRight) {
        socket.destroy();
        return;
      }
      answered += 1;
      next();
    });
    const stop = (): void => void socket.destroy();
    signal.addEventListener('abort', stop);
    await over.promise;
    signal.removeEventListener('abort', stop);
  };
  await Promise.all(Array.from({ length: CALLERS }, (_, index) => call(KEYS[index % KEYS.length])));
  return answered;
}
