import type { ReceiptExtras } from '../../domain/receipt.ts';
import type { ServiceTier } from '../../domain/service-tier.ts';
import { NO_USES, type Uses } from '../../domain/uses.ts';
import { leftOutNames } from './answers/reply-headers.ts';
import type { RouteAffinity } from './attempts/route-attempts.ts';
import type { AdmittedRequest } from './request.ts';

/** What is known of the route that has answered; absent if none has. */
interface Answered {
  readonly leftOut?: readonly string[];
  readonly affinity?: RouteAffinity | null | undefined;
}

/** The parts of this request's receipt that not every receipt has; undefined if there are none. */
export function extrasOf(
  { caller: { session }, isRetry, admission: { requested } }: AdmittedRequest,
  { leftOut = [], affinity = null }: Answered,
  uses: Uses,
  serviceTier: ServiceTier | null,
): ReceiptExtras | undefined {
  const hasUses = uses !== NO_USES && Object.keys(uses).length > 0;
  const isUsual = requested === null && session === null && affinity === null && !isRetry;
  if (isUsual && leftOut.length === 0 && !hasUses && serviceTier === null) return undefined;
  return {
    ...(session !== null && { session }),
    ...(leftOut.length > 0 && { leftOut: leftOutNames(leftOut) }),
    ...(isRetry && { retry: true }),
    ...(hasUses && { uses }),
    ...(serviceTier !== null && { serviceTier }),
    ...(requested !== null && { requestedModel: requested }),
    ...(affinity !== null && { affinity: affinity.source }),
    ...(affinity?.isPreferred === false && { affinityMissed: true }),
  };
}
