import { isObject } from './json-object.ts';

// Error bodies: the gateway's, which always have all four keys, and those of upstreams, which have any shape and are
// never passed on unchanged.

/** The fields of an error body. `details` is an addition for programs that handle errors. */
export interface ErrorText {
  readonly code: string | null;
  readonly type: string;
  readonly message: string;
  readonly param: string | null;
  readonly details?: Readonly<Record<string, unknown>>;
}

/** An upstream's error, with credentials masked and its message at most 500 characters long. */
export interface UpstreamError {
  readonly message: string;
  readonly type: string | null;
  readonly param: string | null;
  readonly code: string | null;
}

const MAX_MESSAGE = 500;
const MAX_FIELD = 100;
/** The most of a text that is masked; bounds the work. */
const MAX_LOOK = 4000;
/** The most of an upstream's error body that is read. */
const MAX_BODY = 64 * 1024;

/** The body of an error response, or the payload of an error event. */
export function renderErrorBody({ code, type, message, param, details }: ErrorText): Buffer {
  const error = { message, type, param, code, ...(details === undefined ? {} : { details }) };
  return Buffer.from(JSON.stringify({ error }));
}

/** Reads an upstream's error body: JSON of any known shape, else its text. Null if it has neither. */
export function readUpstreamError(body: Buffer): UpstreamError | null {
  const text = body.toString('utf8', 0, MAX_BODY).trim();
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    value = text.startsWith('<') ? htmlTitle(text) : text;
  }
  return describeError(value);
}

/** The error that a parsed body, or the value of its `error`, describes. */
export function describeError(value: unknown): UpstreamError | null {
  // Gemini's endpoints wrap the body in an array.
  const body: unknown = Array.isArray(value) ? value[0] : value;
  if (typeof body === 'string') return upstreamError(body, {});
  if (!isObject(body)) return null;
  const { error } = body;
  if (typeof error === 'string') return upstreamError(error, body);
  if (isObject(error)) return upstreamError(messageOf(error) ?? '', error);
  const message = messageOf(body);
  return message === null ? null : upstreamError(message, body);
}

/** The message of an error object; FastAPI's `detail` is a text or a list of complaints. */
function messageOf(error: Record<string, unknown>): string | null {
  for (const said of [error['message'], error['detail'], error['error_description'], error['msg']]) {
    if (typeof said === 'string') return said;
    const first: unknown = Array.isArray(said) ? said[0] : undefined;
    if (isObject(first) && typeof first['msg'] === 'string') return first['msg'];
    if (isObject(said)) return messageOf(said);
  }
  return null;
}

function upstreamError(message: string, fields: Record<string, unknown>): UpstreamError | null {
  const safe = maskCredentials(message, MAX_MESSAGE);
  // Gemini's type is a word in `status`; Azure's `status` is the number once more.
  const status = typeof fields['status'] === 'string' ? fields['status'] : null;
  const type = fieldText(fields['type'] ?? status);
  const code = fieldText(fields['code']);
  if (safe === '' && type === null && code === null) return null;
  return { message: safe === '' ? 'no message' : safe, type, param: fieldText(fields['param']), code };
}

/** Vendors send strings, integers, null or nothing. */
function fieldText(value: unknown): string | null {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? maskCredentials(value, MAX_FIELD) : null;
}

function htmlTitle(html: string): string {
  const title = /<title[^>]{0,200}>([^<]{1,200})</i.exec(html)?.[1]?.trim();
  return title ?? 'an HTML page';
}

const MASK = '[masked]';

/** Text after these words is a credential, whatever its form. */
const INTRODUCED =
  /\b(bearer|basic|(?:api|access|secret)[ _-]?(?:key|token)s?(?: provided| is|)["']?[:=]?)(\s*["']?)[^\s"',;]{6,}/gi;

/** Tokens with a vendor's well-known prefix. */
const PREFIXED = /\b(?:sk|pk|rk|gsk|xai|hf|r8|fg|pplx|nvapi|ghp|AIza|AKIA|ya29|eyJ)[-_A-Za-z0-9.*]{8,}/g;

/** Long runs of letters and digits: keys have them, words and model names don't. */
const LONG_RUN = /[A-Za-z0-9_+]{24,}={0,2}/g;
const isKeyLike = (run: string): boolean => /\d/.test(run) && /[A-Za-z]/.test(run);

/** One line of `text`, at most `length` characters long, with everything masked that looks like a credential. */
export function maskCredentials(text: string, length: number): string {
  const line = text
    .slice(0, MAX_LOOK)
    .replace(/[\u0000-\u0020\u007f-\u009f]+/g, ' ')
    .replace(INTRODUCED, `$1$2${MASK}`)
    .replace(PREFIXED, MASK)
    .replace(LONG_RUN, (run) => (isKeyLike(run) ? MASK : run))
    .trim();
  return line.length <= length ? line : `${line.slice(0, length - 1).toWellFormed()}…`;
}
