// The bytes of an HTTP/1.1 request.

export interface OutgoingRequest {
  readonly method: 'GET' | 'POST';
  /** With a leading slash, relative to the origin. */
  readonly path: string;
  /** Headers shared by many requests; the same object as long as they are equal. */
  readonly headers: Readonly<Record<string, string>>;
  /** Headers of this request's own: names and values in turn. */
  readonly ownHeaders?: readonly string[] | undefined;
  /** Pieces that are sent in sequence; null if there is no body. */
  readonly body: readonly Buffer[] | null;
}

const NONE: readonly string[] = [];

/** Characters that would end a line early, or don't fit in one byte. */
const UNWRITABLE = /[\0-\x08\x0a-\x1f\x7f\u0100-\uffff]/;
const UNWRITABLE_PATH = /[\0-\x20\x7f-\uffff]/;

/** Cache of the text of shared headers. */
const written = new WeakMap<Readonly<Record<string, string>>, string>();

function linesOf(headers: Readonly<Record<string, string>>): string {
  let lines = written.get(headers);
  if (lines === undefined) {
    lines = Object.entries(headers)
      .map(([name, value]) => line(name, value))
      .join('');
    written.set(headers, lines);
  }
  return lines;
}

function line(name: string, value: string): string {
  if (UNWRITABLE.test(value)) throw new TypeError(`the header ${name} has characters that none may have`);
  return `${name}: ${value}\r\n`;
}

/** The total length of the pieces in bytes. */
function lengthOf(pieces: readonly Buffer[]): number {
  let length = 0;
  for (const piece of pieces) length += piece.length;
  return length;
}

/** The head of a request to this host. @throws TypeError if a path or header can't be written */
export function headText({ method, path, headers, ownHeaders = NONE, body }: OutgoingRequest, host: string): string {
  if (UNWRITABLE_PATH.test(path)) throw new TypeError('the path has characters that none may have');
  let own = '';
  for (let at = 0; at + 1 < ownHeaders.length; at += 2) own += line(ownHeaders[at] ?? '', ownHeaders[at + 1] ?? '');
  const length = body === null ? '' : `content-length: ${lengthOf(body)}\r\n`;
  return `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\nconnection: keep-alive\r\n${linesOf(headers)}${own}${length}\r\n`;
}
