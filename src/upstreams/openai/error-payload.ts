import { isObject, type JsonObject } from '../json-object.ts';

const ERROR_KEY = Buffer.from('"error"');
const MASK = '[masked]';

/**
 * The bytes without the provider's key, which some servers repeat when they refuse it. Keys of a well-known form are
 * masked anyway; this one may look like anything.
 */
export function withoutSecret(bytes: Buffer, secret: string | null): Buffer {
  if (secret === null || secret === '' || !bytes.includes(secret)) return bytes;
  return Buffer.from(bytes.toString().replaceAll(secret, MASK));
}

/**
 * The parsed payload where it is an object with an `error` that isn't null, the secret masked in it; null where it is
 * anything else. Payloads that don't have the word as a key or value, which is nearly all of them, are not parsed.
 * Quotes inside JSON strings are escaped, so a text that quotes the word doesn't count.
 */
export function readErrorPayload(payload: Buffer, secret: string | null): JsonObject | null {
  if (!payload.includes(ERROR_KEY)) return null;
  let parsed: unknown;
  try {
    parsed = JSON.parse(withoutSecret(payload, secret).toString());
  } catch {
    return null;
  }
  // Gemini's endpoint wraps an error in an array.
  const body: unknown = Array.isArray(parsed) ? parsed[0] : parsed;
  return isObject(body) && body['error'] !== undefined && body['error'] !== null ? body : null;
}
