/** The parts of a plain request's head that this program uses. */
export interface PlainHead {
  /** The request line, such as `POST /v1/embeddings HTTP/1.1`. */
  readonly line: string;
  /** Bytes of the body. */
  readonly length: number;
  /** Whether the connection ends with the answer. */
  readonly closes: boolean;
  readonly authorization: string | undefined;
  readonly forwardedFor: string | undefined;
  readonly contentType: string | undefined;
  readonly contentEncoding: string | undefined;
  readonly apiKey: string | undefined;
  readonly anthropicVersion: string | undefined;
  readonly anthropicBeta: string | undefined;
  readonly maxCost: string | undefined;
  readonly reportCost: string | undefined;
  readonly forwardedBy: string | undefined;
  readonly idempotencyKey: string | undefined;
  readonly requestId: string | undefined;
  readonly session: string | undefined;
  readonly underscoredSession: string | undefined;
  readonly claudeCodeSession: string | undefined;
  readonly prefixedSession: string | undefined;
  readonly traceParent: string | undefined;
  readonly traceState: string | undefined;
}

/** The known fields, by name and by the index of their values. */
const FIELDS = {
  authorization: 0,
  connection: 1,
  'content-encoding': 2,
  'content-length': 3,
  'content-type': 4,
  expect: 5,
  host: 6,
  'idempotency-key': 7,
  'proxy-connection': 8,
  trailer: 9,
  'transfer-encoding': 10,
  upgrade: 11,
  'x-faregate-max-cost': 12,
  'x-request-id': 13,
  'x-api-key': 14,
  'anthropic-version': 15,
  'anthropic-beta': 16,
  'session-id': 17,
  session_id: 18,
  'x-claude-code-session-id': 19,
  'x-faregate-report-cost': 20,
  traceparent: 21,
  tracestate: 22,
  'x-forwarded-for': 23,
  'x-session-id': 24,
  'x-faregate-forwarded': 25,
} as const;

interface KnownField {
  readonly name: string;
  /** Its first letter. */
  readonly first: number;
  readonly place: number;
}

const FIELDS_BY_LENGTH: (readonly KnownField[] | undefined)[] = [];
for (const [name, place] of Object.entries(FIELDS)) {
  const alike = FIELDS_BY_LENGTH[name.length] ?? [];
  FIELDS_BY_LENGTH[name.length] = [...alike, { name, first: name.charCodeAt(0), place }];
}
/** Makes a letter small. */
const CASE_BIT = 0x20;
const SPACE = 0x20;

/** The request line and any number of fields, in ASCII: no folding, no lone CR or LF, no other control characters. */
const WELL_FORMED = /^[!-~]+ [!-~]+ HTTP\/1\.1\r\n(?:[!#$%&'*+\-.^_`|~0-9A-Za-z]+:[\t -~]*\r\n)*$/;
const FIELDS_MAX = 100;
const LENGTH = /^[0-9]{1,15}$/;

/**
 * Parses a request's head, including its last CRLF; null unless every parser of HTTP/1.1 reads it alike: a single host,
 * at most one length, no transfer coding, no upgrade, no duplicate of a field used here. A small part of RFC 9112.
 */
export function readPlainHead(text: string): PlainHead | null {
  if (!WELL_FORMED.test(text)) return null;
  const lineEnd = text.indexOf('\r\n');
  if (!readFields(text, lineEnd + 2)) return null;
  const length = values[FIELDS['content-length']] ?? '0';
  const connection = values[FIELDS.connection]?.toLowerCase() ?? 'keep-alive';
  const isPlain =
    values[FIELDS.host] !== undefined &&
    LENGTH.test(length) &&
    (connection === 'keep-alive' || connection === 'close') &&
    // No standard defines it, but Node's parser treats it as `connection`.
    values[FIELDS['proxy-connection']] === undefined &&
    values[FIELDS['transfer-encoding']] === undefined &&
    values[FIELDS.upgrade] === undefined &&
    values[FIELDS.expect] === undefined &&
    values[FIELDS.trailer] === undefined;
  if (!isPlain) return null;
  return {
    line: text.slice(0, lineEnd),
    length: Number(length),
    closes: connection === 'close',
    authorization: values[FIELDS.authorization],
    forwardedFor: values[FIELDS['x-forwarded-for']],
    contentType: values[FIELDS['content-type']],
    contentEncoding: values[FIELDS['content-encoding']],
    apiKey: values[FIELDS['x-api-key']],
    anthropicVersion: values[FIELDS['anthropic-version']],
    anthropicBeta: values[FIELDS['anthropic-beta']],
    maxCost: values[FIELDS['x-faregate-max-cost']],
    reportCost: values[FIELDS['x-faregate-report-cost']],
    forwardedBy: values[FIELDS['x-faregate-forwarded']],
    idempotencyKey: values[FIELDS['idempotency-key']],
    requestId: values[FIELDS['x-request-id']],
    session: values[FIELDS['session-id']],
    underscoredSession: values[FIELDS.session_id],
    claudeCodeSession: values[FIELDS['x-claude-code-session-id']],
    prefixedSession: values[FIELDS['x-session-id']],
    traceParent: values[FIELDS.traceparent],
    traceState: values[FIELDS.tracestate],
  };
}

/** The values of the known fields of the head that is being read, by their places in FIELDS. */
const values: (string | undefined)[] = Object.values(FIELDS).map(() => undefined);

/** Reads the known fields from `from` on; false if one comes twice, or there are too many. */
function readFields(text: string, from: number): boolean {
  values.fill(undefined);
  let fields = 0;
  for (let at = from; at < text.length; fields++) {
    if (fields === FIELDS_MAX) return false;
    const colon = text.indexOf(':', at);
    const end = text.indexOf('\r\n', colon);
    const place = placeOf(text, at, colon);
    if (place !== null) {
      if (values[place] !== undefined) return false;
      values[place] = valueOf(text, colon + 1, end);
    }
    at = end + 2;
  }
  return true;
}

/** The value between these positions, without the white space around it: mostly one space before it. */
function valueOf(text: string, from: number, to: number): string {
  const isUsual =
    text.charCodeAt(from) === SPACE && text.charCodeAt(from + 1) > SPACE && text.charCodeAt(to - 1) > SPACE;
  return isUsual ? text.slice(from + 1, to) : text.slice(from, to).trim();
}

/** The index of the value of the field with that name; null if the field is unknown. */
function placeOf(text: string, from: number, to: number): number | null {
  const candidates = FIELDS_BY_LENGTH[to - from];
  if (candidates === undefined) return null;
  for (const { name, first, place } of candidates) {
    if ((text.charCodeAt(from) | CASE_BIT) !== first) continue;
    if (text.startsWith(name, from) || text.slice(from, to).toLowerCase() === name) return place;
  }
  return null;
}
