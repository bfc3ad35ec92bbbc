import type { JsonObject } from '../openai/json-object.ts';
import { encodeEvent, encodeLine } from '../openai/sse.ts';

// Events of streams whose clients want the type of each beside it.

/** An event that is made here. */
export type NamedEvent = JsonObject & { readonly type: string };

/** The text of an event as it goes over the wire; `type` is empty if it has none. */
export function namedEvent(type: string, payload: Buffer): string {
  return (type === '' ? '' : `event: ${type}\n`) + encodeEvent(payload);
}

/** The same of an event that is made here. */
export function writtenEvent(event: NamedEvent): string {
  return `event: ${event.type}\n${encodeLine(JSON.stringify(event))}`;
}
