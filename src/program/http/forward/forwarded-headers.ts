import type { IncomingMessage } from 'node:http';
import {
  type Caller,
  FORWARDED_HEADER,
  IDEMPOTENCY_HEADER,
  MAX_COST_HEADER,
  REPORT_COST_HEADER,
} from '../../../gate/gateway/caller.ts';

// What passes between cells: headers that a cell reads of a request, and those that it writes in an answer. All others, those of a
// single connection among them, stay.

/** The headers of a request as it is forwarded by the cell with this shard, on behalf of a caller at this address. */
export function forwardedHeaders(caller: Caller, shard: string, address: string): Record<string, string> {
  const given: Readonly<Record<string, string | null | undefined>> = {
    authorization: caller.authorization,
    'x-api-key': caller.apiKey,
    'content-type': caller.contentType,
    'content-encoding': caller.contentEncoding,
    'anthropic-version': caller.anthropicVersion,
    'anthropic-beta': caller.anthropicBeta,
    [MAX_COST_HEADER]: caller.maxCost,
    [REPORT_COST_HEADER]: caller.reportCost,
    [IDEMPOTENCY_HEADER.toLowerCase()]: caller.idempotencyKey,
    'x-request-id': caller.clientRequestId,
    'session-id': caller.session,
    traceparent: caller.traceParent,
    tracestate: caller.traceState,
    'x-forwarded-for': address,
    [FORWARDED_HEADER]: caller.forwardedBy === undefined ? shard : `${caller.forwardedBy},${shard}`,
  };
  const present = Object.entries(given).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return Object.fromEntries(present);
}

/** The header by which an answer shows that Faregate gives it. */
const ID_HEADER = 'x-request-id';

const ANSWER_HEADERS: ReadonlySet<string> = new Set([
  ID_HEADER,
  'request-id',
  'content-type',
  'cache-control',
  'x-accel-buffering',
  'retry-after',
  'retry-after-ms',
  'x-should-retry',
  'www-authenticate',
  'allow',
]);
const ANSWER_PREFIXES = ['x-faregate-', 'x-ratelimit-'];

/** The headers of a cell's answer that pass, names and values in turn; null: what answers is no Faregate. */
export function relayedHeaders({ headers, statusCode = 0 }: IncomingMessage): readonly string[] | null {
  if (headers[ID_HEADER] === undefined || statusCode < 200) return null;
  return Object.entries(headers).flatMap(([name, value]) =>
    typeof value === 'string' && passes(name) ? [name, value] : [],
  );
}

function passes(name: string): boolean {
  return ANSWER_HEADERS.has(name) || ANSWER_PREFIXES.some((prefix) => name.startsWith(prefix));
}
