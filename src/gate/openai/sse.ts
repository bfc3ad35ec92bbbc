import { isJson } from './json-scan.ts';

// Server-sent events as bytes. Lines end with LF, CR or CRLF, however chunks are split; comments and all fields but
// `data` are ignored, because chat streams use none of them.

const LF = 0x0a;
const CR = 0x0d;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);
const LINE_FEED = Buffer.from('\n');
const EMPTY = Buffer.alloc(0);

const DONE_PAYLOAD = Buffer.from('[DONE]');

/** The end of an OpenAI stream. */
export const DONE_EVENT = 'data: [DONE]\n\n';

/**
 * A comment that keeps a silent connection open: a line of the next event. A blank line after it would end an event
 * without data, which some clients (openai-go 1 and 2) parse as one whose data is not JSON.
 */
export const PING = ': ping\n';

/** The largest event that a decoder accepts by default. */
const MAX_EVENT_BYTES = 16 * 2 ** 20;

/** Whether a payload is the announcement that the stream has ended. */
export function isDone(payload: Buffer): boolean {
  return payload.length === DONE_PAYLOAD.length && payload.equals(DONE_PAYLOAD);
}

/**
 * Frames a payload as one event, each of its bytes a character of latin1; a line break within it begins another data
 * line.
 */
export function encodeEvent(payload: Buffer): string {
  const text = payload.toString('latin1');
  if (!payload.includes(LF) && !payload.includes(CR)) return `data: ${text}\n\n`;
  const lines = text.split(/\r\n|\r|\n/);
  return `${lines.map((line) => `data: ${line}\n`).join('')}\n`;
}

const BEYOND_ASCII = /[^\0-\x7f]/;

/** The same for text without a line break, such as the output of `JSON.stringify`. */
export function encodeLine(text: string): string {
  return `data: ${BEYOND_ASCII.test(text) ? Buffer.from(text).toString('latin1') : text}\n\n`;
}

/** Called with each payload; the buffer may be a view of the chunk that was pushed. */
export type OnEvent = (payload: Buffer) => void;

/** Decodes one stream. A payload is not copied if its event lies within one chunk. */
export class SseDecoder {
  readonly #maxEventBytes: number;
  /** The first part of a line whose end has not arrived. */
  #line = new GrowingText();
  /** The data lines of the event that has begun, with a line feed between them. */
  #data = new GrowingText();
  #hasData = false;
  /** Whether the latest line ended with a CR, so that an LF right after it belongs to it. */
  #isAfterCr = false;
  #isFirstLine = true;
  #isTooLarge = false;

  constructor(maxEventBytes: number = MAX_EVENT_BYTES) {
    this.#maxEventBytes = maxEventBytes;
  }

  /** Decodes more of the stream. Returns false once an event has been too large: the rest can't be read. */
  push(chunk: Buffer, onEvent: OnEvent): boolean {
    let at = 0;
    let lf = -1;
    let cr = -1;
    while (at < chunk.length && !this.#isTooLarge) {
      if (this.#isAfterCr) {
        this.#isAfterCr = false;
        if (chunk[at] === LF) at++;
      }
      if (lf < at) lf = indexFrom(chunk, LF, at);
      if (cr < at) cr = indexFrom(chunk, CR, at);
      const end = Math.min(lf, cr);
      if (end === chunk.length) {
        this.#line.append(chunk.subarray(at));
        this.#checkSize();
        break;
      }
      this.#isAfterCr = end === cr;
      this.#takeLine(this.#line.finish(chunk.subarray(at, end)), onEvent);
      at = end + 1;
    }
    return !this.#isTooLarge;
  }

  /**
   * Ends the stream. An event without its final blank line counts if it is complete, `[DONE]` or JSON: some upstreams
   * end like that. Anything else was cut off and is dropped.
   */
  end(onEvent: OnEvent): void {
    if (this.#isTooLarge) return;
    if (this.#line.length > 0) this.#takeLine(this.#line.finish(EMPTY), onEvent);
    const payload = this.#takePayload();
    if (payload.length > 0 && (isDone(payload) || isJson(payload))) onEvent(payload);
  }

  #takeLine(whole: Buffer, onEvent: OnEvent): void {
    let line = whole;
    if (this.#isFirstLine) {
      this.#isFirstLine = false;
      if (line.subarray(0, 3).equals(BYTE_ORDER_MARK)) line = line.subarray(3);
    }
    if (line.length === 0) {
      // An event without data, or with an empty one, is a ping of some kind.
      const payload = this.#takePayload();
      if (payload.length > 0) onEvent(payload);
      return;
    }
    const data = dataOf(line);
    if (data === null) return;
    if (this.#hasData) this.#data.append(LINE_FEED);
    this.#data.append(data);
    this.#hasData = true;
    this.#checkSize();
  }

  #takePayload(): Buffer {
    this.#hasData = false;
    return this.#data.finish(EMPTY);
  }

  #checkSize(): void {
    if (this.#data.length + this.#line.length > this.#maxEventBytes) this.#isTooLarge = true;
  }
}

/** Text that arrives in pieces. A single piece is kept without copying; several are concatenated. */
class GrowingText {
  length = 0;
  #bytes: Buffer = EMPTY;

  append(piece: Buffer): void {
    const length = this.length + piece.length;
    if (this.length === 0) {
      this.#bytes = piece;
    } else {
      if (length > this.#bytes.length) {
        const larger = Buffer.allocUnsafe(Math.max(length, 2 * this.#bytes.length));
        this.#bytes.copy(larger, 0, 0, this.length);
        this.#bytes = larger;
      }
      piece.copy(this.#bytes, this.length);
    }
    this.length = length;
  }

  /** Returns the whole text with `rest` as its last piece, and starts a new text. */
  finish(rest: Buffer): Buffer {
    if (this.length === 0) return rest;
    this.append(rest);
    const text = this.#bytes.subarray(0, this.length);
    this.length = 0;
    this.#bytes = EMPTY;
    return text;
  }
}

/** The position of the next `byte`, or the chunk's length if there is none. */
function indexFrom(chunk: Buffer, byte: number, from: number): number {
  const at = chunk.indexOf(byte, from);
  return at === -1 ? chunk.length : at;
}

/** The value of a `data` line, without the one space that may follow the colon; null for other lines. */
function dataOf(line: Buffer): Buffer | null {
  if (line[0] !== 0x64 || line[1] !== 0x61 || line[2] !== 0x74 || line[3] !== 0x61) return null;
  if (line.length === 4) return EMPTY;
  if (line[4] !== 0x3a) return null;
  return line.subarray(line[5] === 0x20 ? 6 : 5);
}
