import type { ServerResponse } from 'node:http';
import type { Random } from '../simulation/random.ts';
import {
  type ReceivedRequest,
  type Script,
  type ScriptedUpstream,
  startScriptedUpstream,
} from '../support/scripted-upstream.ts';

// An upstream on which every answer may fail, in every way that a server, a proxy or a network is known to.

const CHUNKS = ['seven', ' times', ' eight'].map((content) => chunk([{ index: 0, delta: { content } }]));
const FINISH = chunk([{ index: 0, delta: {}, finish_reason: 'stop' }]);
const USAGE = { prompt_tokens: 7, completion_tokens: 5, total_tokens: 12 };
const USAGE_CHUNK = chunk([], { usage: USAGE });
const ERROR = JSON.stringify({ error: { message: 'no', type: 'server_error', param: null, code: null } });
const PAGE = '<html><head><title>502 Bad Gateway</title></head><body>nginx</body></html>';
const EVENTS: Record<string, string> = { 'content-type': 'text/event-stream' };
const JSON_TYPE: Record<string, string> = { 'content-type': 'application/json' };
const DONE = 'data: [DONE]\n\n';

const ANSWER = JSON.stringify({
  id: 'c-1',
  object: 'chat.completion',
  created: 1,
  model: 'm',
  choices: [{ index: 0, message: { role: 'assistant', content: 'fifty-six' }, finish_reason: 'stop' }],
  usage: USAGE,
});

function chunk(choices: readonly object[], more: object = {}): string {
  return JSON.stringify({ id: 'c-1', object: 'chat.completion.chunk', created: 1, model: 'm', choices, ...more });
}

function events(...payloads: readonly string[]): string {
  return payloads.map((payload) => `data: ${payload}\n\n`).join('');
}

const WHOLE = events(...CHUNKS, FINISH, USAGE_CHUNK) + DONE;

function begin(response: ServerResponse, headers: Record<string, string> = EVENTS): void {
  response.writeHead(200, headers);
  response.flushHeaders();
}

/** Writes bytes and lets the connection be cut as soon as they are on their way. */
function cutAfter(response: ServerResponse, bytes: string): void {
  response.write(bytes, () => response.socket?.resetAndDestroy());
}

/** Sends bytes as they are, past the HTTP server. */
function raw(response: ServerResponse, bytes: string | Buffer, isOver = true): void {
  const { socket } = response;
  if (isOver) socket?.end(bytes);
  else socket?.write(bytes);
}

