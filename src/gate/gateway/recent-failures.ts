import { crc32 } from 'node:zlib';
import type { Clock } from '../../lib/clock.ts';

// Requests that got no whole answer within the last minute, so that repeats of them are recognized: clients repeat a
// body byte for byte, and without an Idempotency-Key. Only failures are stored, and a body is hashed only if its key
// has a failure of the same length: a request of a key without any costs one look-up in a map.

/** How a request failed: before any attempt, or by the outcome on its receipt. */
export const FAILURES = ['refused', 'failed', 'interrupted', 'abandoned'] as const;

export type Failure = (typeof FAILURES)[number];

interface FailedRequest {
  readonly checksum: number;
  readonly atMs: number;
  readonly how: Failure;
}

const REMEMBERED_MS = 60_000;
/** The most requests remembered per key and length; the oldest are dropped first. */
const ALIKE_MAX = 64;
/** The most pairs of key and length; those with the oldest last failure are dropped first. */
const PLACES_MAX = 10_000;

/** Bodies up to this length are hashed whole; of longer ones, as many bytes in evenly spaced spans. */
const WHOLE_BYTES = 16_384;
const SPAN_BYTES = 1_024;
const SPANS = WHOLE_BYTES / SPAN_BYTES;

/** The failures of this process. A repeat at another process is not recognized. */
export class RecentFailures {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  /** By key and length, in the order of their last failures. */
  readonly #places = new Map<string, FailedRequest[]>();

  constructor(clock: Pick<Clock, 'monotonicMs'>) {
    this.#clock = clock;
  }

  /** Remembers a request of this key that failed. */
  add(keyId: string, body: Buffer, how: Failure): void {
    const atMs = this.#clock.monotonicMs();
    const place = placeOf(keyId, body);
    const alike = this.#places.get(place) ?? [];
    alike.push({ checksum: checksumOf(body), atMs, how });
    if (alike.length > ALIKE_MAX) alike.shift();
    this.#places.delete(place);
    this.#places.set(place, alike);
    this.#forget(atMs);
  }

  /** How the request that this one repeats failed; null if it repeats none. A failure is repeated once. */
  takeRepeated(keyId: string, body: Buffer): Failure | null {
    if (this.#places.size === 0) return null;
    const place = placeOf(keyId, body);
    const alike = this.#places.get(place);
    if (alike === undefined) return null;
    const checksum = checksumOf(body);
    const sinceMs = this.#clock.monotonicMs() - REMEMBERED_MS;
    const found = alike.findIndex((failed) => failed.checksum === checksum && failed.atMs > sinceMs);
    const [failed] = found === -1 ? [] : alike.splice(found, 1);
    if (alike.length === 0) this.#places.delete(place);
    return failed?.how ?? null;
  }

  #forget(nowMs: number): void {
    for (const [place, alike] of this.#places) {
      const lastMs = alike.at(-1)?.atMs ?? 0;
      if (lastMs > nowMs - REMEMBERED_MS && this.#places.size <= PLACES_MAX) return;
      this.#places.delete(place);
    }
  }
}

function placeOf(keyId: string, body: Buffer): string {
  return `${keyId} ${body.length}`;
}

function checksumOf(body: Buffer): number {
  if (body.length <= WHOLE_BYTES) return crc32(body);
  const distance = (body.length - SPAN_BYTES) / (SPANS - 1);
  let checksum = 0;
  for (let span = 0; span < SPANS; span++) {
    const from = Math.floor(span * distance);
    checksum = crc32(body.subarray(from, from + SPAN_BYTES), checksum);
  }
  return checksum;
}
