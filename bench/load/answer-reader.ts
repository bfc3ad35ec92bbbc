/** How an answer ended. */
export interface AnswerEnd {
  readonly status: number;
  /** A stream's answer held what ends a whole one: `[DONE]`, or in other APIs than chat the gateway's charge. */
  readonly isDone: boolean;
}

const HEAD_END = Buffer.from('\r\n\r\n');
const LAST_CHUNK = Buffer.from('\r\n0\r\n\r\n');
const DONE = [Buffer.from('[DONE]'), Buffer.from('\n: faregate-charge ')];
const TAIL_BYTES = 64;
const CONTENT_LENGTH = /\r\ncontent-length: *(\d+)/i;

/** Reads one answer at a time from a connection: when its body begins and when it ends, and nothing else. */
export class AnswerReader {
  #head = Buffer.alloc(0);
  #tail = Buffer.alloc(0);
  #status = 0;
  /** Bytes of the body that are to come; infinite for a body in chunks. */
  #left = 0;
  #isInBody = false;
  #hasBegun = false;

  /** Takes what has come. Null: there is more to come. */
  push(bytes: Buffer, onBegun: () => void): AnswerEnd | null {
    const body = this.#isInBody ? bytes : this.#readHead(bytes);
    if (body === null) return null;
    if (!this.#hasBegun && body.length > 0) {
      this.#hasBegun = true;
      onBegun();
    }
    return this.#left === Number.POSITIVE_INFINITY ? this.#readChunks(body) : this.#readCounted(body);
  }

  #readHead(bytes: Buffer): Buffer | null {
    const all = this.#head.length === 0 ? bytes : Buffer.concat([this.#head, bytes]);
    const end = all.indexOf(HEAD_END);
    if (end < 0) {
      // The caller reuses its buffer.
      this.#head = Buffer.from(all);
      return null;
    }
    const head = all.toString('latin1', 0, end);
    const length = CONTENT_LENGTH.exec(head)?.[1];
    this.#status = Number(head.slice(9, 12));
    this.#left = length === undefined ? Number.POSITIVE_INFINITY : Number(length);
    this.#isInBody = true;
    return all.subarray(end + HEAD_END.length);
  }

  #readCounted(body: Buffer): AnswerEnd | null {
    this.#left -= body.length;
    return this.#left > 0 ? null : this.#end(true);
  }

  /** Requests aren't pipelined, so an answer's last bytes are the last that have come. */
  #readChunks(body: Buffer): AnswerEnd | null {
    const tail = Buffer.concat([this.#tail, body.subarray(-TAIL_BYTES)]).subarray(-TAIL_BYTES);
    this.#tail = tail;
    if (!tail.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK)) return null;
    return this.#end(DONE.some((mark) => tail.includes(mark)));
  }

  #end(isDone: boolean): AnswerEnd {
    const status = this.#status;
    this.#head = Buffer.alloc(0);
    this.#tail = Buffer.alloc(0);
    this.#isInBody = false;
    this.#hasBegun = false;
    return { status, isDone };
  }
}
