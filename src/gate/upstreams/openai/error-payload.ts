import { NameTable } from '../../openai/json-names.ts';
import { JsonScan, type PassedValues } from '../../openai/json-scan.ts';
import { isObject, type JsonObject } from '../../openai/json-object.ts';
import { withoutSecret } from '../without-secret.ts';

const ERROR_WORD = Buffer.from('"error"');
const NAMES = new NameTable(['error']);

/** More than any error has. */
const ERROR_BYTES_MAX = 65_536;
/** More than the members of any answer, without its large values. */
const STRUCTURE_MAX = 1_000_000;
const NO_ERROR = Buffer.alloc(0);

/** Errors are under that name; older vLLM's is the object itself, marked as one. */
function isError(body: JsonObject): boolean {
  return (body['error'] !== undefined && body['error'] !== null) || body['object'] === 'error';
}

/** A large body without anything but its error; empty if it has none. */
export function errorPart(body: Buffer, passed: PassedValues): Buffer {
  const scan = new JsonScan(body, STRUCTURE_MAX, passed);
  if (!scan.enterObject()) return NO_ERROR;
  while (scan.nextMember()) {
    const start = scan.at;
    scan.skip();
    if (scan.keyIn(NAMES) === undefined || scan.at - start > ERROR_BYTES_MAX) continue;
    return Buffer.concat([Buffer.from('{"error":'), body.subarray(start, scan.at), Buffer.from('}')]);
  }
  return NO_ERROR;
}

/**
 * The parsed payload if it is an error, with the secret masked; null otherwise. Payloads without the word as a key or
 * value, which are nearly all, are not parsed. Quotes inside JSON strings are escaped, so a text that quotes the word
 * doesn't match.
 */
export function readErrorPayload(payload: Buffer, secret: string | null): JsonObject | null {
  if (!payload.includes(ERROR_WORD)) return null;
  let parsed: unknown;
  try {
    parsed = JSON.parse(withoutSecret(payload, secret).toString());
  } catch {
    return null;
  }
  // Gemini's endpoint wraps an error in an array.
  const body: unknown = Array.isArray(parsed) ? parsed[0] : parsed;
  return isObject(body) && isError(body) ? body : null;
}