function head(status: number, headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} Whatever\r\n${lines.join('')}\r\n`;
}

/** Sends the bytes one by one, for as long as somebody listens. */
function drip(response: ServerResponse, bytes: string, everyMs: number): void {
  begin(response);
  let at = 0;
  const timer = setInterval(() => {
    if (at < bytes.length) response.write(bytes.charAt(at++));
    else response.end();
  }, everyMs);
  response.once('close', () => clearInterval(timer));
}

function refuse(response: ServerResponse, status: number, headers: Record<string, string> = {}): void {
  response.writeHead(status, { ...JSON_TYPE, ...headers });
  response.end(ERROR);
}

/** What a faulty upstream answers, by name. Each may be met by a plain call as well as by a stream. */
const FAULTS = {
  'reset before the headers': (response) => response.socket?.resetAndDestroy(),
  'closed before the headers': (response) => response.socket?.end(),
  'reset within the headers': (response) => raw(response, 'HTTP/1.1 200 OK\r\ncontent-ty'),
  'reset after the headers': (response) => {
    begin(response);
    cutAfter(response, ': ');
  },
  'cut within an event': (response) => {
    begin(response);
    cutAfter(response, events(...CHUNKS) + events(FINISH).slice(0, -9));
  },
  'cut within a chunk of the transfer': (response) =>
    raw(response, `${head(200, { ...EVENTS, 'transfer-encoding': 'chunked' })}ffff\r\n${events(...CHUNKS)}`),
  'silent before the headers': () => undefined,
  'silent after the headers': (response) => begin(response),
  'silent within a stream': (response) => {
    begin(response);
    response.write(events(...CHUNKS));
  },
  'nothing but comments': (response) => drip(response, ': thinking\n\n'.repeat(1_000), 5),
  'a slow drip': (response) => drip(response, WHOLE, 1),
  'a drip too slow': (response) => drip(response, WHOLE, 50),
  'too many requests': (response) => refuse(response, 429),
  'too many requests for a while': (response) => refuse(response, 429, { 'retry-after-ms': '50' }),
  overloaded: (response) => refuse(response, 529, { 'retry-after-ms': '20' }),
  'an error': (response) => refuse(response, 500),
  'a wrong key': (response) => refuse(response, 401),
  'the caller’s fault': (response) => refuse(response, 400),
  'a redirect': (response) => refuse(response, 302, { location: 'http://127.0.0.1:1/' }),
  'a page instead of an error': (response) => {
    response.writeHead(502, { 'content-type': 'text/html' });
    response.end(PAGE);
  },
  'a page instead of an answer': (response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.end(PAGE);
  },
  'another protocol': (response) => raw(response, 'SSH-2.0-OpenSSH_9.9\r\n'),
  'an event that is no JSON': (response) => {
    begin(response);
    response.end(`${events(CHUNKS[0] ?? '')}data: \u0000\u0001}{ not JSON\n\n${DONE}`);
  },
  'bytes that are no text': (response) => {
    begin(response);
    response.end(Buffer.from(Array.from({ length: 2_000 }, (_, at) => (at * 167) % 256)));
  },
  'an error as the first event': (response) => {
    begin(response);
    response.end(events(ERROR) + DONE);
  },
  'an error within the stream': (response) => {
    begin(response);
    response.end(events(...CHUNKS, ERROR) + DONE);
  },
  'no event at all': (response) => {
    begin(response);
    response.end();
  },
  'no end of the stream': (response) => {
    begin(response);
    response.end(events(...CHUNKS));
  },
  'a content-length that is too large': (response) =>
    raw(response, head(200, { ...JSON_TYPE, 'content-length': String(ANSWER.length + 50) }) + ANSWER),
  'a content-length that is too small': (response) =>
    raw(response, head(200, { ...JSON_TYPE, 'content-length': String(ANSWER.length - 50) }) + ANSWER),
  'two content-lengths': (response) =>
    raw(response, `HTTP/1.1 200 OK\r\ncontent-length: 5\r\ncontent-length: 500\r\n\r\n${ANSWER}`),
  'headers without end': (response) => raw(response, `HTTP/1.1 200 OK\r\nx-much: ${'x'.repeat(40_000)}`, false),
  'a compression that is none': (response) => {
    begin(response, { ...JSON_TYPE, 'content-encoding': 'gzip' });
    response.end(ANSWER);
  },
  'half an answer': (response) => {
    begin(response, JSON_TYPE);
    response.end(ANSWER.slice(0, 50));
  },
  'the other kind of answer': (response, { body }) => {
    const isStream = body.includes('"stream":true');
    begin(response, isStream ? JSON_TYPE : EVENTS);
    response.end(isStream ? ANSWER : WHOLE);
  },
  'bytes after the end': (response) => {
    begin(response);
    response.end(`${WHOLE}data: {"more":true}\n\n${'x'.repeat(10_000)}`);
  },
  'no announcement of the end': (response) => {
    begin(response);
    response.end(events(...CHUNKS, FINISH, USAGE_CHUNK));
  },
} as const satisfies Record<string, Script>;

export type FaultName = keyof typeof FAULTS;

/** The names of all faults. */
export const FAULT_NAMES = Object.keys(FAULTS) as readonly FaultName[];

export interface FaultUpstream extends ScriptedUpstream {
  /** How often each fault was met. */
  readonly met: ReadonlyMap<FaultName, number>;
}

/** An answer without a fault. */
export function soundAnswer(response: ServerResponse, { body }: ReceivedRequest): void {
  const isStream = body.includes('"stream":true');
  begin(response, isStream ? EVENTS : JSON_TYPE);
  response.end(isStream ? WHOLE : ANSWER);
}

/** Starts an upstream whose answers fail by lot, in that part of cases. The caller stops it. */
export async function startFaultUpstream(random: Random, faultRatio: number): Promise<FaultUpstream> {
  const met = new Map<FaultName, number>();
  const upstream = await startScriptedUpstream((response, request) => {
    if (!random.chance(faultRatio)) {
      soundAnswer(response, request);
      return;
    }
    const name = random.pick(FAULT_NAMES);
    met.set(name, (met.get(name) ?? 0) + 1);
    FAULTS[name](response, request);
  });
  return { ...upstream, met };
}
