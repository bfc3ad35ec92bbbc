import { isObject, type JsonObject } from '../../openai/json-object.ts';

// A model's reasoning in the form in which it must be sent back, in the `encrypted_content` of a reasoning item. Chat
// has it in several places: a text next to the content, signed blocks of thinking, and signatures of texts and calls.
// Callers return `encrypted_content` unchanged, so it carries all of them.

const PREFIX = 'fgr1.';

/** The parts of a chat message with reasoning that the provider needs back. */
export interface Capsule {
  /** Whether the item's summary is the message's `reasoning_content`, word for word. */
  readonly isReasoning: boolean;
  /** `thinking_blocks` of the message. */
  readonly thinking: readonly unknown[];
  /** `extra_content` of the message; undefined if it has none. */
  readonly message: unknown;
  /** `extra_content` of its calls, by their ids. */
  readonly calls: Readonly<Record<string, unknown>>;
}

const OPENING = Buffer.from(`"${PREFIX}`);

/** Whether the JSON string at this place of a body is such a text. */
export function isCapsuleAt(body: Buffer, at: number): boolean {
  return body.compare(OPENING, 0, OPENING.length, at, at + OPENING.length) === 0;
}

/** The text for `encrypted_content`. It is encoded, not encrypted: it holds what its reader has been given anyway. */
export function sealCapsule({ isReasoning, thinking, message, calls }: Capsule): string {
  const content = {
    ...(isReasoning ? { isReasoning } : {}),
    ...(thinking.length === 0 ? {} : { thinking }),
    ...(message === undefined ? {} : { message }),
    ...(Object.keys(calls).length === 0 ? {} : { calls }),
  };
  return PREFIX + Buffer.from(JSON.stringify(content)).toString('base64url');
}

/** The contents of a reasoning item; null if its `encrypted_content` was made elsewhere. */
export function openCapsule(encrypted: unknown): Capsule | null {
  if (typeof encrypted !== 'string' || !encrypted.startsWith(PREFIX)) return null;
  const content = parsed(Buffer.from(encrypted.slice(PREFIX.length), 'base64url').toString());
  if (content === null) return null;
  const { isReasoning, thinking, message, calls } = content;
  return {
    isReasoning: isReasoning === true,
    thinking: Array.isArray(thinking) ? (thinking as readonly unknown[]) : [],
    message,
    calls: isObject(calls) ? calls : {},
  };
}

function parsed(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}
