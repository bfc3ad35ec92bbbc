/** What the load generator is to do. */
export interface LoadPlan {
  /** Connections are dealt out to these, one after the other. */
  readonly ports: readonly number[];
  /** Where requests go, and what they send. */
  readonly path: string;
  readonly body: string;
  /** API keys, taken by lot or one after the other; none: requests go without. */
  readonly keys: readonly string[];
  readonly keyOrder: 'random' | 'sequence';
  readonly connections: number;
  /** Requests a second, at moments drawn by lot as independent callers choose them; null: each connection sends its next one at once. */
  readonly perSecond: number | null;
  /** Connections begin spread over this time, so that paced streams don't march in step. */
  readonly rampMs: number;
  /** How many requests are sent; null: until it is stopped. */
  readonly requestsMax: number | null;
}

/** Milliseconds. */
export interface Quantiles {
  readonly p50: number;
  readonly p99: number;
  readonly p999: number;
}

/** What was answered within a window. */
export interface LoadWindow {
  readonly seconds: number;
  readonly requests: number;
  /** From sending to the last byte. With a rate, a request that finds no free connection has been waiting since it was due. */
  readonly latency: Quantiles;
  /** To the body's first byte. */
  readonly firstByte: Quantiles;
}

/** What became of all requests. */
export interface LoadTotals {
  readonly ok: number;
  /** Other statuses and broken or unfinished answers, by name. */
  readonly failures: Readonly<Record<string, number>>;
}
