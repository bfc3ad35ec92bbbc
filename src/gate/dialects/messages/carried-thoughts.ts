import { isObject, type JsonObject } from '../../openai/json-object.ts';

// What a model's provider needs back in the next turn and this API has no place for, in the one place whose content its
// clients send back unchanged: the signature of a thought. Reasoning that no provider has signed gets such a signature
// too, for clients drop a thought without one.

const PREFIX = 'faregate.';

/** What a turn of the assistant brings back beside its blocks. */
export interface CarriedThoughts {
  /** Whether the thought is the model's own text, which chat knows as reasoning. */
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

/** Carries them in a signature. */
export function signatureOf(carried: CarriedThoughts): string {
  return PREFIX + Buffer.from(JSON.stringify(carried)).toString('base64url');
}

/** What a signature carries; null if it was made elsewhere. */
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
