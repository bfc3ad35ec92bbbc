import { DIALECTS } from './receipt.ts';
import type { Principal } from './principal.ts';
import type { Refusal } from './refusals.ts';

/** The paths of the public API, by name. */
export const ENDPOINTS = [...DIALECTS, 'quote', 'key', 'models', 'receipts'] as const;

export type Endpoint = (typeof ENDPOINTS)[number];

/** A request that was refused before any attempt, so it leaves no receipt. */
export interface RefusedRequest {
  readonly requestId: string;
  /** The caller; null if no key of this instance was sent. */
  readonly principal: Principal | null;
  /** Null if it was refused before its path mattered. */
  readonly endpoint: Endpoint | null;
  /** The model as it was requested, of any length; null if the request names none or was not read. */
  readonly model: string | null;
  readonly refusal: Refusal;
}
