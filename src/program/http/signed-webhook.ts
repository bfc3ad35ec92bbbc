import type { IncomingMessage } from 'node:http';
import { isRefusal, refuse, type Refusal } from '../../domain/refusals.ts';
import type { BodyReads } from './body-reads.ts';
import type { NodeHandler } from './api-routes.ts';
import { turnAway } from './turn-away.ts';

// The way in for a payment provider's webhooks. Anybody may send one, so nothing is believed, and no place is taken, before
// its body is read and signed by the provider.

const BODY_BYTES_MAX = 262_144;
const APPLYING_MAX = 20;
const RETRY_AFTER_MS = 1_000;

interface WebhookParts<Event> {
  readonly reads: BodyReads;
  /** The header that holds the signature, in lower case. */
  readonly signatureHeader: string;
  /** The event in a body as it was sent, null if it isn't about this instance; a refusal if it is not signed. */
  readonly read: (body: Buffer, signature: string) => Event | null | Refusal;
  /** Puts an event into effect; a refusal if that is impossible now. */
  readonly apply: (event: Event) => Promise<Refusal | null>;
}

/** Answers 200 once the event in a body is in effect. The sender repeats whatever is answered otherwise. */
export function signedWebhook<Event extends object>(parts: WebhookParts<Event>): NodeHandler {
  const { reads, signatureHeader, read, apply } = parts;
  let applying = 0;
  const take = async (message: IncomingMessage): Promise<Refusal | null> => {
    const received = await reads.read(message, BODY_BYTES_MAX);
    if (isRefusal(received)) return received;
    try {
      const event = read(received.body, textOf(message, signatureHeader));
      if (event === null || isRefusal(event)) return event;
      if (applying >= APPLYING_MAX) return busy();
      applying += 1;
      try {
        return await apply(event);
      } finally {
        applying -= 1;
      }
    } finally {
      received.drop();
    }
  };
  return async (message, response) => {
    if (message.method !== 'POST') {
      return turnAway(response, refuse('METHOD_NOT_ALLOWED', 'This path allows POST.', { allow: 'POST' }));
    }
    const refusal = await take(message);
    if (refusal !== null) return turnAway(response, refusal);
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end('{"received":true}');
  };
}

function textOf({ headers }: IncomingMessage, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
}

function busy(): Refusal {
  const message = 'Too many webhooks are in progress; send it again.';
  return refuse('SERVICE_UNAVAILABLE', message, { retryAfterMs: RETRY_AFTER_MS });
}
