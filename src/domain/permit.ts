// The rule of a token bucket, in whole numbers so that "wait exactly this long" is exact. A bucket of n per minute
// holds n permits of 60,000 parts each and regains n parts a millisecond.

const PARTS_PER_PERMIT = 60_000;

export interface Bucket {
  readonly perMinute: number;
  /** Parts that are left at `atMs`; below zero where more was used than was asked for. */
  readonly parts: number;
  readonly atMs: number;
}

/** A bucket that nobody has drawn from. */
export function fullBucket(perMinute: number, nowMs: number): Bucket {
  return { perMinute, parts: perMinute * PARTS_PER_PERMIT, atMs: Math.floor(nowMs) };
}

/** The same bucket at a later instant, under a limit that may have changed. */
export function refilled(bucket: Bucket, perMinute: number, nowMs: number): Bucket {
  const atMs = Math.max(bucket.atMs, Math.floor(nowMs));
  const regained = (atMs - bucket.atMs) * perMinute;
  return { perMinute, parts: Math.min(bucket.parts + regained, perMinute * PARTS_PER_PERMIT), atMs };
}

/** What a request asks of a bucket: never more than the bucket can ever hold. */
export function clampToBucket(bucket: Bucket, permits: number): number {
  return Math.min(permits, bucket.perMinute);
}

/** How many milliseconds until this many permits are there; 0: they are. */
export function waitFor(bucket: Bucket, permits: number): number {
  const missing = clampToBucket(bucket, permits) * PARTS_PER_PERMIT - bucket.parts;
  return missing <= 0 ? 0 : Math.ceil(missing / bucket.perMinute);
}

/** Takes permits out, or puts them back where the number is negative; never fuller than full. */
export function taken(bucket: Bucket, permits: number): Bucket {
  const parts = Math.min(bucket.parts - permits * PARTS_PER_PERMIT, bucket.perMinute * PARTS_PER_PERMIT);
  return { ...bucket, parts };
}

export function isFull(bucket: Bucket): boolean {
  return bucket.parts >= bucket.perMinute * PARTS_PER_PERMIT;
}
