import { isObject, type JsonObject } from '../json-object.ts';
import { withoutSecret } from '../without-secret.ts';

const ERROR_WORD = Buffer.from('"error"');

/** An error stands under that name; that of an older vLLM is the object itself, which says so. */
function isError(body: JsonObject): boolean {
  return (body['error'] !== undefined && body['error'] !== null) || body['object'] === 'error';
}

/**
 * The parsed payload where it is an error, the secret masked in it; null where it is anything else. Payloads that don't
 * have the word as a key or value, which is nearly all of them, are not parsed. Quotes inside JSON strings are escaped,
 * so a text that quotes the word doesn't count.
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
