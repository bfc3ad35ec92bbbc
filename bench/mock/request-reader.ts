// As much of HTTP/1.1 as the mock must understand: where a request ends, and its path. Bodies are thrown away.

const HEAD_END = Buffer.from('\r\n\r\n');
const CONTENT_LENGTH = /\r\ncontent-length: *(\d+)/i;

/** Finds the ends of the requests that come on one connection. */
export class RequestReader {
  readonly #onRequest: (path: string) => void;
  #head: Buffer | null = null;
  #bodyLeft = 0;
  #path = '';

  constructor(onRequest: (path: string) => void) {
    this.#onRequest = onRequest;
  }

  push(bytes: Buffer): void {
    let rest = bytes;
    while (rest.length > 0) rest = this.#bodyLeft > 0 ? this.#readBody(rest) : this.#readHead(rest);
  }

  #readBody(bytes: Buffer): Buffer {
    const taken = Math.min(bytes.length, this.#bodyLeft);
    this.#bodyLeft -= taken;
    if (this.#bodyLeft === 0) this.#onRequest(this.#path);
    return bytes.subarray(taken);
  }

  #readHead(bytes: Buffer): Buffer {
    const all = this.#head === null ? bytes : Buffer.concat([this.#head, bytes]);
    const end = all.indexOf(HEAD_END);
    if (end < 0) {
      this.#head = all;
      return Buffer.alloc(0);
    }
    this.#head = null;
    const head = all.toString('latin1', 0, end);
    this.#path = head.slice(head.indexOf(' ') + 1, head.indexOf(' ', head.indexOf(' ') + 1));
    this.#bodyLeft = Number(CONTENT_LENGTH.exec(head)?.[1] ?? 0);
    if (this.#bodyLeft === 0) this.#onRequest(this.#path);
    return all.subarray(end + HEAD_END.length);
  }
}
