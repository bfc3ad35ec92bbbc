import type { RateLimits } from '../../src/domain/principal.ts';
import { type FirstDraw, type LookedUp, NO_STOCK, type PermitDraw } from '../../src/gate/purses/ports/database.ts';

/** What a look-up draws of permits: a request, a place and so many tokens for each key of a project, and once more. */
export function firstPermitDraws(
  { principals }: LookedUp,
  { permitSequence, tokens }: FirstDraw,
): readonly PermitDraw[] {
  const draws = new Map<string, PermitDraw>();
  for (const principal of principals) {
    if (principal === null || !isLimited(principal.rateLimits)) continue;
    const { workspaceId, projectId } = principal;
    const keys = (draws.get(projectId)?.target.requests ?? 1) + 1;
    draws.set(projectId, {
      workspaceId,
      projectId,
      sequence: permitSequence,
      taken: 0,
      running: 0,
      stock: NO_STOCK,
      keep: NO_STOCK,
      returned: { requests: 0, tokens: 0 },
      needs: [],
      target: { requests: keys, tokens: keys * tokens, slots: keys },
    });
  }
  return [...draws.values()];
}

function isLimited({ requestsPerMinute, tokensPerMinute, concurrency }: RateLimits): boolean {
  return requestsPerMinute !== null || tokensPerMinute !== null || concurrency !== null;
}
