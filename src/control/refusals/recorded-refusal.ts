import type { Principal } from '../../domain/principal.ts';
import { type FailingLevel, type MoneyShortage, type RefusalCode, REFUSALS } from '../../domain/refusals.ts';
import type { Endpoint, RefusedRequest } from '../../domain/refused-request.ts';
import type { RateStanding } from '../../domain/token-bucket.ts';

/** Which rate limit was exceeded, if one of the project's was, and how its limits per minute stood. */
export interface RateState extends RateStanding {
  readonly limit: 'requests' | 'tokens' | 'concurrency';
  readonly most: number;
}

/** A refusal as it is recorded: figures and names, never a part of a body but the name of the model and of a field. */
export interface RecordedRefusal {
  readonly requestId: string;
  readonly workspaceId: string;
  readonly projectId: string;
  readonly keyId: string;
  /** Milliseconds since the epoch. */
  readonly atMs: number;
  readonly code: RefusalCode;
  readonly status: number;
  readonly endpoint: Endpoint | null;
  readonly model: string | null;
  readonly param: string | null;
  readonly retryAfterMs: number | null;
  readonly shortage: MoneyShortage | null;
  readonly rate: RateState | null;
}

const TEXT_LENGTH_MAX = 200;

/** The record of a refusal to this caller. */
export function recordOf(
  { requestId, endpoint, model, refusal }: RefusedRequest,
  { workspaceId, projectId, keyId }: Principal,
  atMs: number,
): RecordedRefusal {
  const { code, param, retryAfterMs = null, shortage = null, rate, exceeded } = refusal;
  return {
    requestId,
    workspaceId,
    projectId,
    keyId,
    atMs,
    code,
    status: REFUSALS[code].status,
    endpoint,
    model: model === null ? null : storable(model),
    param: param === null ? null : storable(param),
    retryAfterMs,
    shortage,
    rate: rate === undefined || exceeded === undefined ? null : { ...exceeded, ...rate },
  };
}

/** The beginning of a text from a body, as the database accepts it, and as a copy: a slice would keep the body alive. */
function storable(text: string): string {
  const start = text.slice(0, TEXT_LENGTH_MAX).toWellFormed().replaceAll('\0', '\ufffd');
  return Buffer.from(start).toString();
}

/** A shortage as JSON, which has no `bigint`. */
type Stored<Value> = Value extends bigint
  ? string
  : Value extends readonly (infer Item)[]
    ? readonly Stored<Item>[]
    : Value extends object
      ? { readonly [Name in keyof Value]: Stored<Value[Name]> }
      : Value;

export type StoredShortage = Stored<MoneyShortage>;

/** JSON for a column. */
export function storedShortage({ levels, needed, ...rest }: MoneyShortage): StoredShortage {
  return {
    ...rest,
    needed: String(needed),
    levels: levels.map(({ limit, used, held, ...level }) => ({
      ...level,
      limit: String(limit),
      used: String(used),
      held: String(held),
    })),
  };
}

/** The inverse of `storedShortage`. */
export function readShortage({ levels, needed, ...rest }: StoredShortage): MoneyShortage {
  return {
    ...rest,
    needed: BigInt(needed),
    levels: levels.map(({ limit, used, held, ...level }): FailingLevel => ({
      ...level,
      limit: BigInt(limit),
      used: BigInt(used),
      held: BigInt(held),
    })),
  };
}
