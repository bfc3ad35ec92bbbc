import { headEnd } from '../../../lib/head-end.ts';
import { parseHead, type ResponseHead } from './response-head.ts';

// Parses HTTP/1 answers from bytes in pieces of any size: the part of RFC 9112 that answers to GET and POST need.

/** Receives one answer: `head`, any number of `data`, then `end`; or `malformed` at any point. */
export interface AnswerListener {
  head(head: ResponseHead): void;
  /** Bytes of the body: a view of what was pushed. */
  data(bytes: Buffer): void;
  /** `rest`: whether bytes have followed the answer's end. */
  end(rest: boolean): void;
  malformed(message: string): void;
}

const HEAD_BYTES_MAX = 65_536;
const LINE_BYTES_MAX = 1_024;
const PROTOCOL = Buffer.from('HTTP/1.');
const HEAD_END_BYTES = 4;
const LINE_END = Buffer.from('\r\n');
const CHUNK_SIZE = /^([0-9a-f]{1,12})[ \t]*(?:;.*)?$/i;
const HEX = 16;
const CR = 0x0d;
const LF = 0x0a;
const SWITCHING_PROTOCOLS = 101;

/**
 * The position in an answer.
 * - `head`: before the end of the head. Heads of interim answers (1xx) are skipped.
 * - `body`: of known length, or until the connection closes.
 * - `chunk_size`, `chunk`, `chunk_end`: in a chunk's first line, its data, and the line end after it.
 * - `trailers`: in the lines after the last chunk, which are dropped.
 * - `over`: after the end, or after an invalid byte.
 */
type State = 'head' | 'body' | 'chunk_size' | 'chunk' | 'chunk_end' | 'trailers' | 'over';

/** Reads one answer after the other. `begin` is called before each. */
export class ResponseParser {
  readonly #listener: AnswerListener;
  #state: State = 'over';
  /** The first part of a head or line whose end has not arrived. */
  #held: Buffer | null = null;
  /** Remaining bytes of the body, or of the chunk. */
  #left = 0;
  #trailerBytes = 0;

  constructor(listener: AnswerListener) {
    this.#listener = listener;
  }

  begin(): void {
    this.#state = 'head';
    this.#held = null;
    this.#trailerBytes = 0;
  }

  /** Ignores the rest of the bytes being pushed. */
  stop(): void {
    this.#state = 'over';
  }

  push(bytes: Buffer): void {
    let at = 0;
    while (at < bytes.length && this.#state !== 'over') at = this.#take(bytes, at);
  }

  /** The connection has ended. False if that ends no answer. */
  close(): boolean {
    if (this.#state !== 'body' || this.#left !== Infinity) return false;
    this.#end(false);
    return true;
  }

  #take(bytes: Buffer, at: number): number {
    switch (this.#state) {
      case 'head':
        return this.#takeHead(bytes, at);
      case 'body':
        return this.#takeBody(bytes, at);
      case 'chunk':
        return this.#takeChunk(bytes, at);
      case 'chunk_end':
        if (this.#held === null && bytes[at] === CR && bytes[at + 1] === LF) {
          this.#state = 'chunk_size';
          return at + LINE_END.length;
        }
        return this.#takeLine(bytes, at);
      case 'chunk_size':
      case 'trailers':
        return this.#takeLine(bytes, at);
      case 'over':
        return bytes.length;
    }
  }

  #takeHead(bytes: Buffer, at: number): number {
    const before = this.#held?.length ?? 0;
    const all = this.#withHeld(bytes, at);
    const from = Math.max(0, before - HEAD_END_BYTES);
    const end = headEnd(all, from);
    if (end === -1 || end > HEAD_BYTES_MAX) {
      const begun = Math.min(all.length, PROTOCOL.length);
      if (all.compare(PROTOCOL, 0, begun, 0, begun) !== 0) this.#malformed('the answer is not HTTP/1.1');
      else if (all.length > HEAD_BYTES_MAX) this.#malformed('the head of the answer is too large');
      else this.#held = Buffer.from(all);
      return bytes.length;
    }
    this.#held = null;
    const head = parseHead(all.toString('latin1', 0, end));
    if (typeof head === 'string') this.#malformed(head);
    else this.#headed(head, all.length > end + HEAD_END_BYTES);
    return at + end + HEAD_END_BYTES - before;
  }

  #headed(head: ResponseHead, hasMore: boolean): void {
    if (head.status === SWITCHING_PROTOCOLS) return this.#malformed('the answer switches to another protocol');
    if (head.status < 200) return;
    this.#state = head.framing.kind === 'chunked' ? 'chunk_size' : 'body';
    this.#left = head.framing.kind === 'length' ? head.framing.bytes : Infinity;
    this.#listener.head(head);
    if (this.#left === 0 && this.#state === 'body') this.#end(hasMore);
  }

  #takeBody(bytes: Buffer, at: number): number {
    const end = Math.min(bytes.length, at + this.#left);
    this.#left -= end - at;
    this.#listener.data(at === 0 && end === bytes.length ? bytes : bytes.subarray(at, end));
    if (this.#left === 0 && this.#state === 'body') this.#end(end < bytes.length);
    return end;
  }

  #takeChunk(bytes: Buffer, at: number): number {
    const end = Math.min(bytes.length, at + this.#left);
    this.#left -= end - at;
    if (this.#left === 0) this.#state = 'chunk_end';
    this.#listener.data(bytes.subarray(at, end));
    return end;
  }

  #takeLine(bytes: Buffer, at: number): number {
    const before = this.#held?.length ?? 0;
    const all = this.#withHeld(bytes, at);
    const end = all.indexOf(LINE_END);
    if (end === -1 || end > LINE_BYTES_MAX) {
      if (all.length > LINE_BYTES_MAX) this.#malformed('a line between the chunks of the answer is too long');
      else this.#held = Buffer.from(all);
      return bytes.length;
    }
    this.#held = null;
    const next = at + end + LINE_END.length - before;
    this.#line(all.toString('latin1', 0, end), next < bytes.length);
    return next;
  }

  #line(line: string, hasMore: boolean): void {
    if (this.#state === 'chunk_size') {
      const size = CHUNK_SIZE.exec(line)?.[1];
      if (size === undefined) return this.#malformed('a chunk of the answer has no size');
      this.#left = Number.parseInt(size, HEX);
      this.#state = this.#left === 0 ? 'trailers' : 'chunk';
    } else if (this.#state === 'chunk_end') {
      if (line !== '') return this.#malformed('a chunk of the answer is longer than its stated size');
      this.#state = 'chunk_size';
    } else {
      this.#trailerBytes += line.length;
      if (line === '') this.#end(hasMore);
      else if (this.#trailerBytes > HEAD_BYTES_MAX) this.#malformed('the trailers of the answer are too large');
    }
  }

  #withHeld(bytes: Buffer, at: number): Buffer {
    const rest = at === 0 ? bytes : bytes.subarray(at);
    return this.#held === null ? rest : Buffer.concat([this.#held, rest]);
  }

  #end(rest: boolean): void {
    this.#state = 'over';
    this.#listener.end(rest);
  }

  #malformed(message: string): void {
    this.#state = 'over';
    this.#listener.malformed(message);
  }
}
