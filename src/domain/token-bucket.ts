// The rule of a token bucket, in integers so that "wait exactly this long" is exact. A bucket of n per minute holds n
// permits of 60,000 parts each and regains n parts a millisecond. Permits that processes have drawn into their stock
// count as if they were in the bucket, so that stock and bucket together never exceed n.

export const PARTS_PER_PERMIT = 60_000;

export interface Bucket {
  readonly perMinute: number;
  /** Parts left at `atMs`; negative if more was used than requested. */
  readonly parts: number;
  readonly atMs: number;
}

/** State of one limit, as far as known. */
export interface Allowance {
  /** Permits a minute. */
  readonly limit: number;
  readonly remaining: number;
  /** The time until the whole limit is available again, if nothing is taken. */
  readonly resetMs: number;
}

/** A project's limits per minute as a caller sees them; null if there is none. */
export interface RateStanding {
  readonly requests: Allowance | null;
  readonly tokens: Allowance | null;
}

/** A bucket before its first draw. */
export function fullBucket(perMinute: number, nowMs: number): Bucket {
  return { perMinute, parts: perMinute * PARTS_PER_PERMIT, atMs: Math.floor(nowMs) };
}

/** The same bucket at a later instant, under a limit that may have changed, while that many permits are in stock. */
export function refilled(bucket: Bucket, perMinute: number, nowMs: number, inStock = 0): Bucket {
  const atMs = Math.floor(nowMs);
  const regained = Math.max(0, atMs - bucket.atMs) * perMinute;
  return { perMinute, parts: Math.min(bucket.parts + regained, (perMinute - inStock) * PARTS_PER_PERMIT), atMs };
}

/** A request's tokens from a bucket: never more than a full bucket. */
export function clampToBucket(perMinute: number | null, permits: number): number {
  return perMinute === null ? permits : Math.min(permits, perMinute);
}

/** The milliseconds until this many permits are available; 0 if they are. */
export function waitFor(bucket: Bucket, permits: number): number {
  const missing = clampToBucket(bucket.perMinute, permits) * PARTS_PER_PERMIT - bucket.parts;
  return missing <= 0 ? 0 : Math.ceil(missing / bucket.perMinute);
}

/**
 * Takes permits, or returns them if the number is negative; the bucket never exceeds its capacity, including stock.
 */
export function taken(bucket: Bucket, permits: number, inStock = 0): Bucket {
  const most = (bucket.perMinute - inStock) * PARTS_PER_PERMIT;
  return { ...bucket, parts: Math.min(bucket.parts - permits * PARTS_PER_PERMIT, most) };
}

/** State of a rate limit whose permits are split between the bucket and this process's stock. */
export function allowanceOf(bucket: Bucket, inStock: number): Allowance {
  const limit = bucket.perMinute;
  const parts = Math.min(bucket.parts + inStock * PARTS_PER_PERMIT, limit * PARTS_PER_PERMIT);
  const missing = limit * PARTS_PER_PERMIT - parts;
  return {
    limit,
    remaining: Math.max(0, Math.floor(parts / PARTS_PER_PERMIT)),
    resetMs: Math.ceil(missing / limit),
  };
}
