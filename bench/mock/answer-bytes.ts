// The bytes of answers over HTTP, whatever API they belong to.

/** Chunks of a paced stream, and the time between two of them. */
export const STREAM_CHUNKS = 100;
export const CHUNK_EVERY_MS = 20;
/** Chunks of a burst. */
export const BURST_CHUNKS = 1_000;

/** What every model says, and the piece of which every stream is made. */
export const SAID = 'The gate is open, and it was paid for.';
export const TOKEN = ' token';

const STREAM_HEAD =
  'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncache-control: no-cache\r\ntransfer-encoding: chunked\r\n\r\n';

/** A stream's head with its first chunk, each chunk after it, and its end. */
export interface StreamBytes {
  readonly head: Buffer;
  readonly chunk: Buffer;
  readonly end: Buffer;
}

/** The events of a stream, as text: those before the chunks, the chunk, and those behind. */
export interface StreamEvents {
  readonly first: string;
  readonly chunk: string;
  readonly last: string;
}

/** An event that has its name beside its payload. */
export interface NamedEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

export function plainAnswer(json: string): Buffer {
  const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(json)}\r\n\r\n`;
  return Buffer.from(head + json);
}

function framed(text: string): string {
  return `${Buffer.byteLength(text).toString(16)}\r\n${text}\r\n`;
}

export function dataEvent(payload: string): string {
  return framed(`data: ${payload}\n\n`);
}

export function namedEvents(...events: readonly NamedEvent[]): string {
  return events.map((event) => framed(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)).join('');
}

export function streamOf({ first, chunk, last }: StreamEvents): StreamBytes {
  return {
    head: Buffer.from(STREAM_HEAD + first),
    chunk: Buffer.from(chunk),
    end: Buffer.from(`${last}0\r\n\r\n`),
  };
}

/** A whole stream of tiny chunks that comes at once. */
export function burstOf({ head, chunk, end }: StreamBytes): Buffer {
  return Buffer.concat([head, ...Array<Buffer>(BURST_CHUNKS - 1).fill(chunk), end]);
}
