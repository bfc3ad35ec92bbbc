import type { JsonObject } from '../openai/json-object.ts';
import { encodeEvent, encodeLine } from '../openai/sse.ts';

// Events of streams whose clients need the type of each event as a separate line.

/** An event written by the gateway. */
export type NamedEvent = JsonObject & { readonly type: string };

/** The text of an event as it goes over the wire; `type` is empty if it has none. */
export function namedEvent(type: string, payload: Buffer): string {
  return (type === '' ? '' : `event: ${type}\n`) + encodeEvent(payload);
}

/** The wire text of an event written by the gateway. */
export function writtenEvent(event: NamedEvent): string {
  return `event: ${event.type}\n${encodeLine(JSON.stringify(event))}`;
}
