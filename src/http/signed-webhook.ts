import type { IncomingMessage, ServerResponse } from 'node:http';
import { refuse, type Refusal } from '../domain/refusals.ts';
import type { ReadFailure } from '../gateway/caller.ts';
import type { ByteBudget } from '../lib/byte-budget.ts';
import { GatheredBytes } from '../lib/gathered-bytes.ts';
import { readBody } from './body-reader.ts';
import { refusalResponse } from './refusal-response.ts';
import type { NodeHandler } from './routes.ts';

// The way in for a payment provider's webhooks. Anybody may send one, so its body is bounded, few are served at a time, and
// nothing is believed before its signature is.

const BODY_BYTES_MAX = 262_144;
const RUNNING_MAX = 20;
const RETRY_AFTER_MS = 1_000;

interface WebhookParts {
  readonly budget: ByteBudget;
  /** The header that holds the signature, in lower case. */
  readonly signatureHeader: string;
  /** Takes the body as it was sent; a refusal if it is not signed, or can't be taken now. */
  readonly receive: (body: Buffer, signature: string) => Promise<Refusal | null>;
}

/** Answers 200 once the event in a body is in effect. The sender repeats whatever is answered otherwise. */
export function signedWebhook({ budget, signatureHeader, receive }: WebhookParts): NodeHandler {
  let running = 0;
  return async (message, response) => {
    if (message.method !== 'POST') {
      return turnAway(response, refuse('METHOD_NOT_ALLOWED', 'This path allows POST.', { allow: 'POST' }));
    }
    if (running >= RUNNING_MAX) return turnAway(response, busy());
    running += 1;
    const gathered = new GatheredBytes(BODY_BYTES_MAX, budget);
    try {
      const body = await readBody(message, gathered);
      const refusal = Buffer.isBuffer(body) ? await receive(body, textOf(message, signatureHeader)) : unreadable(body);
      if (refusal !== null) return turnAway(response, refusal);
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end('{"received":true}');
    } finally {
      gathered.drop();
      running -= 1;
    }
  };
}

function textOf({ headers }: IncomingMessage, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
}

function unreadable(failure: ReadFailure): Refusal {
  switch (failure) {
    case 'too_large':
      return refuse('REQUEST_TOO_LARGE', `A webhook may have ${BODY_BYTES_MAX} bytes at most.`);
    case 'fragmented':
      return refuse('INVALID_REQUEST', 'The body comes in too many small pieces; send it whole.');
    case 'overloaded':
    case 'gone':
      return busy();
  }
}

function busy(): Refusal {
  return refuse('SERVICE_UNAVAILABLE', 'Too much is being served already.', { retryAfterMs: RETRY_AFTER_MS });
}

function turnAway(response: ServerResponse, refusal: Refusal): void {
  const { status, headers, body } = refusalResponse(refusal, String(response.getHeader('x-request-id')));
  response.writeHead(status, ['connection', 'close', ...headers]);
  response.end(body);
}
