import { isObject, type JsonObject } from '../../openai/json-object.ts';

// Stores data that a model's provider needs back in the next turn and that this API has no member for, in the only
// place that clients return unchanged: the signature of a thought. Reasoning that no provider has signed gets such a
// signature too, because clients drop thoughts without one.

const PREFIX = 'faregate.';

/** Data that an assistant's turn returns in addition to its blocks. */
export interface CarriedThoughts {
  /** Whether the thought is the model's own text, sent to chat as reasoning. */
  readonly isReasoning: boolean;
  /** `extra_content` of the message. */
  readonly message?: unknown;
  /** `extra_content` of its calls, by their ids. */
  readonly calls?: JsonObject;
}

const OPENING = Buffer.from(`"${PREFIX}`);

/** Whether the JSON string at this place of a body is a signature that carries them. */
export function isCarriedAt(body: Buffer, at: number): boolean {
  return body.compare(OPENING, 0, OPENING.length, at, at + OPENING.length) === 0;
}

/** Encodes the data as a signature. */
export function signatureOf(carried: CarriedThoughts): string {
  return PREFIX + Buffer.from(JSON.stringify(carried)).toString('base64url');
}

/** Decodes a signature; null if it was made elsewhere. */
export function carriedBy(signature: unknown): CarriedThoughts | null {
  if (typeof signature !== 'string' || !signature.startsWith(PREFIX)) return null;
  try {
    const value: unknown = JSON.parse(Buffer.from(signature.slice(PREFIX.length), 'base64url').toString());
    if (!isObject(value)) return null;
    const { isReasoning, message, calls } = value;
    return { isReasoning: isReasoning === true, message, ...(isObject(calls) ? { calls } : {}) };
  } catch {
    return null;
  }
}
