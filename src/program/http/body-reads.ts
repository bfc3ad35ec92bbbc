import type { IncomingMessage } from 'node:http';
import type { CallerAddresses } from '../../lib/caller-addresses.ts';
import { refuse, type Refusal } from '../../domain/refusals.ts';
import type { ReadFailure } from '../../gate/gateway/caller.ts';
import type { ByteBudget } from '../../lib/byte-budget.ts';
import { GatheredBytes } from '../../lib/gathered-bytes.ts';
import { siteOf } from '../../lib/network.ts';
import { YieldingPlaces } from '../../lib/yielding-places.ts';
import { readBody } from './body-reader.ts';

/** How many bodies of strangers are read at a time: of all, and of one site (`siteOf`). */
const READS = { most: 128, mostPerKey: 16 };
const READ_MS_MAX = 10_000;
const RETRY_AFTER_MS = 1_000;

/** A body that was read. Its memory is held until it is dropped. */
export interface ReadableBody {
  readonly body: Buffer;
  readonly drop: () => void;
}

interface BodyReadParts {
  readonly addresses: CallerAddresses;
  readonly budget: ByteBudget;
  readonly readMsMax?: number;
}

/**
 * Reads the bodies of requests whose callers are not known yet. Unfinished bodies of one site are the first that are given
 * up when there are too many, and none is read for long, so they keep nobody else's from being read.
 */
export class BodyReads {
  readonly #parts: BodyReadParts;
  readonly #places = new YieldingPlaces(READS);

  constructor(parts: BodyReadParts) {
    this.#parts = parts;
  }

  /** How many bodies are being read. */
  get reading(): number {
    return this.#places.taken;
  }

  /** The body of a request, of at most so many bytes; or the refusal, after which the connection has to be closed. */
  async read(message: IncomingMessage, bytesMax: number): Promise<ReadableBody | Refusal> {
    const { addresses, budget, readMsMax = READ_MS_MAX } = this.#parts;
    const gathered = new GatheredBytes(bytesMax, budget);
    const stop = Promise.withResolvers<'too_slow' | 'displaced'>();
    const site = siteOf(addresses.find(message.socket.remoteAddress ?? '', forwardedIn(message)));
    const leave = this.#places.take(site, () => stop.resolve('displaced'));
    const timer = setTimeout(() => stop.resolve('too_slow'), readMsMax);
    try {
      const body = await Promise.race([readBody(message, gathered), stop.promise]);
      if (Buffer.isBuffer(body)) return { body, drop: () => gathered.drop() };
      gathered.drop();
      return refusalOf(body, { bytesMax, readMsMax });
    } finally {
      clearTimeout(timer);
      leave();
    }
  }
}

function forwardedIn({ headers }: IncomingMessage): string | undefined {
  const value = headers['x-forwarded-for'];
  return Array.isArray(value) ? value.join(',') : value;
}

function refusalOf(
  failure: ReadFailure | 'too_slow' | 'displaced',
  { bytesMax, readMsMax }: { readonly bytesMax: number; readonly readMsMax: number },
): Refusal {
  switch (failure) {
    case 'too_large':
      return refuse('REQUEST_TOO_LARGE', `The body may have ${bytesMax} bytes at most.`);
    case 'fragmented':
      return refuse('INVALID_REQUEST', 'The body comes in too many small pieces; send it whole.');
    case 'too_slow':
      return refuse('REQUEST_TIMEOUT', `The body did not arrive within ${readMsMax / 1_000} s.`);
    case 'displaced':
    case 'overloaded':
    case 'gone':
      return refuse('SERVICE_UNAVAILABLE', 'Too many requests are being received: try again in a moment.', {
        retryAfterMs: RETRY_AFTER_MS,
      });
  }
}
