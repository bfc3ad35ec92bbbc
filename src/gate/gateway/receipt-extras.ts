import type { ReceiptExtras } from '../../domain/receipt.ts';
import type { ServiceTier } from '../../domain/service-tier.ts';
import { NO_USES, type Uses } from '../../domain/uses.ts';
import { leftOutNames } from './answers/reply-headers.ts';
import type { AdmittedRequest } from './request.ts';

/** The parts of this request's receipt that not every receipt has; undefined if there are none. */
export function extrasOf(
  { caller: { session }, isRetry, admission: { requested } }: AdmittedRequest,
  { leftOut = [] }: { readonly leftOut?: readonly string[] },
  uses: Uses,
  serviceTier: ServiceTier | null,
): ReceiptExtras | undefined {
  const hasUses = uses !== NO_USES && Object.keys(uses).length > 0;
  if (requested === null && session === null && !isRetry && leftOut.length === 0 && !hasUses && serviceTier === null)
    return undefined;
  return {
    ...(session !== null && { session }),
    ...(leftOut.length > 0 && { leftOut: leftOutNames(leftOut) }),
    ...(isRetry && { retry: true }),
    ...(hasUses && { uses }),
    ...(serviceTier !== null && { serviceTier }),
    ...(requested !== null && { requestedModel: requested }),
  };
}
