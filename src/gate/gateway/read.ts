import { isRefusal, type Refusal, refuse } from '../../domain/refusals.ts';
import { type NanoUsd, parseUsd } from '../../domain/money.ts';
import type { CompletionEndpoint, CompletionRequest } from '../dialects/dialect.ts';
import { DIALECTS } from '../dialects/dialects.ts';
import { andThen, type MaybeAsync } from '../../lib/maybe-async.ts';
import { LARGE_BYTES, ownTurn } from '../../lib/own-turn.ts';
import { type Caller, MAX_COST_HEADER, type ReadFailure, REPORT_COST_HEADER } from './caller.ts';
import type { KeptResponse } from './response-store.ts';
import { invalidBody } from './invalid-body.ts';

const RETRY_MS = 1_000;

/** A parsed request of any endpoint. */
export interface ParsedRequest {
  readonly request: CompletionRequest;
  /** The caller's bound on its cost; null if there is none. */
  readonly maxCost: NanoUsd | null;
  /** Whether the caller wants the charge in the usage of the answer; null if it doesn't say. */
  readonly reportsCost: boolean | null;
  /** The body as the caller sent it. */
  readonly received: Buffer;
  /** What its answer continues; null if the answer isn't kept. */
  readonly keeping: Keeping | null;
}

/** The earlier requests that a kept answer continues. */
export type Keeping = Pick<KeptResponse, 'previousRequestId' | 'goesOnFrom'>;

/** Reads and checks a request for this endpoint. Synchronous if the body is complete. Null if the client disconnected. */
export function read(caller: Caller, endpoint: CompletionEndpoint): MaybeAsync<ParsedRequest | Refusal | null> {
  return andThen(receive(caller), (received): MaybeAsync<ParsedRequest | Refusal | null> => {
    if (!Buffer.isBuffer(received)) return received;
    const turn = received.length > LARGE_BYTES ? ownTurn() : undefined;
    return andThen(turn, () => interpret(caller, received, endpoint));
  });
}

/** Whether the head of a request already shows that its body will be refused. */
export function isUnreadable(caller: Caller): boolean {
  return checkType(caller) !== null || (caller.bodyBytes ?? 0) > caller.bodyBytesMax;
}

/** Reads the raw body. Synchronous if it is complete. Null if the client disconnected. */
export function receive(caller: Caller): MaybeAsync<Buffer | Refusal | null> {
  const typeFault = checkType(caller);
  if (typeFault !== null) return typeFault;
  return andThen(caller.readBody(), (received) => checkBody(received, caller.bodyBytesMax));
}

function checkBody(body: Buffer | ReadFailure, bodyBytesMax: number): Buffer | Refusal | null {
  if (body === 'gone') return null;
  if (!Buffer.isBuffer(body)) return bodyRefusal(body, bodyBytesMax);
  return body.length === 0 ? refuse('INVALID_REQUEST', 'The body is empty; it must be a JSON object.') : body;
}

/** Parses and checks the body and the headers. */
export function interpret(
  caller: Pick<Caller, 'maxCost' | 'reportCost' | 'anthropicVersion' | 'anthropicBeta'>,
  body: Buffer,
  endpoint: CompletionEndpoint,
): ParsedRequest | Refusal {
  const result = DIALECTS[endpoint].read(body, caller);
  if (!result.ok) return invalidBody(result.fault);
  const maxCost = readMaxCost(caller.maxCost);
  if (isRefusal(maxCost)) return maxCost;
  const reportsCost = readReportCost(caller.reportCost);
  if (isRefusal(reportsCost)) return reportsCost;
  return { request: result.request, maxCost, reportsCost, received: body, keeping: null };
}

function readMaxCost(header: string | undefined): NanoUsd | null | Refusal {
  if (header === undefined) return null;
  const maxCost = header.startsWith('-') ? null : parseUsd(header);
  if (maxCost !== null) return maxCost;
  return refuse(
    'INVALID_REQUEST',
    `The header ${MAX_COST_HEADER} must be an amount of USD with at most nine decimals, such as 0.05.`,
    { param: MAX_COST_HEADER },
  );
}

function readReportCost(header: string | undefined): boolean | null | Refusal {
  if (header === undefined) return null;
  if (header === 'true' || header === 'false') return header === 'true';
  return refuse('INVALID_REQUEST', `The header ${REPORT_COST_HEADER} must be true or false.`, {
    param: REPORT_COST_HEADER,
  });
}

function checkType(caller: Caller): Refusal | null {
  const type = caller.contentType?.split(';', 1)[0]?.trim().toLowerCase();
  if (type !== 'application/json') {
    return refuse('UNSUPPORTED_MEDIA_TYPE', `The body must be sent as "content-type: application/json".`, {
      closeConnection: true,
    });
  }
  const encoding = caller.contentEncoding?.toLowerCase();
  if (encoding !== undefined && encoding !== 'identity') {
    return refuse(
      'UNSUPPORTED_MEDIA_TYPE',
      'Compressed request bodies are not accepted; send it without content-encoding.',
      {
        closeConnection: true,
      },
    );
  }
  return null;
}

/** The refusal of a request whose body could not be read. */
export function bodyRefusal(failure: Exclude<ReadFailure, 'gone'>, bodyBytesMax: number): Refusal {
  if (failure === 'too_large') {
    return refuse('REQUEST_TOO_LARGE', `The body is larger than the limit of ${bodyBytesMax} bytes.`, {
      closeConnection: true,
    });
  }
  if (failure === 'fragmented') {
    const message = 'The body comes in too many small pieces; send it whole, or in pieces of a kilobyte or more.';
    return refuse('INVALID_REQUEST', message, { closeConnection: true });
  }
  return refuse('SERVICE_UNAVAILABLE', 'Too many large requests are being read. Try again in a moment.', {
    retryAfterMs: RETRY_MS,
    closeConnection: true,
  });
}
