// The head of an HTTP/1 answer: its status line and headers, and their meaning for the body and the connection.

/** Response headers by lower-case name; repeated ones as arrays. */
export type ResponseHeaders = Readonly<Record<string, string | string[] | undefined>>;

/** The end of the body: after this many bytes, as given by its chunks, or with the connection. */
export type Framing =
  | { readonly kind: 'length'; readonly bytes: number }
  | { readonly kind: 'chunked' }
  | { readonly kind: 'until_close' };

export interface ResponseHead {
  readonly status: number;
  readonly headers: ResponseHeaders;
  readonly framing: Framing;
  /** Whether another request may follow on the connection. */
  readonly isKept: boolean;
  /** The time for which the server keeps an idle connection; milliseconds, null if it states none. */
  readonly keptMs: number | null;
}

const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: .*)?$/;
const NAME = /^[!#$%&'*+\-.^_`|~\w]+$/;
/** Characters that a value can't have: control characters except the tab. */
const UNPRINTABLE = /[\0-\x08\x0a-\x1f\x7f]/;
const LENGTH = /^\d{1,15}$/;
const KEPT_SECONDS = /(?:^|[,\s])timeout\s*=\s*(\d{1,6})/i;

const NO_CONTENT = 204;
const NOT_MODIFIED = 304;
const SECOND_MS = 1_000;

/** Reads a head, without the empty line that ends it; or returns its fault. */
export function parseHead(text: string): ResponseHead | string {
  let at = text.indexOf('\r\n');
  const line = STATUS_LINE.exec(at === -1 ? text : text.slice(0, at));
  if (line === null) return 'the answer does not begin as HTTP/1.1 does';
  const headers = Object.create(null) as Record<string, string | string[] | undefined>;
  while (at !== -1) {
    const from = at + 2;
    at = text.indexOf('\r\n', from);
    const fault = addHeader(headers, at === -1 ? text.slice(from) : text.slice(from, at));
    if (fault !== null) return fault;
  }
  const status = Number(line[2]);
  const framing = framingOf(status, headers);
  if (typeof framing === 'string') return framing;
  return {
    status,
    headers,
    framing,
    isKept: isKept(line[1] === '1', headers, framing),
    keptMs: keptMsOf(headers['keep-alive']),
  };
}

function addHeader(headers: Record<string, string | string[] | undefined>, line: string): string | null {
  const colon = line.indexOf(':');
  const name = line.slice(0, Math.max(colon, 0)).toLowerCase();
  if (!NAME.test(name)) return 'the answer has a header without a name';
  const value = line.slice(colon + 1).trim();
  if (UNPRINTABLE.test(value)) return `the answer's header ${name} has characters that none may have`;
  const before = headers[name];
  if (before === undefined) headers[name] = value;
  else if (Array.isArray(before)) before.push(value);
  else headers[name] = [before, value];
  return null;
}

/** Repeated headers are equivalent to one with commas. */
function joined(value: string | string[] | undefined): string {
  return Array.isArray(value) ? value.join(', ') : (value ?? '');
}

/** The elements of a header that is a list. */
function listed(value: string | string[]): string[] {
  return joined(value)
    .split(',')
    .map((element) => element.trim());
}

function framingOf(status: number, headers: ResponseHeaders): Framing | string {
  if (status < 200 || status === NO_CONTENT || status === NOT_MODIFIED) return { kind: 'length', bytes: 0 };
  const coding = headers['transfer-encoding'];
  if (coding !== undefined) {
    if (joined(coding).toLowerCase() === 'chunked') return { kind: 'chunked' };
    return 'the answer has a transfer-encoding that was not requested';
  }
  const length = headers['content-length'];
  if (length === undefined) return { kind: 'until_close' };
  const [first = '', ...others] = listed(length);
  if (!LENGTH.test(first) || others.some((other) => other !== first)) return 'the answer has no clear content-length';
  return { kind: 'length', bytes: Number(first) };
}

function isKept(isRecent: boolean, headers: ResponseHeaders, framing: Framing): boolean {
  if (framing.kind === 'until_close') return false;
  // A server that sends both may mean either, so the end of the body is unclear.
  if (framing.kind === 'chunked' && headers['content-length'] !== undefined) return false;
  const { connection } = headers;
  if (connection === undefined) return isRecent;
  const options = listed(connection).map((option) => option.toLowerCase());
  return !options.includes('close') && (isRecent || options.includes('keep-alive'));
}

function keptMsOf(header: string | string[] | undefined): number | null {
  if (header === undefined) return null;
  const seconds = KEPT_SECONDS.exec(joined(header))?.[1];
  return seconds === undefined ? null : Number(seconds) * SECOND_MS;
}
